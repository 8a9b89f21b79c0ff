// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace perfspec {

namespace detail {

[[nodiscard]] inline std::vector<double> sorted_copy(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

}  // namespace detail

double quantile_of_sorted(std::span<const double> sorted, double p) {
    if (sorted.empty())
        throw input_error("quantile_of_sorted: found no values, needs at least one; nothing was measured");
    if (!(p >= 0 && p <= 1))
        throw input_error("quantile_of_sorted: found p = " + detail::number_text(p) +
                          ", needs a fraction from 0 to 1 such as 0.99");
    const double position = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    if (below + 1 == sorted.size()) return sorted[below];
    return std::lerp(sorted[below], sorted[below + 1], position - static_cast<double>(below));
}

double median(std::span<const double> values) {
    detail::require_sample("median", values);
    return quantile_of_sorted(detail::sorted_copy(values), 0.5);
}

summary summarize(std::span<const double> values) {
    detail::require_sample("summarize", values);
    const auto sorted = detail::sorted_copy(values);
    const auto quantile = [&](double p) { return quantile_of_sorted(sorted, p); };

    summary s;
    s.n = sorted.size();
    s.minimum = sorted.front();
    s.lower_quartile = quantile(0.25);
    s.median = quantile(0.5);
    s.upper_quartile = quantile(0.75);
    s.p90 = quantile(0.90);
    s.p99 = quantile(0.99);
    s.maximum = sorted.back();

    std::vector<double> deviations(sorted.size());
    std::transform(sorted.begin(), sorted.end(), deviations.begin(), [&](double v) { return std::abs(v - s.median); });
    s.mad = median(deviations);
    return s;
}

}  // namespace perfspec
