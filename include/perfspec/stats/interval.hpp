// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>

namespace perfspec {

/// A centre, and the values that a test at that centre does not reject.
struct centre_interval {
    /// Six values are the fewest whose signed-rank interval at 95 % has ends.
    static constexpr std::size_t minimum = 6;

    double low = 0;     ///< minus infinity if there are fewer values
    double centre = 0;  ///< Hodges-Lehmann
    double high = 0;    ///< plus infinity in the same case
    double level = 0;   ///< nominal coverage, such as 0.95
};

/// The Hodges-Lehmann centre and the values that the signed-rank test does not reject at 95 %: all averages
/// (x_i + x_j) / 2, i <= j, but the k smallest and the k largest, and what lies between.
///
/// values  in any order and unit
/// Exact if each value is as likely to lie as far above the centre as below it, and if their number does not depend on
/// them. The distribution of the statistic is exact up to 50 values, and normal beyond that. After a sequential test,
/// whose number of values depends on them, the coverage is calibrated (README.md, "Intervals").
/// Throws input_error for no values or one that is not finite.
///
/// Source: Hollander, Wolfe & Chicken, *Nonparametric Statistical Methods*, 3rd edition, section 3.3.
///
///     const auto ratio = signed_rank_interval(log_ratios);
///     std::printf("%.3f (%.3f .. %.3f)", std::exp(ratio.centre), std::exp(ratio.low), std::exp(ratio.high));
[[nodiscard]] centre_interval signed_rank_interval(std::span<const double> values);

}  // namespace perfspec
