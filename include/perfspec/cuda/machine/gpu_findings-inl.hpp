// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/gpu_activity.hpp>
#include <perfspec/cuda/machine/gpu_findings.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace perfspec {
namespace detail {

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

examined_gpus examine_gpus(gpu_machine& gpus, kin (*kin_of)(unsigned pid)) {
    const gpu_count there = gpus.count();
    examined_gpus found{.all = {}, .fault = there.fault};
    for (int ordinal = 0; ordinal < there.gpus; ++ordinal)
        found.all.push_back(detail::examine_gpu(gpus, ordinal, kin_of));
    return found;
}

std::string render_gpus(const examined_gpus& gpus) {
    if (!gpus.fault.empty()) return fmt::format("\n  GPUs: none can be used ({})\n", gpus.fault);
    std::string text = "\n  GPUs now (perfspec changes none of their settings)\n";
    for (const gpu_findings& gpu : gpus.all) {
        text += fmt::format("    {}: {}\n", gpu.device, gpu.what);
        for (const machine_finding& f : gpu.findings) text += finding_lines(f);
    }
    return text;
}

}  // namespace perfspec
