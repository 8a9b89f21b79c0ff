// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The operators that are stored with the launches of a model, and those of a later run beside them.

#include <perfspec/baseline/operator_profile.hpp>
#include <perfspec/explain/operator_loads-inl.hpp>
#include <perfspec/judge/against_baseline/find_baseline.hpp>
#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/judge/commands.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace perfspec::detail {

inline constexpr const char* other_operators = "other operators";

[[nodiscard]] inline bool is_on_times(const claim_context& context) {
    const metric_kind m = context.query.metric;
    return m == metric_kind::latency || m == metric_kind::cpu_time || m == metric_kind::device_time;
}

/// Whether the claim compares the time of one subject with stored launches.
[[nodiscard]] inline bool stores_operators(const claim_context& context) {
    return is_on_times(context) && context.is_against_baseline() && context.plan.against.empty() &&
           !context.is_of_outputs && !context.is_child() && context.subjects.size() == 1;
}

/// What these times depend on besides machine and subject.
inline std::string settings_of(const claim_context& context, const profiled_rounds& profiled) {
    if (profiled.use_a_device()) return "times of the device";
    const auto own = std::ranges::find(context.axes, "threads", &std::pair<std::string, std::string>::first);
    if (own != context.axes.end()) return own->second + (own->second == "1" ? " thread" : " threads");
    const operator_recorder* const recorder = context.run.system().counts.operators();
    return recorder == nullptr ? std::string() : recorder->settings();
}

/// The longest operators by name, and the sum of the others.
inline std::optional<operator_profile> profile_of(const operator_loads& loads, std::string settings) {
    operator_profile profile{.settings = std::move(settings)};
    for (const std::string& name :
         sorted_names(loads, [&](const std::string& n) { return load_of(loads, n).self_ns; })) {
        const operator_load load = load_of(loads, name);
        const bool has_room = profile.longest.size() < operator_profile::max_operators;
        if (has_room && !name.empty() && is_utf8(name)) profile.longest.push_back({name, load.self_ns, load.calls});
        else profile.others_ns += load.self_ns;
    }
    if (profile.longest.empty()) return {};
    return profile;
}

/// Records the operators of the claim's subject; nothing where it is no model. A failure leaves the launches as they
/// are.
inline std::optional<operator_profile> record_operators_to_store(const claim_context& context, claim_result& result) {
    if (!stores_operators(context)) return {};
    try {
        const operator_recording record = recording_of_seen(context, context.subjects[0]);
        if (!record) return {};
        const machine_scope machine(context, result);
        const profiled_rounds profiled = record_rounds(context, {record}).front();
        return profile_of(median_loads(profiled), settings_of(context, profiled));
    } catch (const std::exception& failure) {
        result.advice.push_back(std::string("its operators could not be recorded: ") + failure.what());
        return {};
    }
}

/// The stored operators as a subject. Those that are not stored by name are one row.
inline loaded_subject subject_of(const operator_profile& stored) {
    loaded_subject base{.name = "the baseline", .loads = {}, .has_all = stored.others_ns == 0.0};
    for (const profiled_operator& o : stored.longest) base.loads[o.name] = {o.self_ns, o.calls};
    if (!base.has_all) base.loads[other_operators] = {stored.others_ns, 0.0};
    return base;
}

/// Sums up the operators of `x` that may be among the others of the stored ones: those without a stored row that are as
/// short.
inline void sum_up_others(loaded_subject& x, const operator_profile& stored) {
    if (stored.others_ns == 0.0) return;
    double shortest = std::numeric_limits<double>::infinity();
    operator_loads known;
    for (const profiled_operator& o : stored.longest) {
        shortest = std::min(shortest, o.self_ns);
        known[o.name] = {};
    }
    double others = 0.0;
    for (const auto& [name, load] : x.loads)
        if (!known.contains(name) && load.self_ns <= shortest) others += load.self_ns;
    std::erase_if(x.loads,
                  [&](const auto& each) { return !known.contains(each.first) && each.second.self_ns <= shortest; });
    x.loads[other_operators] = {others, 0.0};
}

/// Whether all operators that matter grew by about the same factor, and none is called more often. The code is rarely
/// the reason then.
inline bool grew_alike(const loaded_subject& base, const loaded_subject& x) {
    constexpr double least_growth = 0.05, share_that_matters = 0.02;
    constexpr std::size_t least_operators = 3;
    if (!(base.sum() > 0.0)) return false;
    const double growth = x.sum() / base.sum() - 1.0;
    if (growth < least_growth) return false;
    std::size_t alike = 0;
    for (const auto& [name, load] : united(base, x)) {
        const double before = base.self_ns(name), now = x.self_ns(name);
        if (std::max(before, now) < share_that_matters * base.sum()) continue;
        const bool is_alike = now - before >= before * growth / 2.0 && now - before <= before * growth * 1.5;
        if (!is_alike || base.calls(name) != x.calls(name)) return false;
        ++alike;
    }
    return alike >= least_operators;
}

/// Says why the operators of the baseline are not compared with these.
inline std::string why_not_compared(const claim_context& context, const claim_result& result,
                                    const std::optional<operator_profile>& stored, const std::string& settings) {
    if (!stored)
        return "the baseline has no operators to compare these with: record its code again, which stores them: " +
               update_variables(context, result.baseline->file, "append") + " " + run_again(context);
    const auto named = [](const std::string& s) { return s.empty() ? std::string("unknown settings") : s; };
    return "the operators of the baseline are of " + named(stored->settings) + ", these of " + named(settings) +
           ": they are not compared";
}

}  // namespace perfspec::detail
