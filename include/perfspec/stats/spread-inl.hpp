// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/spread.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace perfspec {
namespace detail {

/// The standard deviation of a normal distribution is this many times its MAD.
inline constexpr double mad_to_standard_deviation = 1.4826;

/// The probability that at most `heads` of n fair coins show heads.
inline double at_most_heads(std::size_t n, std::size_t heads) {
    double term = std::pow(0.5, static_cast<double>(n));  // C(n, k) / 2^n
    double sum = term;
    for (std::size_t k = 0; k < heads && k < n; ++k) {
        term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
        sum += term;
    }
    return sum;
}

/// The order statistics at this rank from either end hold the median of n values with 95 % or more, if n allows that.
inline std::size_t rank_around_median(std::size_t n) {
    std::size_t rank = 0;
    while (2 * (rank + 2) <= n && 1 - 2 * at_most_heads(n, rank + 1) >= 0.95) ++rank;
    return rank;
}

}  // namespace detail

double relative_spread(std::span<const double> launches) {
    detail::require_sample("relative_spread", launches);
    if (std::ranges::adjacent_find(launches, std::not_equal_to<>()) == launches.end()) return 0.0;
    std::vector<double> logarithms;
    for (const double launch : launches) {
        if (!(launch > 0))
            throw input_error(fmt::format("relative_spread: found the launch value {}, needs positive ones; counts "
                                          "that reach 0 compare exactly and have no spread to report",
                                          launch));
        logarithms.push_back(std::log(launch));
    }
    return detail::mad_to_standard_deviation * summarize(logarithms).mad;
}

launch_spread spread_of(std::span<const double> values) {
    if (values.size() < 3)
        throw input_error(
            fmt::format("spread_of: found {} launches, needs three at least, and fifteen to say much", values.size()));
    std::vector<double> logs;
    for (const double v : values) {
        detail::require_positive("spread_of", v);
        logs.push_back(std::log(v));
    }
    const double centre = median(logs);
    launch_spread result;
    for (const double l : logs) result.distances.push_back(detail::mad_to_standard_deviation * std::abs(l - centre));
    std::vector<double> sorted = result.distances;
    std::ranges::sort(sorted);
    const std::size_t rank = detail::rank_around_median(sorted.size());
    result.spread = median(sorted);
    result.low = sorted[rank];
    result.high = sorted[sorted.size() - 1 - rank];
    result.level = 1 - 2 * detail::at_most_heads(sorted.size(), rank);
    return result;
}

decision spread_test::decide(std::span<const double> distances, direction claimed, double bound) const {
    const bool odd = distances.size() % 2 == 1;
    const std::size_t counted = distances.size() - (odd ? 1 : 0);
    const auto wrong = [&](double at) {  // launches on the side that the claim denies
        const auto beyond =
            static_cast<std::size_t>(std::ranges::count_if(distances, [&](double d) { return d > at; }));
        return claimed == direction::less ? beyond : counted - std::min(beyond, counted);
    };
    const double moved = claimed == direction::less ? bound * (1 + margin) : bound / (1 + margin);
    if (detail::at_most_heads(counted, counted - std::min(wrong(bound), counted)) <= false_failure)
        return decision::violated;
    if (detail::at_most_heads(counted, wrong(moved)) <= false_pass) return decision::holds;
    return decision::none;
}

std::size_t spread_test::min_size_to_violate() const {
    std::size_t counted = min_launches_of_a_spread;
    while (detail::at_most_heads(counted, 0) > false_failure)
        counted += 2;  // with an odd number, one launch does not count
    return counted;
}

}  // namespace perfspec
