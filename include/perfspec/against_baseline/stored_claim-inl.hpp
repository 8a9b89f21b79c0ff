// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/claim/commands.hpp>
#include <perfspec/claim/devices.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/claim/stores.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

namespace perfspec::inline v0_2::detail {

process_range requested_processes(const claim_context& context) {
    const std::optional<std::uint32_t> wanted = context.plan.processes_of_baseline();
    if (!wanted)
        return {stored_rank_test::min_stored, traits_of(context.query.metric).from == reading::module
                                                  ? stored_rank_test::min_stored
                                                  : baseline_entry::max_processes_of_session};
    const std::size_t requested = *wanted;
    const std::size_t exactly = requested == 0 ? 0 : std::max(requested, stored_rank_test::min_stored);
    return {exactly, exactly};
}

process_range processes_to_record(const claim_context& context) {
    const process_range requested = requested_processes(context);
    return requested.maximum > 0 ? requested
                                 : process_range{stored_rank_test::min_stored, stored_rank_test::min_stored};
}

comparable_processes processes_to_compare(const claim_context& context, const baseline_entry& entry) {
    return comparable_processes_of(entry.processes, entry.unit,
                                   {.given = context.plan.drift, .rate = context.plan.false_failure});
}

/// The values of stored processes in the unit of the query.
inline std::vector<double> values_to_compare(const claim_context& context, const comparable_processes& stored) {
    std::vector<double> values = stored.values;
    if (context.query.unit == dimension::power)
        for (double& v : values) v = std::log(v);
    return values;
}

std::vector<double> bounds_of_processes(const claim_context& context, const comparable_processes& stored) {
    std::vector<double> bounds = values_to_compare(context, stored);
    for (double& b : bounds) b = positive_of_process(context, bound_of(context, b));
    return bounds;
}

double bound_of(const claim_context& context, double stored) {
    return context.stored().factor * stored + context.stored().offset;
}

percentage headroom_of(const claim_context& context, double baseline) {
    const double stored = positive_of_process(context, baseline);
    return {stored > 0.0 ? std::abs(positive_of_process(context, bound_of(context, baseline)) / stored - 1.0) : 0.0};
}

std::string bound_formula(const claim_context& context, double stored) {
    const auto [factor, offset] = std::get<stored_bound>(context.written.value().bound);
    std::string text = format_value(stored, context.unit);
    if (factor != 1.0) text.insert(0, fmt::format("{:g} x ", factor));
    if (offset != 0.0) text += (offset < 0.0 ? " - " : " + ") + format_value(std::abs(offset), context.unit);
    if (context.is_bounded_by_allowed_regression()) text += " (--perf-allow-regression)";
    return text;
}

inline std::string compiler_text(const compiler_version& v) {
    return *v.name == '\0' ? std::string() : fmt::format("{} {}.{}.{}", v.name, v.major, v.minor, v.patch);
}

/// The libraries of worker processes that remote subjects depend on: "numpy of the worker of models.py".
inline std::vector<versioned_library> remote_libraries(const std::vector<subject>& subjects) {
    std::vector<versioned_library> all;
    for (const subject& x : subjects) {
        const subject_state& state = x.state();
        if (state.remote_facts == nullptr) continue;
        for (auto& [name, value] : state.remote_facts(x.storage(), remote_lookup::may_start))
            all.push_back({name + " of " + state.remote, std::move(value)});
    }
    return all;
}

/// The libraries of devices: "driver", for several devices "driver of accelerator:1". Includes the processor, which
/// processes work but is not in their hardware key.
inline std::vector<versioned_library> libraries_of_devices(const claim_context& context,
                                                           const std::vector<std::string>& devices) {
    std::vector<versioned_library> all;
    for (const std::string& device : devices)
        for (const versioned_library& each : context.run.device(device).libraries)
            all.push_back({each.name + (devices.size() > 1 ? " of " + device : ""), each.version});
    if (!devices.empty()) all.push_back({"processor", context.run.hardware_key()});
    return all;
}

/// Adds libraries, each once, sorted by name.
inline void add_libraries(fingerprint& machine, std::vector<versioned_library> more) {
    std::vector<versioned_library>& all = machine.libraries;
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    std::ranges::stable_sort(all, {}, &versioned_library::name);
    const auto is_same = [](const versioned_library& a, const versioned_library& b) { return a.name == b.name; };
    all.erase(std::unique(all.begin(), all.end(), is_same),
              all.end());  // clang 14 does not compile std::ranges::unique
}

fingerprint machine_of(const claim_context& context) {
    const std::vector<std::string> devices = devices_of(context.subjects);
    fingerprint machine = context.run.machine(devices.empty() ? library_use::always : library_use::on_device);
    machine.compiler = compiler_text(context.where.compiler);
    if (machine.flags.empty()) machine.flags = context.where.flags;
    add_libraries(machine, remote_libraries(context.subjects));
    add_libraries(machine, libraries_of_devices(context, devices));
    return machine;
}

bool is_build_folder(const file_system& files, const std::string& folder) {
    return files.read((std::filesystem::path(folder) / "CMakeCache.txt").string(), 0).outcome != read_outcome::missing;
}

/// The place of this program in its build folder; empty if CMake has configured no folder above it.
inline std::filesystem::path place_in_build(const system_access& system) {
    const std::filesystem::path own = system.start.executable;
    for (auto above = own.parent_path(); above != above.parent_path(); above = above.parent_path())
        if (is_build_folder(system.files, above.string())) return own.lexically_relative(above);
    return {};
}

bool is_in_build_folder(const session& run) { return !place_in_build(run.system()).empty(); }

std::string place_of_program(const session& run) {
    const std::filesystem::path place = place_in_build(run.system());
    return (place.empty() ? std::filesystem::path(run.system().start.executable).filename() : place).string();
}

std::string source_of_claim(const claim_context& context) {
    return source_of(context.where.file, context.where.line, place_of_program(context.run));
}

baseline_entry entry_of(const claim_context& context, std::vector<stored_process> processes) {
    return {.key = context.key,
            .unit = context.unit_name(),
            .direction = context.query.direction,
            .source = source_of_claim(context),
            .recorded_on = machine_of(context),
            .processes = std::move(processes)};
}

stored_data<baseline_lookup> find_baseline(const claim_context& context) {
    return find_in_stores(context,
                          [&](const baseline_store& store) { return context.run.stored_in(store).find(context.key); });
}

/// The change beyond the bound that the stored processes detect, in the direction that the claim forbids; for a
/// tolerance, the larger one of both directions. 0 if unknown.
inline double detectable_by(const claim_context& context, const comparable_processes& stored) {
    const auto towards = [&](direction claimed) { return detectable_by(stored, claimed).value_or(0.0); };
    if (context.has_tolerance()) return std::max(towards(direction::less), towards(direction::more));
    return towards(context.claims_less() ? direction::less : direction::more);
}

std::string detectable_text(const claim_context& context, double detectable) {
    if (!std::isfinite(detectable)) return "nothing below ten times the bound";
    if (context.has_tolerance()) return format_percentage(detectable) + " or more beyond either side";
    return format_change(context.claims_less() ? detectable : -detectable) + " or more beyond the bound";
}

/// Advice on a baseline that misses most regressions; empty for others. The spread that refuses an update is robust, so
/// it does not show a few processes under load.
inline std::string advice_on_resolution(const claim_context& context, const baseline_origin& origin) {
    constexpr double usual = 0.5;
    if (origin.detectable <= usual) return {};
    return "; it misses smaller changes, so record it again when the machine has less to do: " +
           update_variables(context, origin.file, "all");
}

std::string resolution_text(const claim_context& context, const claim_result& result) {
    const baseline_origin& origin = *result.baseline;
    const std::string sessions = ", from " + counted(origin.sessions, "recording session");
    if (result.evidence.exact) return "detects any other count" + sessions;
    const disturbances usual = usual_disturbances(context, result);
    std::string text = "detects " + detectable_text(context, origin.detectable) + sessions;
    if ((is_clocked(context.query.metric) || takes_wall_time(context)) && was_shared(usual))
        text += fmt::format("; other processes used {:.1f} of {} cores, so its value may be off by up to {}",
                            usual.others_cores, usual.cores, format_percentage(largest_effect_of_sharing - 1.0));
    return text + advice_on_resolution(context, origin);
}

baseline_origin origin_of(const claim_context& context, const std::string& file, const baseline_entry& entry,
                          baseline_action action) {
    const comparable_processes stored = processes_to_compare(context, entry);
    const std::vector<double> values = values_to_compare(context, stored);
    baseline_origin origin;
    origin.file = file;
    origin.key = entry.key;
    origin.median = median(values);
    origin.processes = entry.processes.size();
    const stored_session newest = sessions_of(entry.processes).back();
    origin.recorded = newest.time;
    origin.commit = newest.commit;
    origin.detectable = detectable_by(context, stored);
    origin.sessions = stored.sessions;
    origin.drift = stored.drift;
    origin.values = values;
    origin.action = action;
    origin.machine = machine_of(context);
    origin.headroom = headroom_of(context, origin.median).fraction;
    return origin;
}

claim_result with_baseline(const claim_context& context, claim_result result, baseline_origin origin) {
    const bool is_refused = origin.action == baseline_action::refused;
    result.bound = bound_of(context, origin.median);
    result.bound_text = bound_formula(context, origin.median) + (is_refused ? ", of " : ", a baseline of ") +
                        counted(origin.processes, "process") + (is_refused ? " that are not recorded" : "");
    result.baseline = std::move(origin);
    return result;
}

}  // namespace perfspec::inline v0_2::detail
