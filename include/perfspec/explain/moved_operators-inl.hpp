// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The operators behind a violated claim on times: those whose time differs most between two subjects, or the longest ones of a single subject.
// They are recorded in extra runs, after the verdict.

#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// An operator's time of its own in one iteration, of all of its calls; on the device of subjects that run on one.
struct operator_load {
    double self_ns{};
    double calls{};
};
using operator_loads = std::map<std::string, operator_load>;

inline constexpr std::size_t named_operators = 8;

/// The median of several rounds for each operator.
inline operator_loads median_loads(const profiled_rounds& profiled) {
    operator_loads loads;
    for (const auto& [name, series] : profiled.sorted())
        loads[name] = {median(profiled.use_a_device() ? series.device_self_ns : series.self_ns), median(series.calls)};
    return loads;
}

/// Records each subject in turn: five rounds, or as many as begin within two seconds, but two at least.
inline std::vector<operator_loads> record_loads(const question& asked,
                                                const std::vector<std::function<std::vector<operator_event>()>>& record) {
    constexpr std::size_t enough = 5, least = 2;
    constexpr std::int64_t longest_ns = 2'000'000'000;
    clock& wall = asked.context.around().wall;
    std::vector<profiled_rounds> profiled(record.size());
    for (const auto& each : record) static_cast<void>(each());  // the first run is slow
    const std::int64_t begun = wall.now();
    for (std::size_t round = 0; round < enough && (round < least || wall.now() - begun < longest_ns); ++round)
        for (std::size_t i = 0; i < record.size(); ++i) profiled[i].add(record[i]());
    std::vector<operator_loads> loads;
    for (const profiled_rounds& each : profiled) loads.push_back(median_loads(each));
    return loads;
}

inline double sum_of(const operator_loads& loads) {
    double sum = 0.0;
    for (const auto& [name, load] : loads) sum += load.self_ns;
    return sum;
}

/// "24 calls", "1 call".
inline std::string calls_text(double calls) { return format_value(calls, dimension::count) + (calls == 1.0 ? " call" : " calls"); }

/// The names with the largest keys, the largest first; those whose key is 0 are left out.
template <class Key> std::vector<std::string> largest_names(const operator_loads& among, const Key& key) {
    std::vector<std::pair<double, std::string>> all;
    for (const auto& [name, load] : among)
        if (const double size = key(name); size > 0.0) all.emplace_back(size, name);
    std::ranges::stable_sort(all, std::greater<>(), &std::pair<double, std::string>::first);
    all.resize(std::min(all.size(), named_operators));
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

    [[nodiscard]] double self_ns(const std::string& operation) const { return load_of(loads, operation).self_ns; }
    [[nodiscard]] double calls(const std::string& operation) const { return load_of(loads, operation).calls; }
    [[nodiscard]] double sum() const { return sum_of(loads); }
};

inline void add_time(finding& found, const std::string& row, const std::string& column, double ns, double share, std::string mark = {}) {
    found.parts.push_back({row, column, dimension::time, without_interval(ns), share, std::move(mark)});
}

/// The operators of one subject, with their shares of all operators' time.
inline void add_longest(finding& found, const loaded_subject& x) {
    for (const std::string& name : largest_names(x.loads, [&](const std::string& n) { return x.self_ns(n); }))
        add_time(found, name, x.name, x.self_ns(name), x.self_ns(name) / x.sum(), calls_text(x.calls(name)));
    add_time(found, "all operators", x.name, x.sum(), 1.0);
}

/// "129 calls, was 9"; empty where the number is the same.
inline std::string calls_changed(double before, double now) {
    return before == now ? std::string{} : calls_text(now) + ", was " + format_value(before, dimension::count);
}

/// The operators whose times differ most between two subjects, and each one's share of the difference of all operators' times.
inline void add_moved(finding& found, const loaded_subject& base, const loaded_subject& x) {
    const std::string column = "more than " + base.name;
    const double sum = x.sum() - base.sum();
    const auto add = [&](const std::string& row, double ns, double more, const std::string& mark) {
        add_time(found, row, x.name, ns, 0.0);
        add_time(found, row, column, more, sum == 0.0 ? 0.0 : more / sum, mark);
    };
    const auto change = [&](const std::string& name) { return x.self_ns(name) - base.self_ns(name); };
    operator_loads both = x.loads;
    both.insert(base.loads.begin(), base.loads.end());
    for (const std::string& name : largest_names(both, [&](const std::string& n) { return std::abs(change(n)); }))
        add(name, x.self_ns(name), change(name), calls_changed(base.calls(name), x.calls(name)));
    add("all operators", x.sum(), sum, {});
}

/// Whether operators can say why the claim is violated: it is on times of one or two subjects.
inline bool has_operators_to_name(const question& asked, const finding& found) {
    const metric_kind m = asked.query.metric;
    const bool is_time = m == metric_kind::latency || m == metric_kind::cpu_time || m == metric_kind::device_time;
    return found.verdict == verdict::violated && is_time && !asked.is_of_outputs && !asked.is_child() && asked.subjects.size() <= 2;
}

inline void name_operators_of(const question& asked, finding& found) {
    std::vector<std::function<std::vector<operator_event>()>> record;
    std::vector<loaded_subject> recorded;
    for (std::size_t i = 0; i < asked.subjects.size(); ++i) {
        auto recording = recording_of(asked, asked.subjects[i]);
        if (!recording || !asked.subjects[i].state().hidden_operators.empty()) continue;
        record.push_back(std::move(recording));
        recorded.push_back({asked.names[i], {}});
    }
    if (record.empty()) return;
    const machine_scope machine(asked, found);
    const std::vector<operator_loads> loads = record_loads(asked, record);
    if (std::ranges::all_of(loads, &operator_loads::empty)) return;  // no models
    for (std::size_t i = 0; i < loads.size(); ++i) recorded[i].loads = loads[i];
    if (recorded.size() == 1) return add_longest(found, recorded[0]);
    // speedup(a, b) judges b, and latency(a) < latency(b) judges a.
    const std::size_t judged = asked.query.is_ratio() ? 1 : 0;
    add_moved(found, recorded[1 - judged], recorded[judged]);
}

/// Adds the operators behind a violated claim to the finding.
inline void name_operators(const question& asked, finding& found) {
    if (!has_operators_to_name(asked, found)) return;
    try {
        name_operators_of(asked, found);
    } catch (const std::exception& failure) {
        found.advice.push_back(std::string("its operators could not be recorded: ") + failure.what());
    }
}

}  // namespace perfspec::detail
