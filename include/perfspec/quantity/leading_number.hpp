// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string_view>

namespace perfspec::detail {

/// A finite number and the text after it.
struct leading_number {
    double value{};
    std::string_view rest;
};

/// Reads the number at the start of a text: digits with a point and an exponent as in C, whatever the locale. It reads
/// '-', but not '+'. Nothing for a text that starts with no number, and for a number that a double cannot hold.
[[nodiscard]] std::optional<leading_number> read_leading_number(std::string_view text);

/// The same without std::from_chars, which libc++ before version 20 lacks for floating-point numbers.
[[nodiscard]] std::optional<leading_number> read_leading_number_by_stream(std::string_view text);

}  // namespace perfspec::detail
