// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/gpu/gpu_activity.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace perfspec::detail {

void add_activity(gpu_activity& all, const gpu_activity& part) {
    const double sm_mhz =
        all.sm_mhz > 0.0 && part.sm_mhz > 0.0 ? std::min(all.sm_mhz, part.sm_mhz) : std::max(all.sm_mhz, part.sm_mhz);
    all.sm_mhz = sm_mhz;
    all.max_sm_mhz = std::max(all.max_sm_mhz, part.max_sm_mhz);
    all.celsius = std::max(all.celsius, part.celsius);
    all.watts = std::max(all.watts, part.watts);
    all.watts_limit = std::max(all.watts_limit, part.watts_limit);
    all.heat_seconds += part.heat_seconds;
    all.power_seconds += part.power_seconds;
    all.others = std::max(all.others, part.others);
    all.slowdown = std::max(all.slowdown, part.slowdown);
    for (const std::string& reason : part.slowed_by)
        if (std::ranges::find(all.slowed_by, reason) == all.slowed_by.end()) all.slowed_by.push_back(reason);
}

double slowdown_of(const std::vector<gpu_activity>& gpus) {
    double largest = 1.0;
    for (const gpu_activity& each : gpus) largest = std::max(largest, each.slowdown);
    return largest;
}

std::string activity_text(const gpu_activity& seen) {
    std::vector<std::string> parts;
    if (!seen.slowed_by.empty()) parts.push_back(fmt::format("slowed down by {}", fmt::join(seen.slowed_by, " and ")));
    if (!seen.slowed_by.empty() && seen.max_sm_mhz > 0.0)
        parts.push_back(fmt::format("{:.0f} of {:.0f} MHz", seen.sm_mhz, seen.max_sm_mhz));
    if (!seen.slowed_by.empty() && seen.celsius > 0.0) parts.push_back(fmt::format("{:.0f} degrees", seen.celsius));
    if (!seen.slowed_by.empty() && seen.watts_limit > 0.0)
        parts.push_back(fmt::format("{:.0f} of {:.0f} W", seen.watts, seen.watts_limit));
    if (seen.others > 0) parts.push_back("used by " + counted(seen.others, "other process"));
    if (parts.empty()) return {};
    return fmt::format("{} {}", seen.device, fmt::join(parts, ", "));
}

}  // namespace perfspec::detail
