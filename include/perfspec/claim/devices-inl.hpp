// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/claim/devices.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/session/session.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

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
    return keys.empty() ? context.run.hardware_key() : fmt::format("{}", fmt::join(keys, "-and-"));
}

void require_known_devices(const claim_context& context) {
    if (!context.is_against_baseline() || is_same_on_all_hardware(context.query.metric)) return;
    for (const std::string& device : devices_of(context.subjects)) {
        const device_facts& facts = context.run.device(device);
        if (facts.fault.empty()) continue;
        throw measurement_failure(failure_kind::unavailable,
                                  "the model of device \"" + device + "\" is unknown (" + facts.fault +
                                      "), so a baseline may come from another model: compare two subjects, or bound "
                                      "the claim by a number");
    }
}

std::vector<std::string> note_of_unwatched_devices(const claim_context& context) {
    device_machine* const devices = context.run.system().devices;
    if (context.is_child() || context.plan.mode == evaluation_mode::dry_run || devices == nullptr)
        return {};  // a parent notes it for its children
    std::vector<std::string> notes;
    for (const std::string& device : devices_of(context.subjects)) {
        std::string reason = devices->reason_unwatched(device);
        if (!reason.empty() && context.run.is_first_note({}, "unwatched devices")) notes.push_back(std::move(reason));
    }
    return notes;
}

}  // namespace perfspec::inline v0_2::detail
