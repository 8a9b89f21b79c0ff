// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/summary.hpp>
#include <perfspec/stats/trend.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace perfspec {
namespace detail {

inline constexpr std::size_t quarters = 4;

/// Whether each median is at least 1.15 times the one before it, and the last at least `in_all` times the first.
inline bool is_rising(const std::array<double, quarters>& medians, double in_all) {
    constexpr double from_each = 1.15;
    for (std::size_t i = 1; i < quarters; ++i)
        if (!(medians[i] >= from_each * medians[i - 1])) return false;
    return medians.back() >= in_all * medians.front();
}

}  // namespace detail

std::optional<trend> find_trend(std::span<const double> values, double in_all) {
    constexpr std::size_t min_in_a_quarter = 2;
    const std::size_t length = values.size() / detail::quarters;
    if (length < min_in_a_quarter) return {};
    std::array<double, detail::quarters> medians{};
    for (std::size_t i = 0; i < detail::quarters; ++i) {
        const auto part = values.subspan(i * length, i + 1 == detail::quarters ? std::dynamic_extent : length);
        medians[i] = median(part);
    }
    const std::array<double, detail::quarters> backwards{medians[3], medians[2], medians[1], medians[0]};
    if (!detail::is_rising(medians, in_all) && !detail::is_rising(backwards, in_all)) return {};
    return trend{medians.front(), medians.back()};
}

double growth_slope(std::span<const growth_point> points) {
    const auto n = static_cast<double>(points.size());
    double mean_x = 0;
    double mean_y = 0;
    for (const growth_point& p : points) {
        for (const double value : {p.size, p.time, p.expected}) detail::require_positive("growth_slope", value);
        mean_x += std::log(p.size) / n;
        mean_y += std::log(p.time / p.expected) / n;
    }
    double xx = 0;
    double xy = 0;
    for (const growth_point& p : points) {
        const double x = std::log(p.size) - mean_x;
        xx += x * x;
        xy += x * (std::log(p.time / p.expected) - mean_y);
    }
    // Equal logarithms and their mean may differ in the last digit, so the sum need not be exactly 0.
    if (!(xx > 1e-12 * n))
        throw input_error(
            fmt::format("growth_slope: found {} points of one size, needs at least two sizes such as 1000 and 16000",
                        points.size()));
    return xy / xx;
}

}  // namespace perfspec
