// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/interval.hpp>
#include <perfspec/stats/summary-inl.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace perfspec {
namespace detail {

/// How many of the 2^n sets of ranks from 1 to n have each sum, from 0 up. Exact for n up to 53.
[[nodiscard]] inline std::vector<double> sets_by_rank_sum(std::size_t n) {
    std::vector<double> sets(n * (n + 1) / 2 + 1, 0.0);
    sets[0] = 1.0;
    for (std::size_t rank = 1, largest = 1; rank <= n; largest += ++rank)
        for (std::size_t sum = largest; sum >= rank; --sum) sets[sum] += sets[sum - rank];
    return sets;
}

/// The largest k for which the sum of the positive ranks of n values is below k in at most 2.5 % of all cases: so many
/// averages lie outside of the interval at each end.
[[nodiscard]] inline std::size_t averages_outside(std::size_t n) {
    constexpr std::size_t largest_exact = 50;
    const auto size = static_cast<double>(n);
    if (n > largest_exact) {
        constexpr double normal_quantile = 1.959964;  // of 0.975
        const double mean = size * (size + 1.0) / 4.0;
        const double deviation = std::sqrt(size * (size + 1.0) * (2.0 * size + 1.0) / 24.0);
        return static_cast<std::size_t>(mean - normal_quantile * deviation);
    }
    const double allowed = 0.025 * std::exp2(size);
    double below = 0.0;
    std::size_t k = 0;
    for (const double sets : sets_by_rank_sum(n)) {
        below += sets;
        if (below > allowed) break;
        ++k;
    }
    return k;
}

}  // namespace detail

centre_interval signed_rank_interval(std::span<const double> values) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double level = 0.95;
    detail::require_sample("signed_rank_interval", values);
    const std::size_t k = detail::averages_outside(values.size());
    const double centre = hodges_lehmann(values);
    if (k == 0) return {-infinity, centre, infinity, level};
    const std::vector<double> halves = detail::sorted_halves(values);
    const std::size_t averages = halves.size() * (halves.size() + 1) / 2;
    return {detail::select_sum(k, halves), centre, detail::select_sum(averages + 1 - k, halves), level};
}

}  // namespace perfspec
