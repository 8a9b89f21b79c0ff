// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/growth.hpp>

#include <cmath>
#include <string>

namespace perfspec {

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
    if (!(xx > 1e-12 * n)) {
        throw input_error("growth_slope: found " + std::to_string(points.size()) +
                          " points of one size, needs at least two sizes such as 1000 and 16000");
    }
    return xy / xx;
}

}  // namespace perfspec
