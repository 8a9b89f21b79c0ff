// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/stored/stored_rank_test.hpp>

#include <span>
#include <string_view>

namespace perfspec {

/// A baseline whose launches of one session spread by more than this is not worth recording.
inline constexpr double largest_spread_to_record = 0.20;

/// Where launches spread by more than that, a claim fails only if it is beyond its bound by more than this many
/// spreads, in logarithms.
inline constexpr double spreads_of_noise = 4.0;

/// The robust relative spread of launches: 1.4826 times the median absolute deviation of their logarithms; 0 where all
/// are equal.
///
/// launches  one value a launch, positive, or all equal (such as counts of 0)
/// Throws input_error for no launches, or a value that is not finite or not positive.
[[nodiscard]] double relative_spread(std::span<const double> launches);

/// The smallest change beyond the bound, as a fraction, that a claim on these launches finds in nine of ten runs. 0.09
/// is 9 % more of a time, or 9 % less of a rate.
///
/// It is found by replay, which is a bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 6).
/// Each of two hundred runs draws twenty fresh launches from the stored ones, moves them by the change, and gives them
/// to the rank test with the allowance. The draws are the same in every call, so the same launches give the same
/// number. The result applies to a run that has time for twenty launches, on a machine as quiet as during recording.
///
/// launches   ten to forty values that a claim is compared with, positive
/// allowance  for drift and load, as a fraction
/// Throws input_error as stored_rank_test does. Infinite where even ten times as much is not found.
///
///     detectable_change(forty_launches_that_spread_by_one_percent, direction::less, 0.0)   // 0.012
[[nodiscard]] double detectable_change(std::span<const double> launches, direction claimed, double allowance);

}  // namespace perfspec
