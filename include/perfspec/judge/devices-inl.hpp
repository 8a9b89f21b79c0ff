// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/judge/devices.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/session/session.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace perfspec::detail {

/// Adds a text that is not there yet.
inline void add_once(std::vector<std::string>& all, const std::string& text) {
    if (std::ranges::find(all, text) == all.end()) all.push_back(text);
}

std::vector<std::string> devices_of(const std::vector<subject>& subjects) {
    std::vector<std::string> all;
    for (const subject& x : subjects)
        if (!x.state().device.empty()) add_once(all, x.state().device);
    return all;
}

std::string hardware_key_of(const claim_context& context) {
    if (is_same_on_all_hardware(context.query.metric)) return any_hardware_key();
    std::vector<std::string> keys;
    for (const subject& x : context.subjects) {
        const std::string& device = x.state().device;
        add_once(keys, device.empty() ? context.run.hardware_key() : context.run.device(device).hardware_key);
    }
    if (keys.empty()) return context.run.hardware_key();
    std::string joined = keys.front();
    for (std::size_t i = 1; i < keys.size(); ++i) joined += "-and-" + keys[i];
    return joined;
}

void require_known_devices(const claim_context& context) {
    if (!context.is_against_baseline() || is_same_on_all_hardware(context.query.metric)) return;
    for (const std::string& device : devices_of(context.subjects)) {
        const device_facts& known = context.run.device(device);
        if (known.fault.empty()) continue;
        throw measurement_failure(failure_kind::unavailable,
                                  "which model of device \"" + device + "\" is cannot be told (" + known.fault +
                                      "), so a baseline may be of another one: compare two subjects, or bound "
                                      "the claim by a number");
    }
}

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

std::vector<device_activity> activities_of(const std::vector<std::unique_ptr<device_watch>>& watches) {
    std::vector<device_activity> all;
    for (const auto& watch : watches)
        if (device_activity seen = watch->activity(); !seen.device.empty()) all.push_back(std::move(seen));
    return all;
}

std::vector<std::string> notes_of_devices(const claim_context& context, const std::vector<device_activity>& devices) {
    std::vector<std::string> notes;
    for (const device_activity& seen : devices)
        if (!seen.text.empty())
            append(notes,
                   note_once(context, "activity of " + seen.device, seen.text + ": " + consequence_of(context, seen)));
    return notes;
}

std::vector<std::string> note_of_unwatched_devices(const claim_context& context) {
    device_machine* const devices = context.run.system().devices;
    if (context.is_child() || context.plan.mode == evaluation_mode::dry_run || devices == nullptr)
        return {};  // a parent tells it for its children
    std::vector<std::string> notes;
    for (const std::string& device : devices_of(context.subjects)) {
        std::string reason = devices->reason_unwatched(device);
        if (!reason.empty() && context.run.is_first_note({}, "unwatched devices")) notes.push_back(std::move(reason));
    }
    return notes;
}

}  // namespace perfspec::detail
