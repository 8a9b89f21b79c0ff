// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/device_watch.hpp>

#include <perfspec/judge/devices.hpp>
#include <perfspec/judge/notes.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/session/session.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace perfspec::detail {

std::vector<std::unique_ptr<device_watch>> watch_devices(const claim_context& context) {
    std::vector<std::unique_ptr<device_watch>> watches;
    device_machine* const devices = context.run.system().devices;
    if (devices == nullptr) return watches;
    for (const std::string& device : devices_of(context.subjects))
        if (auto watch = devices->watch(device)) watches.push_back(std::move(watch));
    return watches;
}

/// What it means for the verdict.
[[nodiscard]] inline std::string consequence_of(const claim_context& context, const device_activity& seen) {
    if (seen.slowdown <= 1.0)
        return "its clock follows the work, in every run; steady times need a locked clock that the limit allows (--perf-doctor says how)";
    const std::string times =
        fmt::format("times are up to {:.2f} times longer than those of the device alone", seen.slowdown);
    if (context.is_relative()) return times + ", of both sides of the comparison alike";
    if (!context.is_against_baseline()) return times + ", and the bound is compared with them as they are";
    return times + "; a claim on baseline() is not violated by less than that, and none is recorded";
}

void describe_devices(const claim_context& context, claim_result& result,
                      const std::vector<std::unique_ptr<device_watch>>& watches) {
    for (const auto& watch : watches) {
        const device_activity seen = watch->activity();
        if (seen.device.empty()) continue;
        add_disturbances(result, {.devices = {seen}});
        if (!seen.text.empty())
            add_note(context, result, "activity of " + seen.device, seen.text + ": " + consequence_of(context, seen));
    }
}

/// What the watch said of a device that was slowed down; none where nothing was, or an earlier claim has said it.
[[nodiscard]] inline std::vector<std::string>::iterator note_of_slow_device(claim_result& result,
                                                                            const std::string& device) {
    return std::ranges::find_if(result.notes,
                                [&](const std::string& note) { return note.starts_with(device + " slowed down by "); });
}

[[nodiscard]] inline bool is_shared(const claim_result& result, const std::string& device) {
    return std::ranges::any_of(result.disturbed.devices,
                               [&](const device_activity& each) { return each.device == device && each.others > 0; });
}

inline void note_slow_samples_on(const claim_context& context, claim_result& result, const std::string& device,
                                 const slow_samples& slow) {
    const auto note = note_of_slow_device(result, device);
    const bool is_seen = note != result.notes.end();
    const std::string activity = is_seen ? note->substr(0, note->find(": ")) : std::string();
    if (slow.end_claim && is_seen) {
        result.reason += "; meanwhile " + activity;
        result.notes.erase(note);
    }
    if (result.verdict == verdict::invalid) return;  // its reason says it, or has nothing to do with it
    if (!is_seen) return add_note(context, result, "slow samples on " + device, slow.text);
    // Samples that were discarded are no part of the times, so what the watch says of these does not apply. Other
    // processes slow down all samples.
    *note = (is_shared(result, device) ? *note + "; " : activity + ": ") + slow.text;
}

void note_slow_samples(const claim_context& context, claim_result& result) {
    std::map<std::string, slow_samples> on;  // each device
    for (const subject& x : context.subjects) {
        if (x.state().tell_slow_samples == nullptr) continue;
        const slow_samples slow = x.state().tell_slow_samples(x.storage());
        if (slow.text.empty()) continue;
        slow_samples& all = on[x.state().device];
        all.text += (all.text.empty() ? "" : "; ") + ("\"" + x.state().name + "\": " + slow.text);
        all.end_claim = all.end_claim || slow.end_claim;
    }
    for (const auto& [device, slow] : on) note_slow_samples_on(context, result, device, slow);
}

void note_unwatched_devices(const claim_context& context, claim_result& result) {
    device_machine* const devices = context.run.system().devices;
    if (context.is_child() || context.plan.mode == evaluation_mode::dry_run || devices == nullptr)
        return;  // a parent tells it for its children
    for (const std::string& device : devices_of(context.subjects)) {
        std::string reason = devices->reason_unwatched(device);
        if (!reason.empty() && context.run.is_first_note({}, "unwatched devices"))
            result.notes.push_back(std::move(reason));
    }
}

}  // namespace perfspec::detail
