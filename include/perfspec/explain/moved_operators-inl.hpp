// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The operators behind a violated claim on times: those whose time differs most between two subjects, or from the time
// stored with the baseline, or else the longest ones of a single subject. They are recorded in extra runs, after the
// verdict.

#include <perfspec/explain/operator_loads-inl.hpp>
#include <perfspec/explain/stored_operators-inl.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

inline constexpr std::size_t named_operators = 8;

/// "24 calls", "1 call".
inline std::string calls_text(double calls) {
    return format_value(calls, dimension::count) + (calls == 1.0 ? " call" : " calls");
}

/// The names with the largest keys, the largest first, as many as a table has.
template <class Key> std::vector<std::string> largest_names(const operator_loads& among, const Key& key) {
    std::vector<std::string> names = sorted_names(among, key);
    names.resize(std::min(names.size(), named_operators));
    return names;
}

inline void add_time(claim_result& result, const std::string& row, const std::string& column, double ns, double share,
                     std::string mark = {}) {
    result.parts.push_back({row, column, dimension::time, without_interval(ns), share, std::move(mark)});
}

/// The operators of one subject, with their shares of all operators' time.
inline void add_longest(claim_result& result, const loaded_subject& x) {
    for (const std::string& name : largest_names(x.loads, [&](const std::string& n) { return x.self_ns(n); }))
        add_time(result, name, x.name, x.self_ns(name), x.self_ns(name) / x.sum(), calls_text(x.calls(name)));
    add_time(result, "all operators", x.name, x.sum(), 1.0);
}

/// "129 calls, was 9"; "129 calls, was ?" where the base does not tell; empty where the number is the same.
inline std::string calls_changed(const loaded_subject& base, const loaded_subject& x, const std::string& operation) {
    const double before = base.calls(operation), now = x.calls(operation);
    if (!base.knows(operation)) return calls_text(now) + ", was ?";
    return before == now ? std::string{} : calls_text(now) + ", was " + format_value(before, dimension::count);
}

/// The operators whose times differ most between two subjects, and each one's share of the difference of all operators'
/// times.
inline void add_moved(claim_result& result, const loaded_subject& base, const loaded_subject& x) {
    const std::string column = "more than " + base.name;
    const double sum = x.sum() - base.sum();
    const auto add = [&](const std::string& row, double ns, double more, const std::string& mark) {
        add_time(result, row, x.name, ns, 0.0);
        add_time(result, row, column, more, sum == 0.0 ? 0.0 : more / sum, mark);
    };
    const auto change = [&](const std::string& name) { return x.self_ns(name) - base.self_ns(name); };
    for (const std::string& name :
         largest_names(united(x, base), [&](const std::string& n) { return std::abs(change(n)); }))
        add(name, x.self_ns(name), change(name), calls_changed(base, x, name));
    add("all operators", x.sum(), sum, {});
}

/// Whether operators can say why the claim is violated: it is on times of one or two subjects.
inline bool has_operators_to_name(const claim_context& context, const claim_result& result) {
    return result.verdict == verdict::violated && is_on_times(context) && !context.is_of_outputs &&
           !context.is_child() && context.subjects.size() <= 2;
}

/// The operators that moved against those stored with the baseline; the longest ones where none are stored that are
/// like these.
inline void add_moved_from_baseline(const claim_context& context, claim_result& result, loaded_subject x,
                                    const std::string& settings) {
    result.baseline->operators = profile_of(x.loads, settings);  // for whoever accepts these launches
    const auto kept = find_baseline(context);
    const std::optional<operator_profile> stored = kept.lookup.entry ? kept.lookup.entry->operators : std::nullopt;
    if (!stored || stored->settings != settings) {
        result.advice.push_back(why_not_compared(context, result, stored, settings));
        return add_longest(result, x);
    }
    const loaded_subject base = subject_of(*stored);
    sum_up_others(x, *stored);
    add_moved(result, base, x);
    if (grew_alike(base, x))
        result.advice.push_back(
            "all operators grew alike, by " + format_value(x.sum() / base.sum(), dimension::ratio) +
            "x, and none is called more often: look at the machine, the number of threads and the sizes of inputs first");
}

inline void name_operators_of(const claim_context& context, claim_result& result) {
    std::vector<operator_recording> record;
    std::vector<loaded_subject> recorded;
    for (std::size_t i = 0; i < context.subjects.size(); ++i) {
        auto recording = recording_of_seen(context, context.subjects[i]);
        if (!recording) continue;
        record.push_back(std::move(recording));
        recorded.push_back({.name = context.names[i], .loads = {}});
    }
    if (record.empty()) return;
    const machine_scope machine(context, result);
    const std::vector<profiled_rounds> profiled = record_rounds(context, record);
    for (std::size_t i = 0; i < profiled.size(); ++i) recorded[i].loads = median_loads(profiled[i]);
    if (std::ranges::all_of(recorded, [](const loaded_subject& x) { return x.loads.empty(); })) return;  // no models
    if (stores_operators(context) && result.baseline)
        return add_moved_from_baseline(context, result, recorded[0], settings_of(context, profiled[0]));
    if (recorded.size() == 1) return add_longest(result, recorded[0]);
    // speedup(a, b) judges b, and latency(a) < latency(b) judges a.
    const std::size_t judged = context.query.is_ratio() ? 1 : 0;
    add_moved(result, recorded[1 - judged], recorded[judged]);
}

/// Adds the operators behind a violated claim to the result.
inline void name_operators(const claim_context& context, claim_result& result) {
    if (!has_operators_to_name(context, result)) return;
    try {
        name_operators_of(context, result);
    } catch (const std::exception& failure) {
        result.advice.push_back(std::string("its operators could not be recorded: ") + failure.what());
    }
}

}  // namespace perfspec::detail
