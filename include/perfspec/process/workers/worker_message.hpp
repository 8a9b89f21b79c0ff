// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// A message between a process and its worker: a word and named fields, on one line (README.md).
///
///     ran iterations=5 elapsed_ns=100123
///
/// A reader skips fields that it does not know, so later versions can add fields. In a value, `%`, blanks and control
/// characters are escaped as in `%20`.
struct worker_message {
    std::string word;
    std::vector<std::pair<std::string, std::string>> fields{};

    void add(std::string name, std::string value) { fields.emplace_back(std::move(name), std::move(value)); }
    void add(std::string name, std::uint64_t value);
    void add(std::string name, double value);  ///< reads back exactly

    /// The first field of this name. Nothing where there is none.
    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    /// The same as a number: finite, not negative. Nothing where the field is missing or is no such number.
    [[nodiscard]] std::optional<double> number(std::string_view name) const;
    [[nodiscard]] std::optional<std::uint64_t> whole(std::string_view name) const;

    friend bool operator==(const worker_message&, const worker_message&) = default;
};

[[nodiscard]] std::string to_text(const worker_message& message);

/// Nothing for a line that is not a message: no word, a field without a name or "=", a `%` without two digits.
[[nodiscard]] std::optional<worker_message> parse_worker_message(std::string_view line);

}  // namespace perfspec
