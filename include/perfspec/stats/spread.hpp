// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

// How much the values of launches spread, and claims on that.

namespace perfspec {

/// A baseline whose launches of one session spread by more than this is not worth recording.
inline constexpr double max_spread_to_record = 0.20;

/// If launches spread by more than that, a claim fails only if it is beyond its bound by more than this many spreads,
/// in logarithms.
inline constexpr double spreads_of_noise = 4.0;

/// The robust relative spread of launches: 1.4826 times the median absolute deviation of their logarithms; 0 if all
/// are equal.
///
/// launches  one value a launch, positive, or all equal (such as counts of 0)
/// Throws input_error for no launches, or a value that is not finite or not positive.
[[nodiscard]] double relative_spread(std::span<const double> launches);

/// The same spread with an interval, as fractions.
struct launch_spread {
    static constexpr std::string_view method =
        "1.4826 times the median distance of the logarithms of launches from their median";

    double spread = 0;  ///< the standard deviation of the logarithms if they are normal
    double low = 0;     ///< an interval by order statistics of the distances
    double high = 0;
    double level = 0;                 ///< its coverage: 95 % or more, if there are enough launches
    std::vector<double> distances{};  ///< of each launch from the median, scaled like the spread, in the order given
};

/// How many launches a spread is computed from by default. Fewer than ten say little.
inline constexpr std::size_t launches_of_a_spread = 15;
inline constexpr std::size_t min_launches_of_a_spread = 10;

/// The spread of at least three positive values. Throws input_error for fewer, or one that is not finite and positive.
[[nodiscard]] launch_spread spread_of(std::span<const double> values);

/// The test of a claim on a spread. Half of the launches are within the spread of their median, so the claim is about
/// how many launches are within the bound.
///
/// That number is tested by binomial tests for independent launches: *violated* at the bound with false_failure,
/// *holds* at the bound moved by the margin with false_pass. They would be exact for distances from the true median;
/// with those from the median of a skewed sample they exceed the rates (README.md, "Stability"). With an odd number of
/// launches the median launch is within any bound, and does not count. With fifteen launches three beyond the bound
/// still hold, and thirteen of fourteen violate.
struct spread_test {
    static constexpr std::string_view method = "exact binomial test of how many launches lie within the bound";

    double margin = 0.005;
    double false_failure = 1e-3;
    double false_pass = 0.05;

    [[nodiscard]] decision decide(std::span<const double> distances, direction claimed, double bound) const;

    /// With fewer launches nothing can be found violated, even if all of them are beyond the bound. Ten at a rate of
    /// 0.001.
    [[nodiscard]] std::size_t min_size_to_violate() const;
};

}  // namespace perfspec
