// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace perfspec::detail {

/// Reads digits of the base and nothing else, within the range of `Number`; nothing for any other text, also for signs
/// and blanks.
template <class Number>
[[nodiscard]] std::optional<Number> whole_number(std::string_view text, int base = 10) noexcept {
    Number number{};
    if (text.empty() || text.front() == '-') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Turns bytes of another process into text for people and files: UTF-8, line ends and tabs stay, any other byte
/// becomes `\x1b`.
[[nodiscard]] std::string printable(std::string_view bytes);

/// The same on one line, in quotes, at most 120 bytes of it: for "found …" in messages.
[[nodiscard]] std::string excerpt(std::string_view bytes);

/// The last `maximum` bytes, beginning with a whole UTF-8 character.
[[nodiscard]] std::string_view last_bytes(std::string_view bytes, std::size_t maximum) noexcept;

}  // namespace perfspec::detail
