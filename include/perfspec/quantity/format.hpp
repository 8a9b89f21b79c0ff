// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/dimension.hpp>

#include <string>
#include <string_view>

namespace perfspec {

/// A value in the base unit of its dimension, as people write it: four significant digits and the unit that fits. Whole counts below ten
/// million and whole bytes below 1 KiB are exact.
///
///     format_value(3.2124e6, dimension::time)  == "3.212 ms"
///     format_value(1.4242, dimension::ratio)   == "1.424"
[[nodiscard]] std::string format_value(double value, dimension d);

/// Two ends in one unit with the same decimals, so that they can be compared by eye: "1.270 .. 1.310", "3.200 .. 3.310 ms".
[[nodiscard]] std::string format_range(double low, double high, dimension d);

/// The base unit's symbol: "ns", "ratio", "count", "bytes", "items/s", "bytes/s", "flop/s", "own", "power",
/// "spread". Used in files.
[[nodiscard]] std::string_view base_unit(dimension d) noexcept;

/// A fraction as a percentage: two significant digits below ten, whole above: "0.5 %", "2 %", "17 %".
[[nodiscard]] std::string format_percentage(double fraction);

/// The same with its sign: "+2 %", "-0.5 %".
[[nodiscard]] std::string format_change(double fraction);

/// "1 key", "3 keys", "2 launches", "0 entries".
[[nodiscard]] std::string counted(std::size_t n, std::string_view what);

/// A duration in nanoseconds as "850 ns", "1.20 ms", "3.1 s", "2 min 5 s".
[[nodiscard]] std::string format_seconds(double nanoseconds);

}  // namespace perfspec
