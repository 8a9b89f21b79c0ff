// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/commands.hpp>
#include <perfspec/judge/devices.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/judge/against_baseline/find_baseline.hpp>
#include <perfspec/judge/against_baseline/stored_claim.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>

namespace perfspec::detail {

launches_wanted wanted_launches(const question& asked) {
    if (!asked.plan.launches)
        return {stored_rank_test::min_stored, asked.query.metric == metric_kind::module_count
                                                  ? stored_rank_test::min_stored
                                                  : baseline_entry::max_launches_of_session};
    const std::size_t given = *asked.plan.launches;
    const std::size_t exactly = given == 0 ? 0 : std::max(given, stored_rank_test::min_stored);
    return {exactly, exactly};
}

launches_wanted launches_to_record(const question& asked) {
    const launches_wanted wanted = wanted_launches(asked);
    return wanted.maximum > 0 ? wanted : launches_wanted{stored_rank_test::min_stored, stored_rank_test::min_stored};
}

comparable_launches launches_to_compare(const question& asked, const baseline_entry& entry) {
    return what_to_compare(entry.launches, entry.unit, {.given = asked.plan.drift, .rate = asked.plan.false_failure});
}

std::vector<double> values_to_compare(const question& asked, const comparable_launches& stored) {
    std::vector<double> values = stored.values;
    if (asked.query.unit == dimension::power)
        for (double& v : values) v = std::log(v);
    return values;
}

std::vector<double> bounds_of_launches(const question& asked, const comparable_launches& stored) {
    std::vector<double> bounds = values_to_compare(asked, stored);
    for (double& b : bounds) b = positive_of_launch(asked, bound_of(asked, b));
    return bounds;
}

double bound_of(const question& asked, double stored) { return asked.stored().factor * stored + asked.stored().offset; }

percentage headroom_of(const question& asked, double baseline) {
    const double stored = positive_of_launch(asked, baseline);
    return {stored > 0.0 ? std::abs(positive_of_launch(asked, bound_of(asked, baseline)) / stored - 1.0) : 0.0};
}

std::string update_variables(const question& asked, std::string_view file, std::string_view mode) {
    const std::string update = "PERFSPEC_UPDATE_BASELINES=" + std::string(mode);
    const bool is_local = asked.plan.policy == missing_baseline_policy::local && file == local_store(asked).path();
    const std::string folder = is_local
                                   ? local_folder(asked.context.paths(asked.plan), asked.context.around().files).path
                                   : asked.plan.baseline_dir;
    return folder.empty() ? update : "PERFSPEC_BASELINE_DIR=" + shell_quoted(folder) + " " + update;
}

std::string bound_formula(const question& asked, double stored) {
    const auto [factor, offset] = std::get<stored_bound>(asked.written.value().bound);
    std::string text = format_value(stored, asked.unit);
    char factor_text[32];
    std::snprintf(factor_text, sizeof factor_text, "%g x ", factor);
    if (factor != 1.0) text.insert(0, factor_text);
    if (offset != 0.0) text += (offset < 0.0 ? " - " : " + ") + format_value(std::abs(offset), asked.unit);
    if (asked.is_bounded_by_regression()) text += " (--perf-regression)";
    return text;
}

inline std::string compiler_text(const compiler_version& v) {
    if (*v.name == '\0') return {};
    return v.name + (" " + std::to_string(v.major)) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
}

/// What the times of subjects in another process depend on there, as libraries: "torch of the worker of models.py".
/// Their code is none: a baseline is compared with changed code.
inline std::vector<versioned_library> remote_libraries(const std::vector<subject>& subjects) {
    std::vector<versioned_library> all;
    for (const subject& x : subjects) {
        const subject_state& state = x.state();
        if (state.tell_remote_facts == nullptr) continue;
        for (auto& [name, value] : state.tell_remote_facts(x.storage(), remote_asking::may_start))
            if (name != "code") all.push_back({name + " of " + state.remote, std::move(value)});
    }
    return all;
}

/// What the times of work on devices depend on: "GPU", of several devices "GPU of cuda:1". The processor is not in their hardware key, but launching takes its
/// time.
inline std::vector<versioned_library> libraries_of_devices(const question& asked,
                                                           const std::vector<std::string>& devices) {
    std::vector<versioned_library> all;
    for (const std::string& device : devices)
        for (const versioned_library& each : asked.context.device(device).libraries)
            all.push_back({each.name + (devices.size() > 1 ? " of " + device : ""), each.version});
    if (!devices.empty()) all.push_back({"processor", asked.context.hardware_key()});
    return all;
}

/// Adds libraries and keeps the order by name, each once.
inline void add_libraries(fingerprint& machine, std::vector<versioned_library> more) {
    std::vector<versioned_library>& all = machine.libraries;
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    std::ranges::stable_sort(all, {}, &versioned_library::name);
    const auto is_same = [](const versioned_library& a, const versioned_library& b) { return a.name == b.name; };
    all.erase(std::unique(all.begin(), all.end(), is_same),
              all.end());  // clang 14 does not compile std::ranges::unique
}

fingerprint machine_of(const question& asked) {
    const std::vector<std::string> devices = devices_of(asked.subjects);
    fingerprint machine = asked.context.machine(devices.empty() ? library_use::always : library_use::on_device);
    machine.compiler = compiler_text(asked.where.compiler);
    if (machine.flags.empty()) machine.flags = asked.where.flags;
    add_libraries(machine, remote_libraries(asked.subjects));
    add_libraries(machine, libraries_of_devices(asked, devices));
    return machine;
}

baseline_entry entry_of(const question& asked, std::vector<stored_launch> launches) {
    return {.key = asked.key,
            .unit = asked.unit_name(),
            .polarity = asked.query.direction,
            .recorded_on = machine_of(asked),
            .launches = std::move(launches)};
}

}  // namespace perfspec::detail
