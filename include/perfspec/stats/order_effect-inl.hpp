// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/order_effect.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {

/// The rank sum of `first` among both, minus its mean, in standard deviations; 0 where all values are equal.
inline double rank_sum_deviation(std::span<const double> first, std::span<const double> second) {
    std::vector<std::pair<double, bool>> all;
    for (const double v : first) all.emplace_back(v, true);
    for (const double v : second) all.emplace_back(v, false);
    std::ranges::sort(all);
    const auto n = static_cast<double>(all.size());
    double sum = 0.0;
    double ties = 0.0;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        std::size_t of_first = 0;
        for (end = begin; end < all.size() && all[end].first == all[begin].first; ++end) of_first += all[end].second ? 1 : 0;
        const auto equal = static_cast<double>(end - begin);
        sum += static_cast<double>(of_first) * (static_cast<double>(begin + end + 1) / 2.0);
        ties += equal * equal * equal - equal;
    }
    const auto a = static_cast<double>(first.size());
    const auto b = static_cast<double>(second.size());
    const double variance = a * b / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
    return variance > 0.0 ? (sum - a * (n + 1.0) / 2.0) / std::sqrt(variance) : 0.0;
}

}  // namespace detail

std::optional<order_effect> find_order_effect(std::span<const double> after_own, std::span<const double> after_other) {
    constexpr double deviation_at_rate = 3.8906;  // a two-sided rate of 1e-4 in a normal distribution
    constexpr double worth_telling = 1.1;
    if (after_own.empty() || after_other.empty()) return {};
    if (std::abs(detail::rank_sum_deviation(after_own, after_other)) < deviation_at_rate) return {};
    const order_effect found{median(after_own), median(after_other)};
    const auto [low, high] = std::minmax(found.after_own, found.after_other);
    if (!(low > 0.0) || high < worth_telling * low) return {};
    return found;
}

}  // namespace perfspec
