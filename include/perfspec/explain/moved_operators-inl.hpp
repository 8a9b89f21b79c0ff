// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/claim/commands.hpp>
#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

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
#include <tuple>
#include <utility>
#include <vector>

// The operators behind a violated claim on times: those whose time differs most between two subjects or from the
// baseline; otherwise the longest ones. They are recorded in extra runs after the verdict.

namespace perfspec::inline v0_2::detail {

// The times of a subject's operators in one iteration, from a few recorded rounds.

/// An operator's self time in one iteration, over all of its calls; on the device for subjects that use one.
struct operator_load {
    double self_ns{};  ///< median of the rounds
    double calls{};
    std::vector<double> rounds{};  ///< self times in nanoseconds; empty if read from a baseline

    [[nodiscard]] double in(std::size_t round) const { return round < rounds.size() ? rounds[round] : self_ns; }
    void add(const operator_load& more) {
        self_ns += more.self_ns;
        rounds.resize(more.rounds.size());
        std::ranges::transform(rounds, more.rounds, rounds.begin(), std::plus<>());
    }
};
using operator_loads = std::map<std::string, operator_load>;

inline operator_loads loads_of(const profiled_rounds& profiled) {
    operator_loads loads;
    for (auto& [name, series] : profiled.sorted()) {
        const std::vector<double>& times = profiled.use_a_device() ? series.device_self_ns : series.self_ns;
        loads[name] = {median(times), median(series.calls), times};
    }
    return loads;
}

/// A function that records the operators of a subject; empty if nothing can.
inline operator_recording recording_or_none(const claim_context& context, const subject& x) {
    if (readings_of(x).remote_operators != nullptr)
        return [&x] { return readings_of(x).remote_operators(x.storage()); };
    return model_of(x).hidden_operators.empty() ? recording_of(context, x) : operator_recording{};
}

/// Records the subjects in turn, every other round in the other order: 24 rounds, or as many as begin within two
/// seconds, or eight within five, but two at least. No rounds if none of the subjects runs operators.
inline std::vector<profiled_rounds> record_rounds(const claim_context& context,
                                                  const std::vector<operator_recording>& record) {
    constexpr std::size_t enough = 24, few = 8, least = 2;
    constexpr std::int64_t soon_ns = 2'000'000'000, longest_ns = 5'000'000'000;
    clock& wall = context.run.system().wall;
    std::vector<profiled_rounds> profiled(record.size());
    std::size_t models = 0;
    for (const operator_recording& each : record)
        models += each().empty() ? 0 : 1;  // not counted, because the first run is slow
    if (models == 0) return profiled;
    const std::int64_t begun = wall.now();
    const auto limit_ns = [&](std::size_t round) { return round < few ? longest_ns : soon_ns; };
    for (std::size_t round = 0; round < enough && (round < least || wall.now() - begun < limit_ns(round)); ++round)
        for (std::size_t i = 0; i < record.size(); ++i) {
            const std::size_t turn = round % 2 == 0 ? i : record.size() - 1 - i;
            profiled[turn].add(record[turn]());
        }
    return profiled;
}

/// The names sorted by descending key, without those whose key is 0.
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

/// A subject and the times of its operators.
struct loaded_subject {
    std::string name;
    operator_loads loads;
    bool has_all{true};  ///< whether other operators did not run

    [[nodiscard]] double self_ns(const std::string& operation) const { return load_of(loads, operation).self_ns; }
    [[nodiscard]] double calls(const std::string& operation) const { return load_of(loads, operation).calls; }
    [[nodiscard]] bool has_calls_of(const std::string& operation) const { return has_all || loads.contains(operation); }
    [[nodiscard]] operator_load all() const {
        operator_load sum;
        for (const auto& each : loads) sum.add(each.second);
        return sum;
    }
};

// The operators that are stored with a model's processes, and their comparison with a later run.

inline constexpr const char* other_operators = "other operators";

[[nodiscard]] inline bool is_on_times(const claim_context& context) {
    const metric_kind m = context.query.metric;
    return m == metrics::latency || m == metrics::cpu_time || m == metrics::device_time;
}

/// Whether the claim compares the time of one subject with a stored baseline.
[[nodiscard]] inline bool stores_operators(const claim_context& context) {
    return is_on_times(context) && context.is_against_baseline() && context.plan.baseline_build.empty() &&
           !context.is_of_outputs && !context.is_child() && context.subjects.size() == 1;
}

/// The settings that these times depend on besides machine and subject.
inline std::string settings_of(const claim_context& context, const profiled_rounds& profiled) {
    if (profiled.use_a_device()) return "times of the device";
    const subject& x = context.query.subjects[0];
    if (x.state().process != nullptr)
        for (const auto& [name, value] : x.state().remote_facts(x.storage(), remote_lookup::last_known))
            if (name == "threads") return value + (value == "1" ? " thread" : " threads");
    const auto own = std::ranges::find(context.axes, "threads", &std::pair<std::string, std::string>::first);
    if (own != context.axes.end()) return own->second + (own->second == "1" ? " thread" : " threads");
    const operator_recorder* const recorder = context.run.system().counts.recorder<operator_recorder>();
    return recorder == nullptr ? std::string() : recorder->settings();
}

/// The longest operators by name, and the total time of the others.
inline std::optional<part_profile> profile_of(const operator_loads& loads, std::string settings) {
    part_profile profile{.settings = std::move(settings)};
    for (const std::string& name :
         sorted_names(loads, [&](const std::string& n) { return load_of(loads, n).self_ns; })) {
        const operator_load load = load_of(loads, name);
        const bool has_room = profile.longest.size() < part_profile::max_parts;
        if (has_room && !name.empty() && is_utf8(name)) profile.longest.push_back({name, load.self_ns, load.calls});
        else profile.others_ns += load.self_ns;
    }
    if (profile.longest.empty()) return {};
    return profile;
}

/// Records the operators of the claim's subject, if it is a model. A failure only adds advice.
inline explanation record_operators_to_store(const claim_context& context) {
    explanation result;
    if (!stores_operators(context)) return result;
    try {
        const operator_recording record = recording_or_none(context, context.subjects[0]);
        if (!record) return result;
        const machine_scope machine(context);
        result.disturbed = machine.disturbed();
        const profiled_rounds profiled = record_rounds(context, {record}).front();
        result.profile = profile_of(loads_of(profiled), settings_of(context, profiled));
    } catch (const std::exception& failure) {
        result.advice.push_back(std::string("its operators could not be recorded: ") + failure.what());
    }
    return result;
}

/// The stored operators as a subject. The others are one row.
inline loaded_subject subject_of(const part_profile& stored) {
    loaded_subject base{.name = "the baseline", .loads = {}, .has_all = stored.others_ns == 0.0};
    for (const profiled_part& o : stored.longest) base.loads[o.name] = {o.self_ns, o.calls};
    if (!base.has_all) base.loads[other_operators] = {stored.others_ns, 0.0};
    return base;
}

/// Sums up the operators of `x` that may be among the baseline's others: they have no stored row, and are as short.
inline void sum_up_others(loaded_subject& x, const part_profile& stored) {
    if (stored.others_ns == 0.0) return;
    double shortest = std::numeric_limits<double>::infinity();
    operator_loads named;
    for (const profiled_part& o : stored.longest) {
        shortest = std::min(shortest, o.self_ns);
        named[o.name] = {};
    }
    operator_load others;
    std::erase_if(x.loads, [&](const auto& each) {
        if (named.contains(each.first) || each.second.self_ns > shortest) return false;
        others.add(each.second);
        return true;
    });
    x.loads[other_operators] = std::move(others);
}

/// Why the operators of the baseline are not compared with these.
inline std::string why_not_compared(const claim_context& context, const claim_result& result,
                                    const std::optional<part_profile>& stored, const std::string& settings) {
    if (!stored)
        return "the baseline stores no operators to compare with. Record its code again to store them:  " +
               update_variables(context, result.baseline->file, "append") + " " + run_again(context);
    const auto named = [](const std::string& s) { return s.empty() ? std::string("unknown settings") : s; };
    return "the operators are not compared, because the baseline has those of " + named(stored->settings) +
           " and this run those of " + named(settings);
}

inline constexpr std::size_t named_operators = 8;

/// "24 calls", "1 call".
inline std::string calls_text(double calls) {
    return format_value(calls, dimension::count) + (calls == 1.0 ? " call" : " calls");
}

/// Without an interval if there are too few rounds for one.
inline estimate estimate_of_rounds(const std::vector<double>& rounds) {
    return rounds.size() < center_interval::minimum ? without_interval(median(rounds)) : estimate_of(rounds);
}

inline estimate estimate_of(const operator_load& load) {
    return load.rounds.empty() ? without_interval(load.self_ns) : estimate_of_rounds(load.rounds);
}

/// The longest operators of one subject, with their shares of all operators' time.
inline std::vector<part_value> longest_operators(const loaded_subject& x) {
    std::vector<part_value> cells;
    const operator_load all = x.all();
    std::vector<std::string> names = sorted_names(x.loads, [&](const std::string& n) { return x.self_ns(n); });
    names.resize(std::min(names.size(), named_operators));
    for (const std::string& name : names)
        cells.push_back(time_part(name, x.name, estimate_of(x.loads.at(name)), x.self_ns(name) / all.self_ns,
                                  calls_text(x.calls(name))));
    cells.push_back(time_part("all operators", x.name, estimate_of(all), 1.0));
    return cells;
}

/// "129 calls, was 9"; "129 calls, was ?" if the base is unknown; empty if the numbers are equal.
inline std::string calls_changed(const loaded_subject& base, const loaded_subject& x, const std::string& operation) {
    const double before = base.calls(operation), now = x.calls(operation);
    if (!base.has_calls_of(operation)) return calls_text(now) + ", was ?";
    return before == now ? std::string{} : calls_text(now) + ", was " + format_value(before, dimension::count);
}

/// How much longer an operator takes in one subject than in another, in each round.
struct moved_operator {
    std::string name;
    operator_load now;
    std::vector<double> differences_ns;
    bool has_other_calls{};

    moved_operator(std::string operation, const operator_load& base, operator_load x)
        : name(std::move(operation)), now(std::move(x)) {
        differences_ns.resize(std::max({base.rounds.size(), now.rounds.size(), std::size_t{1}}));
        for (std::size_t round = 0; round < differences_ns.size(); ++round)
            differences_ns[round] = now.in(round)-base.in(round);
    }
    [[nodiscard]] double center() const { return median(differences_ns); }
    /// Whether the difference has one sign in all but an eighth of the rounds (in all of fewer than 16), by chance once
    /// in 3,500 for 24 rounds; and is at least a hundredth of all operators' time, or a tenth in fewer than six rounds.
    [[nodiscard]] bool is_beyond_noise(double all_ns) const {
        const auto positive = std::ranges::count_if(differences_ns, [](double ns) { return ns > 0.0; });
        const auto negative = std::ranges::count_if(differences_ns, [](double ns) { return ns < 0.0; });
        const auto needed = static_cast<std::ptrdiff_t>(differences_ns.size() -
                                                        (differences_ns.size() < 16 ? 0 : differences_ns.size() / 8));
        return std::max(positive, negative) >= needed &&
               std::abs(center()) >= all_ns / (differences_ns.size() < center_interval::minimum ? 10.0 : 100.0);
    }
    /// First changed numbers of calls, which are exact; then longer times, the largest difference first; then shorter
    /// ones.
    [[nodiscard]] auto rank() const { return std::tuple(!has_other_calls, center() <= 0.0, -std::abs(center())); }
};

/// The operators whose calls differ between two subjects, or whose times differ beyond the noise.
inline std::vector<moved_operator> changed_operators(const loaded_subject& base, const loaded_subject& x) {
    operator_loads loads = base.loads;
    loads.insert(x.loads.begin(), x.loads.end());
    const double all_ns = base.all().self_ns;
    std::vector<moved_operator> moved;
    for (const auto& [name, load] : loads) {
        moved_operator each(name, load_of(base.loads, name), load_of(x.loads, name));
        each.has_other_calls = base.has_calls_of(name) && base.calls(name) != x.calls(name);
        if (each.has_other_calls || each.is_beyond_noise(all_ns)) moved.push_back(std::move(each));
    }
    std::ranges::stable_sort(moved, {}, &moved_operator::rank);
    if (moved.size() > named_operators) moved.erase(moved.begin() + named_operators, moved.end());
    return moved;
}

/// A row for each changed operator, with its share of the total difference; without any, advice that says so.
inline explanation explain_moves(const loaded_subject& base, const loaded_subject& x) {
    explanation result;
    const moved_operator all("all operators", base.all(), x.all());
    const auto add = [&](const moved_operator& each, const std::string& mark) {
        result.parts.push_back(time_part(each.name, x.name, without_interval(each.now.self_ns)));
        result.parts.push_back(time_part(each.name, "more than " + base.name, estimate_of_rounds(each.differences_ns),
                                         all.center() == 0.0 ? 0.0 : each.center() / all.center(), mark));
    };
    for (const moved_operator& each : changed_operators(base, x)) add(each, calls_changed(base, x, each.name));
    if (result.parts.empty())
        result.advice = {
            fmt::format("no operator explains the difference: {} calls each as often as {}, and their times differ "
                        "by no more than the noise of {} recorded rounds. Search outside of operators",
                        x.name, base.name, all.differences_ns.size())};
    add(all, {});
    return result;
}

/// Whether operators can explain the violation: the claim is on times of one or two subjects.
inline bool has_operators_to_name(const claim_context& context, const claim_result& result) {
    return result.verdict == verdict::violated && is_on_times(context) && !context.is_of_outputs &&
           !context.is_child() && context.subjects.size() <= 2;
}

/// The operators that changed since the baseline; the longest ones if the baseline has no comparable ones.
inline explanation moved_from_baseline(const claim_context& context, const claim_result& result, loaded_subject x,
                                       const std::string& settings) {
    explanation moves;
    auto own = profile_of(x.loads, settings);
    const auto found = find_baseline(context);
    const std::optional<part_profile> stored = found.lookup.entry ? found.lookup.entry->profile : std::nullopt;
    if (!stored || stored->settings != settings) {
        moves.advice = {why_not_compared(context, result, stored, settings)};
        moves.parts = longest_operators(x);
    } else {
        sum_up_others(x, *stored);
        moves = explain_moves(subject_of(*stored), x);
    }
    moves.profile = std::move(own);  // for `perfspec accept`
    return moves;
}

/// Explains by the operators of the subjects in `recorded`, without those that ran none.
inline explanation explain_by_loads(const claim_context& context, const claim_result& result,
                                    std::vector<loaded_subject> recorded,
                                    const std::vector<profiled_rounds>& profiled) {
    for (std::size_t i = 0; i < profiled.size(); ++i) recorded[i].loads = loads_of(profiled[i]);
    std::erase_if(recorded, [](const loaded_subject& x) { return x.loads.empty(); });
    if (recorded.empty()) return {};  // no models
    if (stores_operators(context) && result.baseline)
        return moved_from_baseline(context, result, recorded[0], settings_of(context, profiled[0]));
    if (recorded.size() == 1) return {.parts = longest_operators(recorded[0])};
    // speedup(a, b) judges b, and latency(a) < latency(b) judges a.
    const std::size_t judged = context.query.is_ratio() ? 1 : 0;
    return explain_moves(recorded[1 - judged], recorded[judged]);
}

inline explanation name_operators_of(const claim_context& context, const claim_result& result) {
    std::vector<operator_recording> record;
    std::vector<loaded_subject> recorded;
    for (std::size_t i = 0; i < context.subjects.size(); ++i) {
        auto recording = recording_or_none(context, context.subjects[i]);
        if (!recording) continue;
        record.push_back(std::move(recording));
        recorded.push_back({.name = context.names[i], .loads = {}});
    }
    if (record.empty()) return {};
    const machine_scope machine(context);
    explanation operators = explain_by_loads(context, result, std::move(recorded), record_rounds(context, record));
    operators.disturbed = machine.disturbed();
    return operators;
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

}  // namespace perfspec::inline v0_2::detail
