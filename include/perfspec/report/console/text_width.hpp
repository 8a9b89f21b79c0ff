// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// The number of terminal columns that UTF-8 text takes, if each character takes one column.
[[nodiscard]] std::size_t columns_of(std::string_view text) noexcept;

/// The text, padded with blanks to this many columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns);

/// The text, shortened to at most this many columns (at least two). Dots stand for the rest.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);

/// Breaks a text into lines of at most this many columns, at blanks. It prefers a blank after a semicolon or a comma in
/// the second half of the line, and never breaks between a number and its unit. A longer word stays whole.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

}  // namespace perfspec::detail
