// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/quantity.hpp>

#include <string>
#include <string_view>

namespace perfspec::inline v0_2 {

/// Writes a value in the base unit of its dimension for people: four significant digits and the unit that fits. Whole
/// counts below ten million and whole bytes below 1 KiB are exact.
///
///     format_value(3.2124e6, dimension::time)  == "3.212 ms"
///     format_value(1.4242, dimension::ratio)   == "1.424"
[[nodiscard]] std::string format_value(double value, dimension d);

/// Writes both ends in one unit and with the same decimals, so people can compare them by eye: "1.270 .. 1.310", "3.200
/// .. 3.310 ms".
[[nodiscard]] std::string format_range(double low, double high, dimension d);

/// The base unit's symbol, as files use it: "ns", "ratio", "count", "bytes", "items/s", "bytes/s", "flop/s", "own",
/// "power", "spread".
[[nodiscard]] std::string_view base_unit(dimension d) noexcept;

/// Writes a fraction as a percentage, with two significant digits below ten and none after the point above: "0.5 %", "2
/// %", "17 %".
[[nodiscard]] std::string format_percentage(double fraction);

/// As `format_percentage`, with the sign: "+2 %", "-0.5 %".
[[nodiscard]] std::string format_change(double fraction);

/// Writes a number with its noun in singular or plural: "1 key", "3 keys", "2 processes", "0 entries".
[[nodiscard]] std::string counted(std::size_t n, std::string_view what);

/// Writes a duration given in nanoseconds: "850 ns", "1.20 ms", "3.1 s", "2 min 5 s".
[[nodiscard]] std::string format_seconds(double nanoseconds);

}  // namespace perfspec::inline v0_2
