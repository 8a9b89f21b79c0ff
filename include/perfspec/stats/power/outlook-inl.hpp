// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/power/outlook.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfspec {

namespace detail {

/// How many more differences a log e-value needs to reach its threshold at its mean rate of growth, but at least those
/// up to the first look. Infinite where it does not grow.
[[nodiscard]] inline double further_to(double log_e, double log_threshold, const test_progress& test) noexcept {
    if (log_e <= 0) return std::numeric_limits<double>::infinity();
    const auto n = static_cast<double>(test.size - test.without_evidence);
    const auto to_first_look = static_cast<double>(test.settings.first_look) - static_cast<double>(test.size);
    return std::max({1.0, to_first_look, std::ceil((log_threshold - log_e) * n / log_e)});
}

}  // namespace detail

outlook extrapolate(const test_progress& test, std::size_t reach) {
    if (test.decided != decision::none) return {test.decided, 0};

    const double to_violated = detail::further_to(test.log_e_violated, test.log_threshold_violated, test);
    const double to_holds = detail::further_to(test.log_e_holds, test.log_threshold_holds, test);
    const double left = static_cast<double>(reach) - static_cast<double>(test.size);
    const double soonest = std::min(to_violated, to_holds);
    if (soonest > left) return {};
    return {to_violated <= to_holds ? decision::violated : decision::holds, static_cast<std::size_t>(soonest)};
}

}  // namespace perfspec
