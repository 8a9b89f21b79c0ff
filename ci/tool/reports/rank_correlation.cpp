// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace perfspec::tool {
namespace {

/// The rank of each value from 1 on, less their mean. Equal values share the mean of their ranks.
std::vector<double> centred_ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        const double shared = static_cast<double>(begin + 1 + end) / 2.0;
        for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = shared - static_cast<double>(values.size() + 1) / 2.0;
    }
    return ranks;
}

double product(std::span<const double> a, std::span<const double> b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

}  // namespace

std::optional<rank_correlation> find_rank_correlation(std::span<const double> x, std::span<const double> y) {
    constexpr double deviations = 1.96;  // 0.95 of a normal distribution
    if (x.size() < fewest_correlated || x.size() != y.size()) return {};
    const std::vector<double> a = centred_ranks(x);
    const std::vector<double> b = centred_ranks(y);
    const double spread = std::sqrt(product(a, a) * product(b, b));
    if (spread == 0.0) return {};
    const double rho = std::clamp(product(a, b) / spread, -1.0, 1.0);
    // The interval of a perfect order would have no width: it is that of the order with two neighbours exchanged.
    const auto n = static_cast<double>(x.size());
    const double most = 1.0 - 12.0 / (n * (n * n - 1.0));
    const double z = std::atanh(std::clamp(rho, -most, most));
    const double width = deviations * std::sqrt((1.0 + rho * rho / 2.0) / (n - 3.0));
    return rank_correlation{rho, std::min(rho, std::tanh(z - width)), std::max(rho, std::tanh(z + width))};
}

}  // namespace perfspec::tool
