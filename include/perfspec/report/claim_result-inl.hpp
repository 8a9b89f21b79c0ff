// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/claim_result.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

namespace perfspec::inline v0_1 {

std::string unit_name(const record& r) { return r.own_unit.empty() ? std::string(base_unit(r.unit)) : r.own_unit; }

const char* to_string(waiver_effect e) noexcept {
    constexpr const char* words[] = {"waived", "not needed", "too far", "expired"};
    return words[static_cast<std::size_t>(e)];
}

const char* to_string(baseline_action a) noexcept {
    constexpr const char* words[] = {"compared", "recorded",          "recorded anew",   "appended", "kept",
                                     "refused",  "would be recorded", "reference build", "new"};
    return words[static_cast<std::size_t>(a)];
}

}  // namespace perfspec::inline v0_1

namespace perfspec::inline v0_1::detail {

claim_result judged(claim_result result, judgement outcome) {
    result.verdict = outcome.verdict;
    if (!outcome.reason.empty()) result.reason = std::move(outcome.reason);
    append(result.advice, std::move(outcome.advice));
    if (outcome.failure) result.failure = outcome.failure;
    return result;
}

disturbances joined(disturbances all, const disturbances& part) {
    all.load = std::max(all.load, part.load);
    all.cores = std::max(all.cores, part.cores);
    all.runnable = std::max(all.runnable, part.runnable);
    all.lengthened = std::max(all.lengthened, part.lengthened);  // both sides of a tolerance share launches
    all.others_cores = std::max(all.others_cores, part.others_cores);
    all.steal_seconds += part.steal_seconds;
    all.waited_seconds += part.waited_seconds;
    all.interrupted += part.interrupted;
    all.interrupted_seconds += part.interrupted_seconds;
    all.excluded += part.excluded;
    all.working_share = std::min(all.working_share, part.working_share);
    all.page_faults += part.page_faults;
    if (part.frequency_mhz > 0.0 && std::abs(part.frequency_change) >= std::abs(all.frequency_change)) {
        all.frequency_change = part.frequency_change;
        all.frequency_mhz = part.frequency_mhz;
    }
    for (const device_activity& activity : part.devices) {
        const auto found = std::ranges::find(all.devices, activity.device, &device_activity::device);
        if (found == all.devices.end()) all.devices.push_back(activity);
        else if (activity.slowdown > found->slowdown || found->text.empty()) *found = activity;
    }
    all.slowed_device = std::max(all.slowed_device, part.slowed_device);
    for (const std::string& note : part.notes)
        if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(note);
    return all;
}

bool has_waited(const claim_result& result) noexcept {
    constexpr double parts = 20.0;
    return parts * result.disturbed.waited_seconds > result.evidence.seconds;
}

/// Fills the empty fields of `after` from `before`.
inline evidence_counts joined(const evidence_counts& before, evidence_counts after) {
    const auto complete = [](auto& field, const auto& value) {
        if (field == std::remove_cvref_t<decltype(field)>{}) field = value;
    };
    complete(after.method, before.method);
    complete(after.rounds, before.rounds);
    complete(after.launches, before.launches);
    complete(after.seconds, before.seconds);
    complete(after.starting_seconds, before.starting_seconds);
    complete(after.budget_seconds, before.budget_seconds);
    complete(after.seed, before.seed);
    return after;
}

claim_result joined(const claim_result& before, claim_result after) {
    after.on_request = after.on_request || before.on_request;
    after.advice = joined(before.advice, std::move(after.advice));
    after.notes = joined(before.notes, std::move(after.notes));
    after.disturbed = joined(before.disturbed, after.disturbed);
    after.evidence = joined(before.evidence, std::move(after.evidence));
    if (!after.estimate) after.estimate = before.estimate;
    if (after.parts.empty()) after.parts = before.parts;
    if (!after.bound) after.bound = before.bound;
    if (after.bound_text.empty()) after.bound_text = before.bound_text;
    if (after.subjects.empty()) after.subjects = before.subjects;
    if (after.workers.empty()) after.workers = before.workers;
    if (!after.baseline) after.baseline = before.baseline;
    if (!after.verified) after.verified = before.verified;
    return after;
}

bool are_launches_lengthened(const claim_result& result) {
    constexpr std::size_t one_in = 4;
    return one_in * result.disturbed.lengthened > result.evidence.launches;
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
    for (const device_activity& activity : result.disturbed.devices)
        if (activity.slowdown > 1.0) all += activity.text + ", ";
    return all + "in " + std::to_string(result.disturbed.slowed_device) + " of " +
           counted(result.evidence.launches, "launch");
}

std::string lengthening_text(const claim_result& result) {
    return "other work lengthened " + std::to_string(result.disturbed.lengthened) + " of " +
           counted(result.evidence.launches, "launch") + ": up to " + std::to_string(result.disturbed.runnable) +
           " threads wanted to run on " + counted(static_cast<std::size_t>(result.disturbed.cores), "core");
}

}  // namespace perfspec::inline v0_1::detail
