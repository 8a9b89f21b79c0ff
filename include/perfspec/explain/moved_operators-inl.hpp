// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The operators behind a violated claim on times: those whose time differs most between two subjects, or the longest ones of a single subject.
// They are recorded in extra runs, after the verdict.

#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/judge/measuring.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
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

inline double self_of(const operator_loads& loads, const std::string& name) {
    const auto found = loads.find(name);
    return found == loads.end() ? 0.0 : found->second.self_ns;
}

/// A row of the operator in one subject's column; nothing where the subject does not call it.
inline void add_load(finding& found, const std::string& column, const std::string& name, const operator_loads& loads, double share) {
    const auto load = loads.find(name);
    if (load == loads.end()) return;
    found.parts.push_back({name, column, dimension::time, without_interval(load->second.self_ns), share, calls_text(load->second.calls)});
}

/// The operators of one subject, with their shares of all operators' time.
inline void add_longest(finding& found, const std::string& subject_name, const operator_loads& loads) {
    const double sum = sum_of(loads);
    for (const std::string& name : largest_names(loads, [&](const std::string& n) { return self_of(loads, n); }))
        add_load(found, subject_name, name, loads, self_of(loads, name) / sum);
    found.parts.push_back({"all operators", subject_name, dimension::time, without_interval(sum), 1.0, {}});
}

/// The operators whose times differ most, and each one's share of the difference of all operators' times.
inline void add_moved(finding& found, const std::vector<std::string>& names, const operator_loads& a, const operator_loads& b) {
    operator_loads both = a;
    both.insert(b.begin(), b.end());
    const auto change = [&](const std::string& name) { return self_of(b, name) - self_of(a, name); };
    const double sum = sum_of(b) - sum_of(a);
    for (const std::string& name : largest_names(both, [&](const std::string& n) { return std::abs(change(n)); })) {
        add_load(found, names[0], name, a, 0.0);
        add_load(found, names[1], name, b, 0.0);
        found.parts.push_back(
            {name, "difference", dimension::time, without_interval(change(name)), sum == 0.0 ? 0.0 : change(name) / sum, {}});
    }
    found.parts.push_back({"all operators", names[0], dimension::time, without_interval(sum_of(a)), 0.0, {}});
    found.parts.push_back({"all operators", names[1], dimension::time, without_interval(sum_of(b)), 0.0, {}});
    found.parts.push_back({"all operators", "difference", dimension::time, without_interval(sum), sum == 0.0 ? 0.0 : 1.0, {}});
}

/// Whether operators can say why the claim is violated: it is on times of one or two subjects.
inline bool has_operators_to_name(const question& asked, const finding& found) {
    const metric_kind m = asked.query.metric;
    const bool is_time = m == metric_kind::latency || m == metric_kind::cpu_time || m == metric_kind::device_time;
    return found.verdict == verdict::violated && is_time && !asked.is_of_outputs && !asked.is_child() && asked.subjects.size() <= 2;
}

inline void name_operators_of(const question& asked, finding& found) {
    std::vector<std::function<std::vector<operator_event>()>> record;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < asked.subjects.size(); ++i) {
        auto recording = recording_of(asked, asked.subjects[i]);
        if (!recording || !asked.subjects[i].state().hidden_operators.empty()) continue;
        record.push_back(std::move(recording));
        names.push_back(asked.names[i]);
    }
    if (record.empty()) return;
    const machine_scope machine(asked, found);
    const std::vector<operator_loads> loads = record_loads(asked, record);
    if (std::ranges::all_of(loads, &operator_loads::empty)) return;  // no models
    if (loads.size() == 2) add_moved(found, names, loads[0], loads[1]);
    else add_longest(found, names[0], loads[0]);
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
