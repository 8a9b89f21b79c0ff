// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/stability.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace perfspec {
namespace detail {

/// The order statistics at this rank from either end hold the median of n values with probability `level`: 95 % or
/// more, where n allows that.
struct median_ranks {
    std::size_t rank = 0;
    double level = 0;
};

inline median_ranks ranks_around_median(std::size_t n) {
    double term = std::pow(0.5, static_cast<double>(n));  // C(n, k) / 2^n
    double below = 0;
    median_ranks best{0, 1 - 2 * term};
    for (std::size_t k = 0; 2 * (k + 1) <= n; ++k) {
        below += term;
        if (k > 0 && 1 - 2 * below < 0.95) break;
        best = {k, 1 - 2 * below};
        term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    }
    return best;
}

}  // namespace detail

namespace detail {

/// The probability that at most `heads` of n fair coins show heads.
inline double at_most_heads(std::size_t n, std::size_t heads) {
    double term = std::pow(0.5, static_cast<double>(n));
    double sum = term;
    for (std::size_t k = 0; k < heads && k < n; ++k) {
        term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
        sum += term;
    }
    return sum;
}

}  // namespace detail

decision spread_test::decide(std::span<const double> distances, direction claimed, double bound) const {
    const bool odd = distances.size() % 2 == 1;
    const std::size_t counted = distances.size() - (odd ? 1 : 0);
    const auto wrong = [&](double at) {  // launches on the side that the claim denies
        std::size_t beyond =
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

launch_spread spread_of(std::span<const double> values) {
    if (values.size() < 3)
        throw input_error("spread_of: found " + std::to_string(values.size()) +
                          " launches, needs three at least, and fifteen to say much");
    std::vector<double> logs;
    for (const double v : values) {
        detail::require_positive("spread_of", v);
        logs.push_back(std::log(v));
    }
    const double centre = median(logs);
    launch_spread found;
    for (const double l : logs) found.distances.push_back(mad_to_standard_deviation * std::abs(l - centre));
    std::vector<double> sorted = found.distances;
    std::ranges::sort(sorted);
    const auto [rank, level] = detail::ranks_around_median(sorted.size());
    found.spread = median(sorted);
    found.low = sorted[rank];
    found.high = sorted[sorted.size() - 1 - rank];
    found.level = level;
    return found;
}

}  // namespace perfspec
