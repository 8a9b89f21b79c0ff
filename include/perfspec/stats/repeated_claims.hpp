// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/power/smallest_effect.hpp>

#include <cstddef>
#include <span>

namespace perfspec {

/// What claims of a body against itself came to, none of which shares a pair with another.
struct repeated_claims {
    std::size_t claims{};
    std::size_t first_stage{};  ///< of them violated in the first stage
    std::size_t both_stages{};  ///< and in the second one
};

/// Judges `speedup(x, x) > 1` in a recording again and again: each stage begins with the pair after the last one of the stage before it, and one that
/// the recording does not finish is left out.
///
/// Given all earlier pairs, each first stage is violated with the test's rate at most, however long the stages were: so the counts are those of
/// independent claims or less. `how.trials` does not matter. Throws input_error as `alarms_at` does.
[[nodiscard]] repeated_claims claims_one_after_the_other(std::span<const double> log_ratios, const self_comparison& how);

/// Limits of a fraction.
struct fraction_limits {
    double low{};
    double high{};
};

/// The fractions that so many of so many trials do not exclude (Clopper and Pearson, Biometrika 1934). Throws input_error for no trials, for more
/// successes than trials, and for a level that is no probability.
[[nodiscard]] fraction_limits limits_of_fraction(std::size_t successes, std::size_t trials, double level);

}  // namespace perfspec
