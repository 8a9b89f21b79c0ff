// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/record_of.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The operators behind a violated claim on times: those whose time differs most between two subjects, or from the time
// stored with the baseline, or else the longest ones of a single subject. They are recorded in extra runs, after the
// verdict.

namespace perfspec::detail {

// What the operators of a subject take in one iteration, from a few recorded rounds.

/// An operator's time of its own in one iteration, of all of its calls; on the device of subjects that run on one.
struct operator_load {
    double self_ns{};
    double calls{};
};
using operator_loads = std::map<std::string, operator_load>;
using operator_recording = std::function<std::vector<operator_event>()>;

/// The median of several rounds for each operator.
inline operator_loads median_loads(const profiled_rounds& profiled) {
    operator_loads loads;
    for (const auto& [name, series] : profiled.sorted())
        loads[name] = {median(profiled.use_a_device() ? series.device_self_ns : series.self_ns), median(series.calls)};
    return loads;
}

/// What records the operators of a subject; empty where nothing sees them.
inline operator_recording recording_of_seen(const claim_context& context, const subject& x) {
    return x.state().hidden_operators.empty() ? recording_of(context, x) : operator_recording{};
}

/// Records each subject in turn: five rounds, or as many as begin within two seconds, but two at least. No rounds where
/// none of the subjects runs operators: these are no models.
inline std::vector<profiled_rounds> record_rounds(const claim_context& context,
                                                  const std::vector<operator_recording>& record) {
    constexpr std::size_t enough = 5, least = 2;
    constexpr std::int64_t longest_ns = 2'000'000'000;
    clock& wall = context.run.system().wall;
    std::vector<profiled_rounds> profiled(record.size());
    std::size_t models = 0;
    for (const operator_recording& each : record)
        models += each().empty() ? 0 : 1;  // not counted, because the first run is slow
    if (models == 0) return profiled;
    const std::int64_t begun = wall.now();
    for (std::size_t round = 0; round < enough && (round < least || wall.now() - begun < longest_ns); ++round)
        for (std::size_t i = 0; i < record.size(); ++i) profiled[i].add(record[i]());
    return profiled;
}

inline double sum_of(const operator_loads& loads) {
    double sum = 0.0;
    for (const auto& [name, load] : loads) sum += load.self_ns;
    return sum;
}

/// The names with the largest keys, the largest first; those whose key is 0 are left out.
template <class Key> std::vector<std::string> sorted_names(const operator_loads& among, const Key& key) {
    std::vector<std::pair<double, std::string>> all;
    for (const auto& [name, load] : among)
        if (const double size = key(name); size > 0.0) all.emplace_back(size, name);
    std::ranges::stable_sort(all, std::greater<>(), &std::pair<double, std::string>::first);
    std::vector<std::string> names;
    for (auto& [size, name] : all) names.push_back(std::move(name));
    return names;
}

inline operator_load load_of(const operator_loads& loads, const std::string& name) {
    const auto found = loads.find(name);
    return found == loads.end() ? operator_load{} : found->second;
}

/// A subject, and what its operators take.
struct loaded_subject {
    std::string name;
    operator_loads loads;
    bool has_all{true};  ///< whether an operator that the loads lack did not run

    [[nodiscard]] double self_ns(const std::string& operation) const { return load_of(loads, operation).self_ns; }
    [[nodiscard]] double calls(const std::string& operation) const { return load_of(loads, operation).calls; }
    [[nodiscard]] bool knows(const std::string& operation) const { return has_all || loads.contains(operation); }
    [[nodiscard]] double sum() const { return sum_of(loads); }
};

/// The operators of either subject.
inline operator_loads united(const loaded_subject& a, const loaded_subject& b) {
    operator_loads both = a.loads;
    both.insert(b.loads.begin(), b.loads.end());
    return both;
}

// The operators that are stored with the launches of a model, and those of a later run beside them.

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
inline explanation record_operators_to_store(const claim_context& context) {
    explanation made;
    if (!stores_operators(context)) return made;
    try {
        const operator_recording record = recording_of_seen(context, context.subjects[0]);
        if (!record) return made;
        const machine_scope machine(context);
        made.disturbed = machine.disturbed();
        const profiled_rounds profiled = record_rounds(context, {record}).front();
        made.operators = profile_of(median_loads(profiled), settings_of(context, profiled));
    } catch (const std::exception& failure) {
        made.advice.push_back(std::string("its operators could not be recorded: ") + failure.what());
    }
    return made;
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

/// The operators of one subject, with their shares of all operators' time.
inline std::vector<part_value> longest_operators(const loaded_subject& x) {
    std::vector<part_value> cells;
    for (const std::string& name : largest_names(x.loads, [&](const std::string& n) { return x.self_ns(n); }))
        cells.push_back(time_part(name, x.name, without_interval(x.self_ns(name)), x.self_ns(name) / x.sum(),
                                  calls_text(x.calls(name))));
    cells.push_back(time_part("all operators", x.name, without_interval(x.sum()), 1.0));
    return cells;
}

/// "129 calls, was 9"; "129 calls, was ?" where the base does not tell; empty where the number is the same.
inline std::string calls_changed(const loaded_subject& base, const loaded_subject& x, const std::string& operation) {
    const double before = base.calls(operation), now = x.calls(operation);
    if (!base.knows(operation)) return calls_text(now) + ", was ?";
    return before == now ? std::string{} : calls_text(now) + ", was " + format_value(before, dimension::count);
}

/// The operators whose times differ most between two subjects, and each one's share of the difference of all operators'
/// times.
inline std::vector<part_value> moved_operators(const loaded_subject& base, const loaded_subject& x) {
    const std::string column = "more than " + base.name;
    const double sum = x.sum() - base.sum();
    std::vector<part_value> cells;
    const auto add = [&](const std::string& row, double ns, double more, const std::string& mark) {
        cells.push_back(time_part(row, x.name, without_interval(ns)));
        cells.push_back(time_part(row, column, without_interval(more), sum == 0.0 ? 0.0 : more / sum, mark));
    };
    const auto change = [&](const std::string& name) { return x.self_ns(name) - base.self_ns(name); };
    for (const std::string& name :
         largest_names(united(x, base), [&](const std::string& n) { return std::abs(change(n)); }))
        add(name, x.self_ns(name), change(name), calls_changed(base, x, name));
    add("all operators", x.sum(), sum, {});
    return cells;
}

/// Whether operators can say why the claim is violated: it is on times of one or two subjects.
inline bool has_operators_to_name(const claim_context& context, const claim_result& result) {
    return result.verdict == verdict::violated && is_on_times(context) && !context.is_of_outputs &&
           !context.is_child() && context.subjects.size() <= 2;
}

/// The operators that moved against those stored with the baseline; the longest ones where none are stored that are
/// like these.
inline explanation moved_from_baseline(const claim_context& context, const claim_result& result, loaded_subject x,
                                       const std::string& settings) {
    explanation made;
    made.operators = profile_of(x.loads, settings);  // for whoever accepts these launches
    const auto kept = find_baseline(context);
    const std::optional<operator_profile> stored = kept.lookup.entry ? kept.lookup.entry->operators : std::nullopt;
    if (!stored || stored->settings != settings) {
        made.advice = {why_not_compared(context, result, stored, settings)};
        made.parts = longest_operators(x);
        return made;
    }
    sum_up_others(x, *stored);
    made.parts = moved_operators(subject_of(*stored), x);
    return made;
}

/// The operators of these subjects, whose names are in `recorded`.
inline explanation explain_by_loads(const claim_context& context, const claim_result& result,
                                    std::vector<loaded_subject> recorded,
                                    const std::vector<profiled_rounds>& profiled) {
    for (std::size_t i = 0; i < profiled.size(); ++i) recorded[i].loads = median_loads(profiled[i]);
    if (std::ranges::all_of(recorded, [](const loaded_subject& x) { return x.loads.empty(); })) return {};  // no models
    if (stores_operators(context) && result.baseline)
        return moved_from_baseline(context, result, recorded[0], settings_of(context, profiled[0]));
    if (recorded.size() == 1) return {.parts = longest_operators(recorded[0])};
    // speedup(a, b) judges b, and latency(a) < latency(b) judges a.
    const std::size_t judged = context.query.is_ratio() ? 1 : 0;
    return {.parts = moved_operators(recorded[1 - judged], recorded[judged])};
}

inline explanation name_operators_of(const claim_context& context, const claim_result& result) {
    std::vector<operator_recording> record;
    std::vector<loaded_subject> recorded;
    for (std::size_t i = 0; i < context.subjects.size(); ++i) {
        auto recording = recording_of_seen(context, context.subjects[i]);
        if (!recording) continue;
        record.push_back(std::move(recording));
        recorded.push_back({.name = context.names[i], .loads = {}});
    }
    if (record.empty()) return {};
    const machine_scope machine(context);
    explanation made = explain_by_loads(context, result, std::move(recorded), record_rounds(context, record));
    made.disturbed = machine.disturbed();
    return made;
}

/// The operators behind a violated claim.
inline explanation name_operators(const claim_context& context, const claim_result& result) {
    if (!has_operators_to_name(context, result)) return {};
    try {
        return name_operators_of(context, result);
    } catch (const std::exception& failure) {
        return {.advice = {std::string("its operators could not be recorded: ") + failure.what()}};
    }
}

}  // namespace perfspec::detail
