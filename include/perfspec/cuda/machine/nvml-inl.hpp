// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/cuda_driver.hpp>
#include <perfspec/cuda/machine/nvml.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

foreign_use use_by_others(std::vector<computing_process> computing, kin (*kin_of)(unsigned pid)) {
    std::ranges::sort(computing, std::ranges::greater{}, &computing_process::percentage);
    const auto is_own = [&](const computing_process& each) { return kin_of(each.pid) == kin::own; };
    bool is_own_known = std::ranges::any_of(computing, is_own);
    foreign_use all;
    for (const computing_process& each : computing) {
        const kin who = kin_of(each.pid);
        const bool is_this = who == kin::own || (who == kin::unseen && !is_own_known);
        is_own_known = is_own_known || is_this;
        if (is_this) continue;
        ++all.processes;
        all.share = std::min(1.0, all.share + static_cast<double>(each.percentage) / 100.0);
    }
    return all;
}

/// By which factor sharing the GPU slows work down at most.
[[nodiscard]] inline double slowdown_by_others(const foreign_use& use) {
    const double turns = static_cast<double>(1 + use.processes);
    return use.share < 1.0 ? std::min(turns, 1.0 / (1.0 - use.share)) : turns;
}

/// The seconds that the GPU was held back between two moments, and their share of the time.
struct held_back {
    double seconds{};
    double share{};
};

[[nodiscard]] inline held_back held_back_between(const std::optional<time_held_back>& before,
                                                 const std::optional<time_held_back>& after) {
    if (!before || !after || after->nanoseconds <= before->nanoseconds) return {};
    const double seconds = static_cast<double>(after->nanoseconds - before->nanoseconds) / 1e9;
    if (after->until_microseconds <= before->until_microseconds) return {seconds, 1.0};
    return {seconds, seconds / (static_cast<double>(after->until_microseconds - before->until_microseconds) / 1e6)};
}

inline constexpr double least_share_held_back = 0.01;

[[nodiscard]] inline std::vector<std::string> reasons_of_slowness(const gpu_state& before, const gpu_state& after,
                                                                  double heat_share, double power_share) {
    const auto is_slow_by = [&](slow_clock reason) { return before.is_slow_by(reason) || after.is_slow_by(reason); };
    const bool is_hot =
        is_slow_by(slow_clock::heat) || is_slow_by(slow_clock::heat_of_hardware) || heat_share >= least_share_held_back;
    const bool is_braked = is_slow_by(slow_clock::power_brake);
    std::vector<std::string> all;
    if (is_hot) all.emplace_back("heat");
    if (is_braked) all.emplace_back("power brake");
    if (is_slow_by(slow_clock::hardware) && !is_hot && !is_braked) all.emplace_back("hardware");
    if (is_slow_by(slow_clock::power_limit) || power_share >= least_share_held_back) all.emplace_back("power limit");
    if (is_slow_by(slow_clock::sync_boost)) all.emplace_back("sync boost");
    return all;
}

/// Whether the machine slowed the GPU down, and not the work that it does: work at the power limit is as slow in every
/// run.
[[nodiscard]] inline bool is_of_machine(std::string_view reason) { return reason != "power limit"; }

/// The factor by which a reduced clock slows work down. An idle GPU has a low clock, too, which says nothing.
[[nodiscard]] inline double slowdown_by_clock(const gpu_state& end) {
    constexpr double at_least = 2.0;
    const bool is_reduced = end.is_slow_by(slow_clock::heat) || end.is_slow_by(slow_clock::heat_of_hardware) ||
                            end.is_slow_by(slow_clock::hardware) || end.is_slow_by(slow_clock::power_brake) ||
                            end.is_slow_by(slow_clock::sync_boost);
    if (!is_reduced || end.is_slow_by(slow_clock::idle) || end.sm_mhz.value_or(0) == 0 || !end.max_sm_mhz)
        return at_least;
    return std::max(1.0, static_cast<double>(*end.max_sm_mhz) / static_cast<double>(*end.sm_mhz));
}

[[nodiscard]] inline double number_told(const std::optional<unsigned>& told) {
    return static_cast<double>(told.value_or(0));
}

gpu_activity activity_between(std::string_view device, const gpu_state& before, const gpu_state& after,
                              kin (*kin_of)(unsigned pid)) {
    const held_back heat = held_back_between(before.by_heat, after.by_heat);
    const held_back power = held_back_between(before.by_power, after.by_power);
    const foreign_use others = use_by_others(after.computing, kin_of);
    gpu_activity seen{.device = std::string(device),
                      .sm_mhz = number_told(after.sm_mhz),
                      .max_sm_mhz = number_told(after.max_sm_mhz),
                      .celsius = number_told(after.celsius),
                      .watts = after.watts.value_or(0.0),
                      .watts_limit = after.watts_limit.value_or(0.0),
                      .heat_seconds = heat.seconds,
                      .power_seconds = power.seconds,
                      .slowed_by = reasons_of_slowness(before, after, heat.share, power.share),
                      .others = others.processes};
    if (std::ranges::any_of(seen.slowed_by, is_of_machine)) seen.slowdown = slowdown_by_clock(after);
    seen.slowdown *= slowdown_by_others(others);
    return seen;
}

std::string activity_text(const gpu_activity& seen) {
    std::vector<std::string> parts;
    if (!seen.slowed_by.empty()) {
        parts.push_back(fmt::format("slowed down by {}", fmt::join(seen.slowed_by, " and ")));
        if (seen.max_sm_mhz > 0.0) parts.push_back(fmt::format("{:.0f} of {:.0f} MHz", seen.sm_mhz, seen.max_sm_mhz));
        if (seen.celsius > 0.0) parts.push_back(fmt::format("{:.0f} degrees", seen.celsius));
        if (seen.watts_limit > 0.0) parts.push_back(fmt::format("{:.0f} of {:.0f} W", seen.watts, seen.watts_limit));
    }
    if (seen.others > 0) parts.push_back("used by " + counted(seen.others, "other process"));
    return parts.empty() ? std::string() : fmt::format("{} {}", seen.device, fmt::join(parts, ", "));
}

device_activity as_of_device(const gpu_activity& seen) {
    device_activity told{.device = seen.device,
                         .text = activity_text(seen),
                         .slowdown = seen.slowdown,
                         .others = seen.others,
                         .facts = {}};
    const auto add = [&](const char* name, double value) {
        if (value > 0.0) told.facts.emplace_back(name, fmt::format("{:g}", value));
    };
    add("sm_mhz", seen.sm_mhz);
    add("max_sm_mhz", seen.max_sm_mhz);
    add("celsius", seen.celsius);
    add("watts", seen.watts);
    add("watts_limit", seen.watts_limit);
    add("heat_seconds", seen.heat_seconds);
    add("power_seconds", seen.power_seconds);
    return told;
}

nvml_library load_nvml(const std::string& library) {
    const shared_library loaded(library);
    nvml_library nvml;
    nvml.fault = loaded.fault();
    loaded.find("nvmlInit_v2", nvml.init);
    loaded.find("nvmlErrorString", nvml.error_string);
    loaded.find("nvmlDeviceGetHandleByUUID", nvml.by_uuid);
    loaded.find("nvmlDeviceGetHandleByPciBusId_v2", nvml.by_bus_id);
    loaded.find("nvmlDeviceGetClockInfo", nvml.clock);
    loaded.find("nvmlDeviceGetMaxClockInfo", nvml.max_clock);
    loaded.find("nvmlDeviceGetApplicationsClock", nvml.set_clock);
    loaded.find("nvmlDeviceGetDefaultApplicationsClock", nvml.default_clock);
    loaded.find("nvmlDeviceGetTemperature", nvml.temperature);
    loaded.find("nvmlDeviceGetPowerUsage", nvml.power);
    loaded.find("nvmlDeviceGetEnforcedPowerLimit", nvml.power_limit);
    loaded.find("nvmlDeviceGetPersistenceMode", nvml.persistence);
    loaded.find("nvmlDeviceGetCurrentClocksEventReasons", nvml.reasons);
    if (nvml.reasons == nullptr)
        loaded.find("nvmlDeviceGetCurrentClocksThrottleReasons", nvml.reasons);  // before driver 535
    loaded.find("nvmlDeviceGetViolationStatus", nvml.held_back);
    loaded.find("nvmlDeviceGetComputeRunningProcesses_v3", nvml.holders);
    loaded.find("nvmlDeviceGetProcessUtilization", nvml.uses);
    return nvml;
}

/// Numbers of nvmlClockType_t, nvmlTemperatureSensors_t, nvmlPerfPolicyType_t and nvmlReturn_t.
inline constexpr unsigned clock_of_multiprocessors = 1;
inline constexpr unsigned clock_of_graphics = 0;
inline constexpr unsigned sensor_of_gpu = 0;
inline constexpr int policy_of_power = 0;
inline constexpr int policy_of_heat = 1;
inline constexpr int nvml_needs_more_room = 7;

[[nodiscard]] inline std::string describe_nvml_error(const nvml_library& nvml, int error) {
    const char* const text = nvml.error_string == nullptr ? nullptr : nvml.error_string(error);
    return text == nullptr ? fmt::format("error {} of NVML", error) : fmt::format("NVML says: {}", text);
}

/// The answer of a function with one result; nothing where the library or the GPU does not have it.
template <class Result, class Function, class... Arguments>
[[nodiscard]] std::optional<Result> told_by(Function* ask, nvml_library::device gpu, Arguments... about) {
    Result answer{};
    if (ask == nullptr || ask(gpu, about..., &answer) != 0) return {};
    return answer;
}

[[nodiscard]] inline std::optional<double> watts_told_by(int (*ask)(nvml_library::device, unsigned*),
                                                         nvml_library::device gpu) {
    const auto milliwatts = told_by<unsigned>(ask, gpu);
    if (!milliwatts) return {};
    return static_cast<double>(*milliwatts) / 1e3;
}

[[nodiscard]] inline std::optional<time_held_back> time_held_back_by(const nvml_library& nvml, nvml_library::device gpu,
                                                                     int policy) {
    const auto told = told_by<nvml_violation>(nvml.held_back, gpu, policy);
    if (!told) return {};
    return time_held_back{.nanoseconds = told->nanoseconds, .until_microseconds = told->until_microseconds};
}

[[nodiscard]] inline std::vector<unsigned> holders_of(const nvml_library& nvml, nvml_library::device gpu) {
    if (nvml.holders == nullptr) return {};
    unsigned count = 0;
    if (nvml.holders(gpu, &count, nullptr) != nvml_needs_more_room || count == 0) return {};
    std::vector<nvml_holder> all(count + 8);  // some may have come since
    count = static_cast<unsigned>(all.size());
    if (nvml.holders(gpu, &count, all.data()) != 0) return {};
    std::vector<unsigned> pids;
    for (const nvml_holder& each : all)
        if (pids.size() < count) pids.push_back(each.pid);
    return pids;
}

/// The processes of several samples, each with its highest share.
[[nodiscard]] inline std::vector<computing_process> computing_in(const std::vector<nvml_use>& samples,
                                                                 std::uint64_t since) {
    std::vector<computing_process> all;
    for (const nvml_use& each : samples) {
        if (each.multiprocessors == 0 || each.microseconds <= since) continue;
        const auto known = std::ranges::find(all, each.pid, &computing_process::pid);
        if (known == all.end()) all.push_back({each.pid, each.multiprocessors});
        else known->percentage = std::max(known->percentage, each.multiprocessors);
    }
    return all;
}

[[nodiscard]] inline std::vector<nvml_use> uses_of(const nvml_library& nvml, nvml_library::device gpu,
                                                   std::uint64_t since) {
    if (nvml.uses == nullptr) return {};
    unsigned count = 0;
    if (nvml.uses(gpu, nullptr, &count, since) != nvml_needs_more_room || count == 0) return {};
    std::vector<nvml_use> samples(count);
    if (nvml.uses(gpu, samples.data(), &count, since) != 0) return {};
    samples.resize(std::min<std::size_t>(count, samples.size()));
    return samples;
}

/// A GPU as the library knows it, and the slice of it that is asked for. Both are the same where there are no slices.
struct nvml_handles {
    nvml_library::device whole{};
    nvml_library::device slice{};
    std::string fault{};
};

[[nodiscard]] inline nvml_handles find_in_nvml(const nvml_library& nvml, const gpu_facts& of) {
    nvml_handles found;
    const auto find = [&](int (*by)(const char*, nvml_library::device*), const std::string& name,
                          nvml_library::device& into) {
        if (by == nullptr || name.empty()) return;
        const int failed = by(name.c_str(), &into);
        if (failed == 0) return;
        found.fault = describe_nvml_error(nvml, failed);
        into = nullptr;  // whatever it holds is no GPU
    };
    find(nvml.by_uuid, of.uuid, found.slice);
    if (of.is_slice || found.slice == nullptr) find(nvml.by_bus_id, of.pci_bus_id, found.whole);
    if (found.whole == nullptr) found.whole = found.slice;
    if (found.slice == nullptr) found.slice = found.whole;
    if (found.whole != nullptr) found.fault.clear();
    else if (found.fault.empty())
        found.fault = "the driver tells neither a unique name nor a place on the bus, by which NVML could find it";
    return found;
}

[[nodiscard]] inline gpu_state state_of(const nvml_library& nvml, const nvml_handles& gpu, std::uint64_t since) {
    gpu_state now;
    now.sm_mhz = told_by<unsigned>(nvml.clock, gpu.whole, clock_of_multiprocessors);
    now.max_sm_mhz = told_by<unsigned>(nvml.max_clock, gpu.whole, clock_of_multiprocessors);
    now.set_mhz = told_by<unsigned>(nvml.set_clock, gpu.whole, clock_of_graphics);
    now.default_mhz = told_by<unsigned>(nvml.default_clock, gpu.whole, clock_of_graphics);
    now.celsius = told_by<unsigned>(nvml.temperature, gpu.whole, sensor_of_gpu);
    now.watts = watts_told_by(nvml.power, gpu.whole);
    now.watts_limit = watts_told_by(nvml.power_limit, gpu.whole);
    if (const auto is_on = told_by<int>(nvml.persistence, gpu.whole)) now.persistence = *is_on != 0;
    now.reasons = told_by<unsigned long long>(nvml.reasons, gpu.whole);
    now.by_power = time_held_back_by(nvml, gpu.whole, policy_of_power);
    now.by_heat = time_held_back_by(nvml, gpu.whole, policy_of_heat);
    now.holders = holders_of(nvml, gpu.slice);
    const std::vector<nvml_use> uses = uses_of(nvml, gpu.slice, since);
    now.computing = computing_in(uses, since);
    now.computing_until = since;
    for (const nvml_use& each : uses)
        now.computing_until = std::max<std::uint64_t>(now.computing_until, each.microseconds);
    return now;
}

gpu_reading read_gpu_state(const nvml_library& nvml, const gpu_facts& of, std::uint64_t since_microseconds) {
    if (!nvml.fault.empty()) return {.state = {}, .fault = nvml.fault};
    if (nvml.init == nullptr) return {.state = {}, .fault = "the library lacks nvmlInit_v2: it is none of NVIDIA's"};
    if (const int failed = nvml.init(); failed != 0) return {.state = {}, .fault = describe_nvml_error(nvml, failed)};
    const nvml_handles gpu = find_in_nvml(nvml, of);
    if (!gpu.fault.empty()) return {.state = {}, .fault = gpu.fault};
    return {.state = state_of(nvml, gpu, since_microseconds), .fault = {}};
}

}  // namespace perfspec::detail
