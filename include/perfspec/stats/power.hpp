// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential.hpp>

#include <cstddef>
#include <span>

// What claims of a body against itself show about a machine: the smallest effect. Their input is
// log(time of x / time of y) of pairs in random order, in the order measured, where x and y are the same body.

namespace perfspec {

/// How to judge a recording of a subject against itself many times.
struct self_comparison {
    std::size_t pairs = 500;   ///< the most pairs of a stage
    std::size_t trials = 200;  ///< starts of stages, spread evenly over the recording, which starts again at its end
    sequential_settings settings{};
};

/// Fractions of the trials.
struct alarm_rates {
    double first_stage{};  ///< the first stage was violated
    double both_stages{};  ///< so was a second one, which begins half the recording later
};

/// How often `speedup(x, y) > 1` is violated when y is slower than in the recording by `slowdown` (0.05: 5 %). This is
/// the rate of detection.
///
/// Neighbouring trials share pairs, so a fraction of 0 says less than the number of trials suggests. Throws input_error
/// for fewer than ten pairs, no trials, or a slowdown that is not above -1.
[[nodiscard]] alarm_rates alarms_at(std::span<const double> log_ratios, double slowdown, const self_comparison& how);

/// The smallest slowdown that is found and confirmed in a fraction `power` of the trials, to within 2 % of itself.
/// Infinite if not even twice as slow is found. A slowdown within the margin often holds before it is found.
///
///     smallest_effect(recorded, 0.95, {.pairs = 300})   // 0.012: this machine sees 1.2 % in 300 pairs
[[nodiscard]] double smallest_effect(std::span<const double> log_ratios, double power, const self_comparison& how);

}  // namespace perfspec
