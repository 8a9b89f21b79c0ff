// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

// How values change: with time, and with the size of the work.

namespace perfspec {

/// The medians of the first and of the last quarter of values.
struct trend {
    double first{};
    double last{};

    friend bool operator==(const trend&, const trend&) = default;
};

/// Whether positive values, at least eight, keep rising or falling in the order in which they were measured. They rise
/// if the median of each quarter is at least 15 % above that of the quarter before it, and the last at least `in_all`
/// times the first. They fall if they rise when read backwards.
///
/// This test has no error rate: neighbouring values are alike for reasons of the machine. In recorded noise, stretches
/// of 8 to 20 samples look like a trend in 6 of 48,000 cases for single-threaded code in the caches, and in 8 of 12,000
/// for 64 MiB. For two threads it is 4 of 12,000, where the values must rise fourfold (row N of tests/calibration).
[[nodiscard]] std::optional<trend> find_trend(std::span<const double> values, double in_all = 2.0);

/// One time of a body at one size.
struct growth_point {
    double size;      ///< n
    double time;      ///< in any unit
    double expected;  ///< g(n), to which the claim says the time is proportional; in any unit
};

/// How many times each size is measured for one slope.
inline constexpr int samples_of_a_size = 4;

inline constexpr std::string_view growth_method = "least-squares slope of log(time / expected growth) on log(size)";

/// How much steeper than claimed a time may grow, as a power of n. A factor log(n) passes: it cannot be distinguished
/// from a small power at sizes that a test can afford.
inline constexpr double growth_tolerance = 0.15;

/// The slope of log(t / g) on log n: 0 if the time grows as claimed, 1 if it grows by one more power of n.
///
/// points  of at least two sizes, in any order; a block is five sizes measured four times each
/// Throws input_error for fewer than two sizes, or a number that is not finite and positive.
[[nodiscard]] double growth_slope(std::span<const growth_point> points);

}  // namespace perfspec
