// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/detectable_effect.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace perfspec {

namespace detail {

inline void require_positive(std::span<const double> launches) {
    for (const double launch : launches)
        if (!(launch > 0))
            throw input_error("detectable_from: found the launch value " + number_text(launch) +
                              ", needs positive ones; counts that reach 0 compare exactly and have no spread to report");
}

}  // namespace detail

detectable_effect detectable_from(std::span<const double> launches) {
    detail::require_sample("detectable_from", launches);
    if (std::adjacent_find(launches.begin(), launches.end(), std::not_equal_to<>()) == launches.end()) return {};
    detail::require_positive(launches);

    std::vector<double> logarithms(launches.size());
    std::transform(launches.begin(), launches.end(), logarithms.begin(), [](double v) { return std::log(v); });
    const double spread = mad_to_standard_deviation * summarize(logarithms).mad;
    const double seen = 4 * spread;
    const auto [lowest, highest] = std::ranges::minmax(logarithms);
    const double middle = summarize(logarithms).median;
    return {spread, std::expm1(std::max(seen, highest - middle)), -std::expm1(-std::max(seen, middle - lowest))};
}

}  // namespace perfspec
