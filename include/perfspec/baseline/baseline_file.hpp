// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// One file of baselines; `baselines/README.md` describes the format, `baselines/schema.json` is its JSON Schema.
struct baseline_file {
    /// The version that is written. Older ones are upgraded while reading; newer ones are refused by name.
    static constexpr unsigned schema_version = 1;
    /// A larger file is no baseline.
    static constexpr std::size_t most_bytes = std::size_t{512} << 20;

    std::string hardware{};  ///< hardware key
    std::string variant{};   ///< build variant; empty where there is none
    std::string suite{};
    std::vector<baseline_entry> entries{};  ///< sorted by key, each key once

    [[nodiscard]] const baseline_entry* find(std::string_view key) const noexcept;
    void insert_or_replace(baseline_entry entry);
    bool erase(std::string_view key);

    friend bool operator==(const baseline_file&, const baseline_file&) = default;
};

/// Reads the text of a baseline file.
///
/// path    names the file in errors
/// Throws  input_error, naming file and line, what was found, a legal value and the remedy: for text that is not JSON (a merge
///         conflict is named as such), a key or member that stands twice or is unknown, a number that is not finite or cannot be a
///         measurement, more nesting or values than a baseline has, an unknown or newer schema version.
[[nodiscard]] baseline_file parse_baseline_file(std::string_view text, std::string_view path);

/// The text of a baseline file: entries sorted by key, one launch a line.
///
/// The same values give the same bytes, and render(parse(text)) is text for every text that render wrote.
/// Throws input_error for an entry that fault_of refuses.
[[nodiscard]] std::string render_baseline_file(const baseline_file& file);

}  // namespace perfspec
