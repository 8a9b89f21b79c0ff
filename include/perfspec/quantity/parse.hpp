// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string_view>

namespace perfspec {

/// Reads a duration such as "10s", "1.5 ms", "250us", "100 ns", "2min" as nanoseconds. Returns nothing for other text,
/// or if the duration is negative or not finite.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

/// Reads a percentage ("1 %", "1%", "0.5pct", "1_pct") or a plain fraction ("0.01"). Returns nothing for other text.
[[nodiscard]] std::optional<double> parse_fraction(std::string_view text);

/// Reads a plain finite number. Returns nothing unless the number is the whole text.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

namespace detail {

/// A finite number and the text after it.
struct leading_number {
    double value{};
    std::string_view rest;
};

/// Reads the number at the start of a text: digits with a point and an exponent as in C, in any locale. It reads
/// '-', but not '+'. None for a text that does not start with a number, and for a number that a double cannot hold.
[[nodiscard]] std::optional<leading_number> read_leading_number(std::string_view text);

/// The same without std::from_chars, which libc++ before version 20 lacks for floating-point numbers.
[[nodiscard]] std::optional<leading_number> read_leading_number_by_stream(std::string_view text);

}  // namespace detail
}  // namespace perfspec
