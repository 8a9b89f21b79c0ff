// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The settings that a run requests by --perf-with: device, dtype, batch and threads.

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/option_table.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

inline requested_settings requested_settings_of(const plan& p) {
    requested_settings settings;
    for (const auto& [name, values] : parse_axis_filter(p.with).value_or(axis_filter{})) {
        const std::string& value = *values.begin();
        if (name == "device") settings.device = value;
        if (name == "dtype") settings.dtype = value;
        if (name == "batch") settings.batch = whole_number<std::uint32_t>(value);
        if (name == "threads") settings.threads = whole_number<std::uint32_t>(value);
    }
    return settings;
}

/// Whether a value satisfies a requested setting. The device "accelerator" stands for any of the kind, such as
/// "accelerator:1".
inline bool satisfies_request(const std::pair<std::string, std::string>& axis, const std::string& value) {
    const auto& [name, requested] = axis;
    return value == requested ||
           (name == "device" && requested.find(':') == std::string::npos && value.starts_with(requested + ":"));
}

inline const std::string* axis_of(const subject_state& s, const std::string& name) {
    const auto found = std::ranges::find(s.axes, name, &std::pair<std::string, std::string>::first);
    return found == s.axes.end() ? nullptr : &found->second;
}

/// Why an axis that the code declares contradicts the request; empty if it does not. The code's value stays.
inline std::string contradiction(const subject_state& s, const requested_settings& settings) {
    for (const auto& axis : settings.axes()) {
        const std::string* const written = axis_of(s, axis.first);
        if (written != nullptr && !satisfies_request(axis, *written))
            return "this run requests " + axis.first + "=" + axis.second + " by --perf-with, but the code says " +
                   axis.first + "=" + *written + ", which a run cannot change: remove it from the code, or leave " +
                   axis.first + " out of --perf-with";
    }
    return {};
}

/// Declares the requested settings as axes, so each point of a sweep has its own results and baselines.
inline void declare_as_axes(subject& s, const requested_settings& settings) {
    for (const auto& [name, value] : settings.axes()) {
        if (axis_of(s.state(), name) != nullptr) continue;
        s.axis(name, value);
        s.state().settings.push_back(name);
    }
}

/// Lets the adapter apply the settings. Returns why it cannot take one. Throws measurement_failure if the adapter
/// throws, such as for inputs that cannot be moved or repeated.
inline std::string take_settings(const subject& s, const requested_settings& settings) {
    const auto take = s.state().functions->take_settings;
    if (take == nullptr) return {};
    try {
        return take(s, settings);
    } catch (const std::exception& thrown) {
        const std::string text = thrown.what();
        throw measurement_failure(is_lack_of_memory(thrown) ? failure_kind::out_of_memory : failure_kind::setup_threw,
                                  "the settings of this run cannot be applied to \"" + s.state().name +
                                      "\": " + text.substr(0, text.find('\n')));
    }
}

/// Applies the settings to one subject. A claim on it is skipped if it cannot take one.
inline void apply_settings(subject s, const requested_settings& settings) {
    std::string reason = contradiction(s.state(), settings);
    if (reason.empty()) reason = take_settings(s, settings);
    if (s.state().functions->take_settings != nullptr) declare_as_axes(s, settings);
    if (!reason.empty() && s.state().skip_reason.empty()) s.lacks(reason);
}

/// Why subjects would be compared at different settings: one takes a setting and another lacks it. Empty if all do the
/// same.
inline std::string differing_settings(const std::vector<subject>& subjects, const requested_settings& settings) {
    const auto name_of = [](const subject& s) { return "\"" + std::string(s.name()) + "\""; };
    for (const auto& axis : settings.axes()) {
        const auto has_it = [&](const subject& s) { return axis_of(s.state(), axis.first) != nullptr; };
        const auto takes = std::ranges::find_if(subjects, has_it);
        const auto lacks = std::ranges::find_if_not(subjects, has_it);
        if (takes == subjects.end() || lacks == subjects.end()) continue;
        return "this run requests " + axis.first + "=" + axis.second + " by --perf-with, which " + name_of(*takes) +
               " can apply and " + name_of(*lacks) + " cannot: leave " + axis.first + " out of --perf-with, or, if " +
               name_of(*lacks) + " runs that way anyway, declare .axis(\"" + axis.first + "\", \"" + axis.second +
               "\") on it";
    }
    return {};
}

/// Applies the run's settings. All handles of a subject share them.
inline void apply_settings_of_run(claim_context& context) {
    const requested_settings settings = requested_settings_of(context.plan);
    if (settings.axes().empty()) return;
    for (const subject& s : context.subjects) apply_settings(s, settings);
    context.differing_settings = differing_settings(context.subjects, settings);
}

}  // namespace perfspec::inline v0_2::detail
