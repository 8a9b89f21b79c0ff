// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>

namespace perfspec {

/// The lowest and the highest level that can be judged, as fractions. A rarer level would need more iterations than a
/// run takes.
inline constexpr double lowest_percentile_level = 0.5;
inline constexpr double highest_percentile_level = 0.995;

/// Fewer single iterations than this say nothing about a tail.
inline constexpr std::size_t min_percentile_iterations = 1000;

/// The percentile of a sample in any order. With n values and level p it is the order statistic of the next whole
/// number above np. Where np is a whole number, it is the mean of the order statistics np and np + 1. Of 100 values,
/// p99 is the mean of the two largest.
///
/// Throws input_error for no values, one that is not finite, or a level outside [0.5, 0.995].
/// Source: definition 2 of Hyndman & Fan, "Sample quantiles in statistical packages" (1996): the inverse of the
/// empirical distribution, averaged where it jumps. It reads at most two of the values, so one outlier beyond the level
/// does not move it.
[[nodiscard]] double percentile_of(std::span<const double> values, double level);

/// How many iterations make one block: 100, or for a level above .99 as many as leave one iteration beyond the level.
/// A block's statistic is its percentile_of. Throws input_error for a level outside [0.5, 0.995].
[[nodiscard]] std::size_t percentile_block(double level);

}  // namespace perfspec
