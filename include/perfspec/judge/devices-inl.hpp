// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/judge/devices.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/session/session.hpp>

#include <algorithm>

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

}  // namespace perfspec::detail
