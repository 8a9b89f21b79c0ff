// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <charconv>
#include <optional>
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

}  // namespace perfspec::detail
