// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/power/detectable_effect.hpp>
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
    const summary shape = summarize(logarithms);
    const double spread = mad_to_standard_deviation * shape.mad;
    const double seen = 4 * spread;
    return {spread, std::expm1(std::max(seen, shape.maximum - shape.median)), -std::expm1(-std::max(seen, shape.median - shape.minimum))};
}

}  // namespace perfspec
