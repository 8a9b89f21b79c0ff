// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/gpu/cuda_driver.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// Whether a process is the other one, or descends from it. Stops after 1000 steps, since numbers are reused.
[[nodiscard]] inline bool descends_from(unsigned pid, unsigned ancestor,
                                        std::optional<unsigned> (*parent_of)(unsigned pid)) {
    std::optional<unsigned> at = pid;
    for (int i = 0; i < 1000 && at && *at != 0; ++i, at = parent_of(*at))
        if (*at == ancestor) return true;
    return false;
}

kin kin_of_process(unsigned pid, unsigned self, std::optional<unsigned> (*parent_of)(unsigned pid)) {
    if (!parent_of(pid)) return kin::unseen;
    return descends_from(pid, self, parent_of) || descends_from(self, pid, parent_of) ? kin::own : kin::stranger;
}

std::optional<unsigned> parent_of_process(unsigned pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream rest(line.substr(line.rfind(')') + 1));  // a name may hold blanks and brackets
    char state{};
    unsigned parent{};
    return rest >> state >> parent ? std::optional(parent) : std::nullopt;
}

cuda_driver load_cuda_driver(const std::string& library) {
    const shared_library loaded(library);
    cuda_driver driver;
    driver.fault = loaded.fault();
    loaded.find("cuInit", driver.init);
    loaded.find("cuDeviceGetCount", driver.count);
    loaded.find("cuDeviceGet", driver.device);
    loaded.find("cuDeviceGetName", driver.name);
    loaded.find("cuDeviceGetUuid_v2", driver.uuid);
    loaded.find("cuDeviceGetPCIBusId", driver.pci_bus_id);
    loaded.find("cuDeviceTotalMem_v2", driver.memory);
    loaded.find("cuDeviceGetAttribute", driver.attribute);
    loaded.find("cuDriverGetVersion", driver.version);
    loaded.find("cuGetErrorName", driver.error_name);
    loaded.find("cuGetErrorString", driver.error_string);
    return driver;
}

/// "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected".
[[nodiscard]] inline std::string describe_driver_error(const cuda_driver& driver, int error) {
    const auto text_by = [&](int (*text_of)(int, const char**)) {
        const char* text = nullptr;
        return text_of != nullptr && text_of(error, &text) == 0 && text != nullptr ? std::string(text) : std::string();
    };
    const std::string name = text_by(driver.error_name);
    return name.empty() ? fmt::format("error {} of the CUDA driver", error)
                        : name + ": " + text_by(driver.error_string);
}

/// Empty if the driver does not tell it.
[[nodiscard]] inline std::string uuid_of(const cuda_driver& driver, int device, bool is_slice) {
    cuda_uuid uuid;
    const bool is_known = driver.uuid != nullptr && driver.uuid(&uuid, device) == 0;
    if (!is_known || std::ranges::all_of(uuid.bytes, [](unsigned char b) { return b == 0; })) return {};
    std::string text = is_slice ? "MIG" : "GPU";
    for (std::size_t i = 0; i < uuid.bytes.size(); ++i)
        text += fmt::format("{}{:02x}", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid.bytes[i]);
    return text;
}

[[nodiscard]] inline std::vector<versioned_library> libraries_of(const cuda_driver& driver, int device,
                                                                 const std::string& name) {
    const auto attribute = [&](int which) -> std::optional<int> {
        int value = 0;
        if (driver.attribute == nullptr || driver.attribute(&value, which, device) != 0) return {};
        return value;
    };
    constexpr int multiprocessors = 16, ecc = 32, major = 75, minor = 76;  // of CUdevice_attribute
    constexpr double gib = 1024.0 * 1024.0 * 1024.0;
    std::size_t bytes = 0;
    int version = 0;
    std::vector<versioned_library> all;
    if (driver.version != nullptr && driver.version(&version) == 0 && version > 0)
        all.push_back({"CUDA of the driver", fmt::format("{}.{}", version / 1000, version % 1000 / 10)});
    all.push_back({"GPU", name});
    if (const auto is_on = attribute(ecc)) all.push_back({"GPU ECC", *is_on != 0 ? "on" : "off"});
    if (attribute(major) && attribute(minor))
        all.push_back({"GPU compute capability", fmt::format("{}.{}", *attribute(major), *attribute(minor))});
    if (driver.memory != nullptr && driver.memory(&bytes, device) == 0)
        all.push_back({"GPU memory", fmt::format("{:.1f} GiB", static_cast<double>(bytes) / gib)});
    if (const auto many = attribute(multiprocessors)) all.push_back({"GPU multiprocessors", std::to_string(*many)});
    return all;
}

/// Why the driver cannot be used; empty if it can.
[[nodiscard]] inline std::string fault_of_driver(const cuda_driver& driver) {
    if (!driver.fault.empty()) return driver.fault;
    if (driver.init == nullptr || driver.count == nullptr || driver.device == nullptr || driver.name == nullptr)
        return "the driver lacks cuInit, cuDeviceGetCount, cuDeviceGet or cuDeviceGetName, so it is not NVIDIA's "
               "driver";
    const int failed = driver.init(0);
    return failed == 0 ? std::string() : describe_driver_error(driver, failed);
}

gpu_count count_gpus(const cuda_driver& driver) {
    gpu_count count{.gpus = 0, .fault = fault_of_driver(driver)};
    if (!count.fault.empty()) return count;
    const int failed = driver.count(&count.gpus);
    if (failed != 0) return {.gpus = 0, .fault = describe_driver_error(driver, failed)};
    if (count.gpus <= 0) return {.gpus = 0, .fault = "the driver shows no GPU to this process"};
    return count;
}

gpu_facts identify_gpu(const cuda_driver& driver, int ordinal) {
    gpu_facts gpu{.fault = fault_of_driver(driver)};
    if (!gpu.fault.empty()) return gpu;
    int device = 0;
    std::array<char, 256> text{};
    int failed = driver.device(&device, ordinal);
    if (failed == 0) failed = driver.name(text.data(), static_cast<int>(text.size()) - 1, device);
    if (failed != 0) return {.fault = describe_driver_error(driver, failed)};
    gpu.name = text.data();
    if (gpu.name.empty()) return {.fault = "the driver does not report the name of the GPU"};
    text.fill('\0');
    if (driver.pci_bus_id != nullptr && driver.pci_bus_id(text.data(), static_cast<int>(text.size()) - 1, device) == 0)
        gpu.pci_bus_id = text.data();
    gpu.uuid = uuid_of(driver, device, gpu.name.find(" MIG ") != std::string::npos);
    gpu.libraries = libraries_of(driver, device, gpu.name);
    return gpu;
}

foreign_use use_by_others(const std::vector<nvml_use>& uses, kin (*kin_of)(unsigned pid)) {
    std::map<unsigned, unsigned> share_of;  // the highest of each process
    for (const nvml_use& each : uses)
        if (each.multiprocessors != 0) share_of[each.pid] = std::max(share_of[each.pid], each.multiprocessors);
    std::vector<std::pair<unsigned, unsigned>> busiest_first;  // shares and processes
    for (const auto& [pid, share] : share_of) busiest_first.emplace_back(share, pid);
    std::ranges::sort(busiest_first, std::ranges::greater{});
    bool is_own_known = std::ranges::any_of(share_of, [&](const auto& each) { return kin_of(each.first) == kin::own; });
    foreign_use all;
    for (const auto& [share, pid] : busiest_first) {
        const kin who = kin_of(pid);
        const bool is_this = who == kin::own || (who == kin::unseen && !is_own_known);
        is_own_known = is_own_known || is_this;
        if (is_this) continue;
        ++all.processes;
        all.share = std::min(1.0, all.share + share / 100.0);
    }
    return all;
}

/// The largest factor by which sharing the GPU slows work down.
[[nodiscard]] inline double slowdown_by_others(const foreign_use& use) {
    const double turns = static_cast<double>(1 + use.processes);
    return use.share < 1.0 ? std::min(turns, 1.0 / (1.0 - use.share)) : turns;
}

/// Seconds of a reduced clock between two moments, and their share of the time.
struct slow_time {
    double seconds{};
    double share{};
};

[[nodiscard]] inline slow_time slow_time_between(const std::optional<nvml_violation>& before,
                                                 const std::optional<nvml_violation>& after) {
    if (!before || !after || after->nanoseconds <= before->nanoseconds) return {};
    const double seconds = static_cast<double>(after->nanoseconds - before->nanoseconds) / 1e9;
    if (after->until_microseconds <= before->until_microseconds) return {seconds, 1.0};
    return {seconds, seconds / (static_cast<double>(after->until_microseconds - before->until_microseconds) / 1e6)};
}

std::vector<std::string> reasons_of_slowness(const gpu_state& before, const gpu_state& after) {
    constexpr double least_share = 0.01;
    const auto is_slow_by = [&](slow_clock reason) { return before.is_slow_by(reason) || after.is_slow_by(reason); };
    const bool is_hot = is_slow_by(slow_clock::heat) || is_slow_by(slow_clock::heat_of_hardware) ||
                        slow_time_between(before.by_heat, after.by_heat).share >= least_share;
    const bool is_braked = is_slow_by(slow_clock::power_brake);
    const bool is_limited =
        is_slow_by(slow_clock::power_limit) || slow_time_between(before.by_power, after.by_power).share >= least_share;
    std::vector<std::string> all;
    if (is_hot) all.emplace_back("heat");
    if (is_braked) all.emplace_back("power brake");
    if (is_slow_by(slow_clock::hardware) && !is_hot && !is_braked) all.emplace_back("hardware");
    if (is_limited) all.emplace_back("power limit");
    if (is_slow_by(slow_clock::sync_boost)) all.emplace_back("sync boost");
    return all;
}

/// Whether the machine, not the work itself, slowed the GPU down: work at the power limit is as slow in every run.
[[nodiscard]] inline bool is_of_machine(std::string_view reason) { return reason != "power limit"; }

/// The factor by which a reduced clock slows work down. The low clock of an idle GPU does not count.
[[nodiscard]] inline double slowdown_by_clock(const gpu_state& end) {
    constexpr double at_least = 2.0;
    using enum slow_clock;
    const bool is_reduced = std::ranges::any_of(std::array{heat, heat_of_hardware, hardware, power_brake, sync_boost},
                                                [&](slow_clock reason) { return end.is_slow_by(reason); });
    if (!is_reduced || end.is_slow_by(slow_clock::idle) || end.sm_mhz.value_or(0) == 0 || !end.max_sm_mhz)
        return at_least;
    return std::max(1.0, static_cast<double>(*end.max_sm_mhz) / static_cast<double>(*end.sm_mhz));
}

/// "cuda:0 slowed down by heat, 1100 of 1980 MHz, 89 degrees"; empty without reasons and other users.
[[nodiscard]] inline std::string activity_text(std::string_view device, const std::vector<std::string>& reasons,
                                               const gpu_state& end, std::size_t others) {
    std::vector<std::string> parts;
    if (!reasons.empty()) {
        parts.push_back(fmt::format("slowed down by {}", fmt::join(reasons, " and ")));
        if (end.max_sm_mhz) parts.push_back(fmt::format("{} of {} MHz", end.sm_mhz.value_or(0), *end.max_sm_mhz));
        if (end.celsius) parts.push_back(fmt::format("{} degrees", *end.celsius));
        if (end.watts_limit)
            parts.push_back(fmt::format("{:.0f} of {:.0f} W", end.watts.value_or(0.0), *end.watts_limit));
    }
    if (others > 0) parts.push_back("used by " + counted(others, "other process"));
    return parts.empty() ? std::string() : fmt::format("{} {}", device, fmt::join(parts, ", "));
}

device_activity activity_between(std::string_view device, const gpu_state& before, const gpu_state& after,
                                 kin (*kin_of)(unsigned pid)) {
    const std::vector<std::string> reasons = reasons_of_slowness(before, after);
    const foreign_use others = use_by_others(after.uses, kin_of);
    device_activity activity{.device = std::string(device),
                             .text = activity_text(device, reasons, after, others.processes),
                             .slowdown = slowdown_by_others(others),
                             .others = others.processes,
                             .facts = {}};
    if (std::ranges::any_of(reasons, is_of_machine)) activity.slowdown *= slowdown_by_clock(after);
    const auto add = [&](const char* name, double value) {
        if (value > 0.0) activity.facts.emplace_back(name, fmt::format("{:g}", value));
    };
    add("sm_mhz", after.sm_mhz.value_or(0));
    add("max_sm_mhz", after.max_sm_mhz.value_or(0));
    add("celsius", after.celsius.value_or(0));
    add("watts", after.watts.value_or(0.0));
    add("watts_limit", after.watts_limit.value_or(0.0));
    add("heat_seconds", slow_time_between(before.by_heat, after.by_heat).seconds);
    add("power_seconds", slow_time_between(before.by_power, after.by_power).seconds);
    return activity;
}

nvml_library load_nvml(const std::string& library) {
    const shared_library loaded(library);
    nvml_library nvml;
    nvml.fault = loaded.fault();
    loaded.find("nvmlInit_v2", nvml.init);
    loaded.find("nvmlErrorString", nvml.error_string);
    loaded.find("nvmlDeviceGetHandleByPciBusId_v2", nvml.by_bus_id);
    loaded.find("nvmlDeviceGetClockInfo", nvml.clock);
    loaded.find("nvmlDeviceGetMaxClockInfo", nvml.max_clock);
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

/// The result of a function; none if the library or the GPU lacks it.
template <class Result, class Function, class... Arguments>
[[nodiscard]] std::optional<Result> result_of(Function* function, nvml_library::device gpu, Arguments... arguments) {
    Result result{};
    if (function == nullptr || function(gpu, arguments..., &result) != 0) return {};
    return result;
}

[[nodiscard]] inline std::optional<double> watts_of(int (*function)(nvml_library::device, unsigned*),
                                                    nvml_library::device gpu) {
    const auto milliwatts = result_of<unsigned>(function, gpu);
    return milliwatts ? std::optional(*milliwatts / 1e3) : std::nullopt;
}

/// The results of a function that first returns their number.
template <class Each, class Function> [[nodiscard]] std::vector<Each> results_of(Function function) {
    constexpr int needs_more_room = 7;  // of nvmlReturn_t
    unsigned count = 0;
    if (function(&count, static_cast<Each*>(nullptr)) != needs_more_room) return {};
    std::vector<Each> all(count + 8);  // some may have come since
    count = static_cast<unsigned>(all.size());
    if (function(&count, all.data()) != 0) return {};
    all.resize(std::min<std::size_t>(count, all.size()));
    return all;
}

[[nodiscard]] inline gpu_state state_of(const nvml_library& nvml, nvml_library::device gpu, std::uint64_t since) {
    // Numbers of nvmlClockType_t, nvmlTemperatureSensors_t and nvmlPerfPolicyType_t.
    constexpr unsigned clock_of_multiprocessors = 1, sensor_of_gpu = 0;
    constexpr int policy_of_power = 0, policy_of_heat = 1;
    gpu_state now;
    now.sm_mhz = result_of<unsigned>(nvml.clock, gpu, clock_of_multiprocessors);
    now.max_sm_mhz = result_of<unsigned>(nvml.max_clock, gpu, clock_of_multiprocessors);
    now.celsius = result_of<unsigned>(nvml.temperature, gpu, sensor_of_gpu);
    now.watts = watts_of(nvml.power, gpu);
    now.watts_limit = watts_of(nvml.power_limit, gpu);
    if (const auto is_on = result_of<int>(nvml.persistence, gpu)) now.persistence = *is_on != 0;
    now.reasons = result_of<unsigned long long>(nvml.reasons, gpu);
    now.by_power = result_of<nvml_violation>(nvml.held_back, gpu, policy_of_power);
    now.by_heat = result_of<nvml_violation>(nvml.held_back, gpu, policy_of_heat);
    if (nvml.holders != nullptr)
        for (const nvml_holder& each :
             results_of<nvml_holder>([&](unsigned*count, nvml_holder*all) { return nvml.holders(gpu, count, all); }))
            now.holders.push_back(each.pid);
    if (nvml.uses != nullptr)
        now.uses =
            results_of<nvml_use>([&](unsigned* count, nvml_use* all) { return nvml.uses(gpu, all, count, since); });
    return now;
}

gpu_state read_gpu_state(const nvml_library& nvml, const std::string& pci_bus_id, std::uint64_t since_microseconds) {
    if (!nvml.fault.empty()) return {.fault = nvml.fault};
    if (nvml.init == nullptr || nvml.by_bus_id == nullptr)
        return {.fault =
                    "the library lacks nvmlInit_v2 or nvmlDeviceGetHandleByPciBusId_v2, so it is not NVIDIA's NVML"};
    nvml_library::device gpu{};
    int failed = nvml.init();
    if (failed == 0) failed = nvml.by_bus_id(pci_bus_id.c_str(), &gpu);
    if (failed == 0) return state_of(nvml, gpu, since_microseconds);
    const char* const text = nvml.error_string == nullptr ? nullptr : nvml.error_string(failed);
    return {.fault = text == nullptr ? fmt::format("error {} of NVML", failed) : fmt::format("NVML reports: {}", text)};
}

}  // namespace perfspec::inline v0_2::detail
