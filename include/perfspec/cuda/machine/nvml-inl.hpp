// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/nvml.hpp>
#include <perfspec/cuda/machine/shared_library.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace perfspec::detail {

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
