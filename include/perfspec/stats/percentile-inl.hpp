// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/percentile.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace perfspec {

namespace detail {

inline void require_percentile_level(double level) {
    if (level >= lowest_percentile_level && level <= highest_percentile_level) return;
    throw input_error("percentile: found the level " + number_text(level) +
                      ", needs one from 0.5 to 0.995 such as 0.99; a rarer one needs more iterations than a run takes");
}

/// level * n, without the rounding error that keeps .57 * 100 from being 57.
[[nodiscard]] inline double exact_position(double level, std::size_t n) noexcept {
    const double position = level * static_cast<double>(n);
    const double whole = std::round(position);
    return std::abs(position - whole) < 1e-9 * static_cast<double>(n) ? whole : position;
}

}  // namespace detail

double percentile_of(std::span<const double> values, double level) {
    detail::require_percentile_level(level);
    detail::require_sample("percentile_of", values);
    std::vector<double> ordered(values.begin(), values.end());
    const double position = detail::exact_position(level, ordered.size());
    const double order = std::ceil(position);  // ranks start at 1
    const auto at = ordered.begin() + static_cast<std::ptrdiff_t>(order) - 1;
    std::nth_element(ordered.begin(), at, ordered.end());
    if (position != order) return *at;
    return std::midpoint(
        *at, *std::min_element(at + 1, ordered.end()));  // with a level below 1 at least one value follows `at`
}

std::size_t percentile_block(double level) {
    detail::require_percentile_level(level);
    constexpr double least = 100;
    return static_cast<std::size_t>(std::max(least, std::ceil(1 / (1 - level) - 1e-9)));
}

}  // namespace perfspec
