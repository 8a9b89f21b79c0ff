// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// Columns of a terminal that UTF-8 text takes, as far as one character is one column.
[[nodiscard]] std::size_t columns_of(std::string_view text) noexcept;

/// The text, and blanks up to so many columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns);

/// At most so many columns of the text, two at least; dots in place of the rest.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);

/// Lines of at most so many columns, broken at blanks: behind a semicolon or a comma where one stands in the second half of the line, and never
/// between a number and its unit. A word that is longer stays whole.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

}  // namespace perfspec::detail
