// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/summary.hpp>
#include <perfspec/stats/trend.hpp>

#include <array>
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

}  // namespace perfspec
