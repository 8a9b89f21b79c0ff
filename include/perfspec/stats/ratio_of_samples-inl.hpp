// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/ratio_of_samples.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace perfspec {

std::optional<ratio_of_samples> find_ratio_of_samples(std::span<const double> numerator, std::span<const double> denominator) {
    constexpr double deviations = 1.96;  // 0.95 of a normal distribution
    const auto is_positive = [](double value) { return value > 0.0; };
    if (!std::ranges::all_of(numerator, is_positive) || !std::ranges::all_of(denominator, is_positive)) return {};
    const auto m = static_cast<double>(numerator.size());
    const auto n = static_cast<double>(denominator.size());
    const double k = std::floor(m * n / 2.0 - deviations * std::sqrt(m * n * (m + n + 1.0) / 12.0));
    if (!(k >= 1.0)) return {};
    std::vector<double> ratios;
    ratios.reserve(numerator.size() * denominator.size());
    for (const double x : numerator)
        for (const double y : denominator) ratios.push_back(x / y);
    std::ranges::sort(ratios);
    const auto rank = static_cast<std::size_t>(k);
    return ratio_of_samples{median(ratios), ratios[rank - 1], ratios[ratios.size() - rank]};
}

}  // namespace perfspec
