// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/claim_result.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace perfspec {

std::string unit_name(const record& r) { return r.own_unit.empty() ? std::string(base_unit(r.unit)) : r.own_unit; }

const char* to_string(waiver_effect e) noexcept {
    switch (e) {
    case waiver_effect::waived: return "waived";
    case waiver_effect::not_needed: return "not needed";
    case waiver_effect::too_far: return "too far";
    case waiver_effect::expired: return "expired";
    }
    return "unknown";
}

const char* to_string(baseline_action a) noexcept {
    switch (a) {
    case baseline_action::compared: return "compared";
    case baseline_action::recorded: return "recorded";
    case baseline_action::recorded_anew: return "recorded anew";
    case baseline_action::appended: return "appended";
    case baseline_action::kept: return "kept";
    case baseline_action::refused: return "refused";
    case baseline_action::reference_build: return "reference build";
    case baseline_action::is_new: return "new";
    case baseline_action::would_be_recorded: break;
    }
    return "would be recorded";
}

}  // namespace perfspec

namespace perfspec::detail {

void add_disturbances(claim_result& result, const disturbances& part) {
    disturbances& all = result.disturbed;
    all.load = std::max(all.load, part.load);
    all.cores = std::max(all.cores, part.cores);
    all.runnable = std::max(all.runnable, part.runnable);
    all.overcommitted = std::max(all.overcommitted, part.overcommitted);  // both sides of a tolerance share launches
    all.steal_seconds += part.steal_seconds;
    all.involuntary_switches += part.involuntary_switches;
    all.page_faults += part.page_faults;
    all.migrations += part.migrations;
    if (std::abs(part.frequency_change) >= std::abs(all.frequency_change)) {
        all.frequency_change = part.frequency_change;
        all.frequency_mhz = part.frequency_mhz;
    }
    for (const device_activity& seen : part.devices) {
        const auto known = std::ranges::find(all.devices, seen.device, &device_activity::device);
        if (known == all.devices.end()) all.devices.push_back(seen);
        else if (seen.slowdown > known->slowdown || known->text.empty()) *known = seen;
    }
    all.slowed_device = std::max(all.slowed_device, part.slowed_device);
    for (const std::string& note : part.notes)
        if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(note);
}

bool are_launches_overcommitted(const claim_result& result) {
    constexpr std::size_t one_in = 4;
    return one_in * result.disturbed.overcommitted > result.evidence.launches;
}

double slowdown_of(const std::vector<device_activity>& devices) {
    double largest = 1.0;
    for (const device_activity& each : devices) largest = std::max(largest, each.slowdown);
    return largest;
}

bool are_devices_slowed(const claim_result& result) {
    constexpr std::size_t one_in = 4;
    return one_in * result.disturbed.slowed_device > result.evidence.launches;
}

std::string slowed_device_text(const claim_result& result) {
    std::string all;
    for (const device_activity& seen : result.disturbed.devices)
        if (seen.slowdown > 1.0) all += seen.text + ", ";
    return all + "in " + std::to_string(result.disturbed.slowed_device) + " of " +
           counted(result.evidence.launches, "launch");
}

std::string overcommitment_text(const claim_result& result) {
    return "up to " + std::to_string(result.disturbed.runnable) + " threads wanted to run on " +
           counted(static_cast<std::size_t>(result.disturbed.cores), "core") + ", in " +
           std::to_string(result.disturbed.overcommitted) + " of " + counted(result.evidence.launches, "launch") +
           " more than two a core";
}

}  // namespace perfspec::detail
