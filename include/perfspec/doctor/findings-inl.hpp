// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/doctor/findings.hpp>
#include <perfspec/measure/gpu/activity_between.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace perfspec {
namespace detail {

/// The trimmed text of a small kernel file; nothing where the file cannot be read.
inline std::optional<std::string> kernel_text(const file_system& files, const std::string& path) {
    const file_text read = files.read(path, std::size_t{1} << 16U);
    if (read.outcome != read_outcome::complete) return {};
    return std::string(trimmed(read.text));
}

inline machine_finding unknown_finding(const char* what) {
    return {concern::unknown, what, "not told",
            "a virtual machine or a container often does not say; its host decides"};
}

/// A kernel file with the wanted text.
struct kernel_setting {
    const char* what;
    const char* path;
    std::string_view wanted;
    const char* seen_as_wanted;
    const char* seen_otherwise;  ///< "{}" is replaced by the text of the file
    const char* advice;
};

constexpr kernel_setting kernel_settings[] = {
    {"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance", "performance", "{}",
     "sudo cpupower frequency-set -g performance"},
    {"turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", "1", "off",
     "on: clocks depend on heat and on neighbours", "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"},
    {"turbo", "/sys/devices/system/cpu/cpufreq/boost", "0", "off", "on: clocks depend on heat and on neighbours",
     "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"},
    {"SMT", "/sys/devices/system/cpu/smt/active", "0", "off", "on: two threads share a core",
     "echo off | sudo tee /sys/devices/system/cpu/smt/control, or leave one thread of the core idle"},
    {"layout", "/proc/sys/kernel/randomize_va_space", "2",
     "addresses are random: each launch has its own layout, which stored launches average",
     "addresses are not random ({}): launches repeat one layout, and a baseline knows no other",
     "echo 2 | sudo tee /proc/sys/kernel/randomize_va_space"},
};

inline std::optional<machine_finding> examine_setting(const file_system& files, const kernel_setting& s) {
    const auto text = kernel_text(files, s.path);
    if (!text) return {};
    if (*text == s.wanted) return machine_finding{concern::fine, s.what, s.seen_as_wanted, ""};
    return machine_finding{concern::improvable, s.what, fmt::format(fmt::runtime(s.seen_otherwise), *text), s.advice};
}

/// Examines every setting by name. Where a setting has several files, the first that exists counts.
inline void examine_settings(const file_system& files, std::vector<machine_finding>& found) {
    for (const kernel_setting& s : kernel_settings) {
        const bool known = !found.empty() && found.back().what == s.what;
        if (known && found.back().level != concern::unknown) continue;
        const auto finding = examine_setting(files, s);
        if (known && finding) found.back() = *finding;
        if (!known) found.push_back(finding.value_or(unknown_finding(s.what)));
    }
}

inline machine_finding examine_idle_states(const file_system& files) {
    const auto driver = kernel_text(files, "/sys/devices/system/cpu/cpuidle/current_driver");
    if (!driver) return unknown_finding("idle states");
    if (*driver == "none" || *driver == "haltpoll") return {concern::fine, "idle states", *driver, ""};
    return {concern::improvable, "idle states", *driver + ": waking up from a deep one takes time",
            "sudo cpupower idle-set -D 10"};
}

inline machine_finding examine_isolation(const file_system& files) {
    const auto isolated = kernel_text(files, "/sys/devices/system/cpu/isolated");
    if (!isolated) return unknown_finding("isolated cores");
    if (!isolated->empty())
        return {concern::fine, "isolated cores", *isolated + ": run there with taskset -c " + *isolated, ""};
    return {concern::fine, "isolated cores", "none", ""};
}

/// Control groups, version 2: /proc/self/cgroup says "0::/user.slice". The file cpu.max in that folder has "max
/// 100000", or a quota in microseconds per period. The root group has no such file and no limit.
inline machine_finding examine_container(const file_system& files) {
    const auto group = kernel_text(files, "/proc/self/cgroup");
    if (!group || !group->starts_with("0::/")) return unknown_finding("container");
    const auto limit = kernel_text(files, "/sys/fs/cgroup" + group->substr(3) + "/cpu.max");
    if (!limit) return {concern::fine, "container", "no limit on processor time", ""};
    std::string_view rest = *limit;
    const std::string quota(take_until(rest, ' '));
    if (quota == "max") return {concern::fine, "container", "no limit on processor time", ""};
    const double cores =
        std::strtod(quota.c_str(), nullptr) / std::max(std::strtod(std::string(rest).c_str(), nullptr), 1.0);
    return {concern::improvable, "container",
            fmt::format("{:.2g} cores: the kernel stops what needs more until the next period", cores),
            "give the container no quota (docker run without --cpus), or pin it to whole cores (--cpuset-cpus)"};
}

inline machine_finding judge_load(const observed_disturbance& seen) {
    const std::string text = fmt::format("{:.1f} on {} cores", seen.load_before, seen.during.cores);
    if (seen.load_before < 0.5) return {concern::fine, "load", text, ""};
    return {concern::improvable, "load", text, "something else runs: see top, and stop it or wait"};
}

inline machine_finding judge_steal(const observed_disturbance& seen) {
    const double share = seen.during.steal_seconds / std::max(seen.seconds, 1e-9);
    const std::string text = fmt::format("{:.1f} % of a core", 100.0 * share);
    if (share < 0.01) return {concern::fine, "stolen time", text, ""};
    return {concern::improvable, "stolen time", text,
            "other virtual machines on the host use its processors in turn: take a dedicated machine"};
}

/// How nvidia-smi is told which GPU is meant. It numbers GPUs otherwise than CUDA does.
[[nodiscard]] inline std::string smi_for(const gpu_facts& gpu) {
    const std::string& name = gpu.is_slice || gpu.uuid.empty() ? gpu.pci_bus_id : gpu.uuid;
    return "sudo nvidia-smi" + (name.empty() ? std::string() : " -i " + name);
}

[[nodiscard]] inline std::string text_of_facts(const gpu_facts& gpu) {
    constexpr double gib = 1024.0 * 1024.0 * 1024.0;
    std::vector<std::string> parts{gpu.name};
    if (gpu.memory_bytes > 0) parts.push_back(fmt::format("{:.1f} GiB", static_cast<double>(gpu.memory_bytes) / gib));
    if (gpu.multiprocessors > 0)
        parts.push_back(counted(static_cast<std::size_t>(gpu.multiprocessors), "multiprocessor"));
    if (!gpu.compute_capability.empty()) parts.push_back("compute capability " + gpu.compute_capability);
    if (gpu.ecc) parts.emplace_back(*gpu.ecc ? "ECC on" : "ECC off");
    if (!gpu.cuda_version.empty()) parts.push_back("driver for CUDA " + gpu.cuda_version);
    return fmt::format("{}", fmt::join(parts, ", "));
}

[[nodiscard]] inline machine_finding not_told(const char* what, const char* why) {
    return {concern::unknown, what, "not told", why};
}

[[nodiscard]] inline machine_finding examine_clocks(const gpu_state& now, const std::string& smi) {
    if (!now.sm_mhz || !now.max_sm_mhz) return not_told("clocks", "this GPU does not tell its clocks");
    const std::string text = fmt::format("{} of {} MHz now", *now.sm_mhz, *now.max_sm_mhz);
    const bool is_set =
        now.is_slow_by(slow_clock::set_by_hand) || (now.set_mhz && now.default_mhz && *now.set_mhz != *now.default_mhz);
    if (is_set) return {concern::fine, "clocks", text + ", limited by a setting", ""};
    // Most work at five sixths of the highest clock is within the power limit, and device_time discards samples below
    // three quarters.
    return {concern::improvable, "clocks", text + ", not limited: they follow heat and power",
            fmt::format("lock them:  {0} -lgc {1},{1}   free them again:  {0} -rgc", smi, *now.max_sm_mhz * 5 / 6)};
}

[[nodiscard]] inline machine_finding examine_persistence(const gpu_state& now, const std::string& smi) {
    if (!now.persistence) return not_told("persistence", "this GPU does not tell its persistence mode");
    if (*now.persistence) return {concern::fine, "persistence", "on", ""};
    return {concern::improvable, "persistence",
            "off: while no process uses the GPU its driver is unloaded, and a locked clock is lost", smi + " -pm 1"};
}

[[nodiscard]] inline machine_finding examine_slowness(const gpu_state& now) {
    if (!now.reasons) return not_told("slowed down by", "this GPU does not tell why its clock is low");
    const gpu_activity seen = activity_between({}, {}, now, [](unsigned) { return kin::own; });
    if (seen.slowed_by.empty()) return {concern::fine, "slowed down by", "nothing now", ""};
    return {concern::improvable, "slowed down by", fmt::format("{} now", fmt::join(seen.slowed_by, " and ")),
            "let it cool, raise what limits it, or lock a clock that it can keep"};
}

[[nodiscard]] inline machine_finding examine_others(const gpu_state& now, kin (*kin_of)(unsigned pid)) {
    const auto others = std::ranges::count_if(now.holders, [&](unsigned pid) { return kin_of(pid) != kin::own; });
    if (others == 0) return {concern::fine, "other users", "none", ""};
    return {
        concern::improvable, "other users",
        counted(static_cast<std::size_t>(others), "other process") + " with memory there",
        "nvidia-smi lists them: stop them, or let ctest give each test a GPU of its own (perfspec_discover_tests(… GPUS 1))"};
}

[[nodiscard]] inline gpu_findings examine_gpu(gpu_machine& gpus, int ordinal, kin (*kin_of)(unsigned pid)) {
    gpu_findings found{.device = "cuda:" + std::to_string(ordinal), .what = {}, .findings = {}};
    const gpu_identity& gpu = gpus.of_cuda(ordinal);
    found.what = gpu.fault.empty() ? text_of_facts(gpu.facts) : gpu.fault;
    if (!gpu.fault.empty()) return found;
    const gpu_reading now = gpus.state_of_cuda(ordinal);
    if (!now.fault.empty()) {
        found.findings.push_back(
            {concern::unknown, "NVML", now.fault,
             "clocks, heat and other users are unknown: install the library NVML of the driver, or let the container have "
             "it (NVIDIA_DRIVER_CAPABILITIES=compute,utility)"});
        return found;
    }
    const std::string smi = smi_for(gpu.facts);
    found.findings = {examine_clocks(now.state, smi), examine_persistence(now.state, smi), examine_slowness(now.state),
                      examine_others(now.state, kin_of)};
    return found;
}

}  // namespace detail

std::vector<machine_finding> examine_machine(const file_system& files, const observed_disturbance& seen) {
    std::vector<machine_finding> found;
    detail::examine_settings(files, found);
    found.push_back(detail::examine_idle_states(files));
    found.push_back(detail::examine_isolation(files));
    found.push_back(detail::examine_container(files));
    found.push_back(detail::judge_load(seen));
    found.push_back(detail::judge_steal(seen));
    return found;
}

examined_gpus examine_gpus(gpu_machine& gpus, kin (*kin_of)(unsigned pid)) {
    const gpu_count there = gpus.count();
    examined_gpus found{.all = {}, .fault = there.fault};
    for (int ordinal = 0; ordinal < there.gpus; ++ordinal)
        found.all.push_back(detail::examine_gpu(gpus, ordinal, kin_of));
    return found;
}

}  // namespace perfspec
