// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What the operators of a subject take in one iteration, from a few recorded rounds.

#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

}  // namespace perfspec::detail
