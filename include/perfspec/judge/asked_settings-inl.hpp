// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What a run asks of subjects by --perf-with: their device, dtype, batch and threads.

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/language/subjects/asked_settings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/option_text.hpp>
#include <perfspec/process/printable.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

inline asked_settings settings_asked_by(const plan& p) {
    asked_settings asked;
    for (const auto& [name, values] : parse_axis_filter(p.with).value_or(axis_filter{})) {
        const std::string& value = *values.begin();
        if (name == "device") asked.device = value;
        if (name == "dtype") asked.dtype = value;
        if (name == "batch") asked.batch = whole_number<std::uint32_t>(value);
        if (name == "threads") asked.threads = whole_number<std::uint32_t>(value);
    }
    return asked;
}

/// Whether a subject has what is asked. Device "cuda" asks for any of the kind, such as "cuda:1".
inline bool is_what_is_asked(const std::pair<std::string, std::string>& context, const std::string& value) {
    const auto& [name, wanted] = context;
    return value == wanted ||
           (name == "device" && wanted.find(':') == std::string::npos && value.starts_with(wanted + ":"));
}

inline const std::string* axis_of(const subject_state& s, const std::string& name) {
    const auto found = std::ranges::find(s.axes, name, &std::pair<std::string, std::string>::first);
    return found == s.axes.end() ? nullptr : &found->second;
}

/// Why what the code says of a subject is not what is asked; empty where both agree, or the code says nothing. The
/// code's value stays.
inline std::string contradiction(const subject_state& s, const asked_settings& context) {
    for (const auto& axis : context.axes()) {
        const std::string* const written = axis_of(s, axis.first);
        if (written != nullptr && !is_what_is_asked(axis, *written))
            return "this run asks for " + axis.first + "=" + axis.second + " (--perf-with), and the code says " +
                   axis.first + "=" + *written + ", which stays: leave it out of the code, or out of the run";
    }
    return {};
}

/// Declares what is asked as axes, which keep the results and baselines of each point of a sweep apart.
inline void declare_asked(subject& s, const asked_settings& context) {
    for (const auto& [name, value] : context.axes()) {
        if (axis_of(s.state(), name) != nullptr) continue;
        s.axis(name, value);
        s.state().settings.push_back(name);
    }
}

/// Has the adapter apply what is asked. Throws measurement_failure where that throws, such as for inputs that cannot be
/// moved or repeated.
inline std::string take_settings(const subject& s, const asked_settings& context) {
    const auto take = s.state().functions->take_settings;
    if (take == nullptr) return {};
    try {
        return take(s, context);
    } catch (const std::exception& thrown) {
        const std::string text = thrown.what();
        throw measurement_failure(speaks_of_memory(text) ? failure_kind::out_of_memory : failure_kind::setup_threw,
                                  "the settings of this run cannot be applied to \"" + s.state().name +
                                      "\": " + text.substr(0, text.find('\n')));
    }
}

/// Asks one subject. It is not judged where it cannot take a setting.
inline void ask_subject(subject s, const asked_settings& context) {
    std::string reason = contradiction(s.state(), context);
    if (reason.empty()) reason = take_settings(s, context);
    if (s.state().functions->take_settings != nullptr) declare_asked(s, context);
    if (!reason.empty() && s.state().not_judged_reason.empty()) s.lacks(reason);
}

/// Why subjects would be compared at unlike settings: one takes what is asked, and another has nothing of the kind.
/// Empty if none would.
inline std::string unlike_settings(const std::vector<subject>& subjects, const asked_settings& context) {
    const auto name_of = [](const subject& s) { return "\"" + std::string(s.name()) + "\""; };
    for (const auto& axis : context.axes()) {
        const auto has_it = [&](const subject& s) { return axis_of(s.state(), axis.first) != nullptr; };
        const auto takes = std::ranges::find_if(subjects, has_it);
        const auto lacks = std::ranges::find_if_not(subjects, has_it);
        if (takes == subjects.end() || lacks == subjects.end()) continue;
        return "this run asks for " + axis.first + "=" + axis.second + " (--perf-with), which " + name_of(*takes) +
               " takes and " + name_of(*lacks) + " does not: leave it out, or where " + name_of(*lacks) +
               " runs so, declare .axis(\"" + axis.first + "\", \"" + axis.second + "\")";
    }
    return {};
}

/// Applies the run's settings to the subjects themselves: all handles of one share them.
inline void ask_subjects(claim_context& q) {
    const asked_settings context = settings_asked_by(q.plan);
    if (context.axes().empty()) return;
    for (const subject& s : q.subjects) ask_subject(s, context);
    q.unlike_settings = unlike_settings(q.subjects, context);
}

}  // namespace perfspec::detail
