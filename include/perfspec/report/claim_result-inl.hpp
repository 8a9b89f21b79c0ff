// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/record_fields.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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
/// The rules by which a later part of a result completes an earlier one, by the types of fields.
struct completed {
    template <class T> static void field(std::optional<T>& after, const std::optional<T>& before) {
        if (!after) after = before;
    }
    template <class T> static void field(std::vector<T>& after, const std::vector<T>& before) {
        if (after.empty()) after = before;
    }
    static void field(std::vector<std::string>& after, const std::vector<std::string>& before) {
        after = joined(before, std::move(after));  // notes and advice
    }
    static void field(std::string& after, const std::string& before) {
        if (after.empty()) after = before;
    }
    static void field(bool& after, bool before) { after = after || before; }
    static void field(disturbances& after, const disturbances& before) { after = joined(before, after); }
    static void field(evidence_counts& after, const evidence_counts& before) { after = all(std::move(after), before); }
    // The judgement is that of the later part, and so are its unit and margin.
    static void field(verdict&, verdict) {}
    static void field(dimension&, dimension) {}
    static void field(double&, double) {}

    /// The numbers that the later part lacks are those of the earlier one. Whether it is exact, the later part knows.
    static evidence_counts all(evidence_counts after, const evidence_counts& before) {
        const auto complete = [&]<class Member>(const detail::field<evidence_counts, Member>& f) {
            if constexpr (!std::is_same_v<Member, bool>)
                if (after.*f.member == Member{}) after.*f.member = before.*f.member;
        };
        std::apply([&](const auto&... fields) { (complete(fields), ...); }, fields_of<evidence_counts>);
        return after;
    }
};

claim_result joined(const claim_result& before, claim_result after) {
    const auto complete = [&]<class T, class Member>(const field<T, Member>& f) {
        if constexpr (std::is_same_v<T, claim_result>) completed::field(after.*f.member, before.*f.member);
    };
    std::apply([&](const auto&... fields) { (complete(fields), ...); }, fields_of<record>);
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
