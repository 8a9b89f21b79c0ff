// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/power/smallest_effect.hpp>

#include <cstddef>
#include <span>

namespace perfspec {

/// The results of claims of a body against itself. No two claims share a pair.
struct repeated_claims {
    std::size_t claims{};
    std::size_t first_stage{};  ///< claims that were violated in the first stage
    std::size_t both_stages{};  ///< claims that were violated in the second stage, too
};

/// Judges `speedup(x, x) > 1` in a recording again and again. Each stage begins with the pair after the last one of the
/// stage before it. A stage that the recording does not finish is left out.
///
/// Given all earlier pairs, each first stage is violated with at most the test's rate, however long the stages were. So
/// the counts are those of independent claims, or lower. `how.trials` does not matter. Throws input_error as
/// `alarms_at` does.
[[nodiscard]] repeated_claims claims_one_after_the_other(std::span<const double> log_ratios,
                                                         const self_comparison& how);

/// The limits of a fraction.
struct fraction_limits {
    double low{};
    double high{};
};

/// The fractions that `successes` of `trials` do not exclude (Clopper and Pearson, Biometrika 1934). Throws input_error
/// for no trials, for more successes than trials, and for a level that is not a probability.
[[nodiscard]] fraction_limits limits_of_fraction(std::size_t successes, std::size_t trials, double level);

}  // namespace perfspec
