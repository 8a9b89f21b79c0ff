// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/record_fields.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

std::string unit_name(const record& r) { return r.own_unit.empty() ? std::string(base_unit(r.unit)) : r.own_unit; }

const char* to_string(waiver_effect e) noexcept {
    constexpr const char* words[] = {"waived", "not needed", "too far", "expired"};
    return words[static_cast<std::size_t>(e)];
}

const char* to_string(baseline_action a) noexcept {
    constexpr const char* words[] = {"compared", "recorded",          "updated",        "appended", "kept",
                                     "refused",  "would be recorded", "baseline build", "new"};
    return words[static_cast<std::size_t>(a)];
}

}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

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
    all.lengthened = std::max(all.lengthened, part.lengthened);  // both sides of a tolerance share processes
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

/// How a field of an earlier part completes that of a later one, by its type. Those of other types are
/// the later part's.
template <class T> void complete(std::optional<T>& after, const std::optional<T>& before) {
    if (!after) after = before;
}
template <class T> void complete(std::vector<T>& after, const std::vector<T>& before) {
    if (after.empty()) after = before;
}
inline void complete(std::vector<std::string>& after, const std::vector<std::string>& before) {
    after = joined(before, std::move(after));  // notes and advice
}
inline void complete(std::string& after, const std::string& before) {
    if (after.empty()) after = before;
}
inline void complete(bool& after, bool before) { after = after || before; }
inline void complete(disturbances& after, const disturbances& before) { after = joined(before, after); }
inline void complete(evidence_counts& after, const evidence_counts& before) {
    const auto number = [](auto& value, const auto& earlier) {
        if (value == std::remove_cvref_t<decltype(value)>{}) value = earlier;
    };
    complete(after.method, before.method);
    number(after.rounds, before.rounds);
    number(after.processes, before.processes);
    number(after.seconds, before.seconds);
    number(after.starting_seconds, before.starting_seconds);
    number(after.budget_seconds, before.budget_seconds);
    number(after.seed, before.seed);
}

/// The fields of a judgement, which is that of the later part.
inline constexpr std::string_view fields_of_judgement[] = {"verdict", "reason", "failure", "unit", "margin"};

claim_result joined(const claim_result& before, claim_result after) {
    const auto complete_field = [&]<class T, class Member>(const field<T, Member>& f) {
        constexpr bool has_rule = std::is_same_v<T, claim_result> && requires {
            complete(after.*f.member, before.*f.member);
        };
        if constexpr (has_rule)
            if (std::ranges::find(fields_of_judgement, f.name) == std::end(fields_of_judgement))
                complete(after.*f.member, before.*f.member);
    };
    std::apply([&](const auto&... fields) { (complete_field(fields), ...); }, fields_of<record>);
    return after;
}

bool are_processes_lengthened(const claim_result& result) {
    constexpr std::size_t one_in = 4;
    return one_in * result.disturbed.lengthened > result.evidence.processes;
}

double slowdown_of(const std::vector<device_activity>& devices) {
    double largest = 1.0;
    for (const device_activity& each : devices) largest = std::max(largest, each.slowdown);
    return largest;
}

bool are_devices_slowed(const claim_result& result) {
    constexpr std::size_t one_in = 4;
    return one_in * result.disturbed.slowed_device > result.evidence.processes;
}

std::string slowed_device_text(const claim_result& result) {
    std::string all;
    for (const device_activity& activity : result.disturbed.devices)
        if (activity.slowdown > 1.0) all += activity.text + ", ";
    return all + "in " + std::to_string(result.disturbed.slowed_device) + " of " +
           counted(result.evidence.processes, "process");
}

std::string lengthening_text(const claim_result& result) {
    return "other work lengthened " + std::to_string(result.disturbed.lengthened) + " of " +
           counted(result.evidence.processes, "process") + ": up to " + std::to_string(result.disturbed.runnable) +
           " threads wanted to run on " + counted(static_cast<std::size_t>(result.disturbed.cores), "core");
}

}  // namespace perfspec::inline v0_2::detail
