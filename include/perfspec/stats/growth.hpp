// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string_view>

namespace perfspec {

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

/// The slope of log(t / g) on log n: 0 where the time grows as claimed, 1 where it grows by one more power of n.
///
/// points  of at least two sizes, in any order; a block is five sizes measured four times each
/// Throws input_error for fewer than two sizes, or a number that is not finite and positive.
[[nodiscard]] double growth_slope(std::span<const growth_point> points);

}  // namespace perfspec
