// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/launch/launch_interval.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace perfspec::detail {

centre_interval interval_of_launches(finding& found, std::span<const double> log_values) {
    const centre_interval interval = evidence_interval(log_values);
    if (std::isfinite(interval.low) && std::isfinite(interval.high)) return interval;
    found.evidence.method += "; shown is the range of " + std::to_string(log_values.size()) +
                             " launches: an interval at " + format_percentage(interval.level) + " takes " +
                             std::to_string(centre_interval::minimum) + " at least";
    const auto [low, high] = std::ranges::minmax(log_values);
    return {.low = low, .centre = interval.centre, .high = high, .level = 0.0};
}

estimate estimate_of_launches(finding& found, std::span<const double> log_values) {
    const centre_interval interval = interval_of_launches(found, log_values);
    return {std::exp(interval.centre), std::exp(median(log_values)), std::exp(interval.low), std::exp(interval.high),
            interval.level};
}

}  // namespace perfspec::detail
