// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/gpu_watch.hpp>

#include <perfspec/ask/devices.hpp>
#include <perfspec/baseline/fingerprint/device_facts.hpp>
#include <perfspec/judge/notes.hpp>
#include <perfspec/measure/gpu/activity_between.hpp>
#include <perfspec/measure/gpu/gpu_machine.hpp>
#include <perfspec/session/session.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace perfspec::detail {

[[nodiscard]] inline gpu_reading state_of_device(const question& asked, const std::string& device, std::uint64_t since = 0) {
    gpu_machine* const gpus = asked.context.around().gpus;
    if (gpus == nullptr) return {.state = {}, .fault = "the driver was not asked"};
    return gpus->state_of_cuda(ordinal_of(device), since);
}

/// Of the subjects of this claim, those that CUDA numbers.
[[nodiscard]] inline std::vector<std::string> gpus_of(const question& asked) {
    std::vector<std::string> all = devices_of(asked.subjects);
    std::erase_if(all, [](const std::string& device) { return std::string_view(device).substr(0, device.find(':')) != "cuda"; });
    return all;
}

gpu_watch::gpu_watch(const question& asked) : asked_(asked) {
    for (std::string& device : gpus_of(asked)) {
        gpu_reading now = state_of_device(asked, device);
        if (now.fault.empty()) all_.push_back({std::move(device), std::move(now.state)});
    }
}

/// What it means for the verdict.
[[nodiscard]] inline std::string consequence_of(const question& asked, const gpu_activity& seen) {
    if (seen.slowdown <= 1.0)
        return "its clock follows the work, in every run; steady times need a locked clock that the limit allows (--perf-doctor says how)";
    const std::string times = fmt::format("times are up to {:.2f} times longer than those of the GPU alone", seen.slowdown);
    if (asked.is_relative()) return times + ", of both sides of the comparison alike";
    if (!asked.is_against_baseline()) return times + ", and the bound is compared with them as they are";
    return times + "; a claim on baseline() is not violated by less than that, and none is recorded";
}

void gpu_watch::tell(finding& found) const {
    for (const watched_gpu& each : all_) {
        const gpu_reading now = state_of_device(asked_, each.device, each.before.computing_until);
        if (!now.fault.empty()) continue;
        const gpu_activity seen = activity_between(each.device, each.before, now.state, kin_of_this_process);
        add_disturbances(found, {.gpus = {seen}});
        if (const std::string text = activity_text(seen); !text.empty())
            add_note(asked_, found, "activity of " + each.device, text + ": " + consequence_of(asked_, seen));
    }
}

void note_unwatched_gpus(const question& asked, finding& found) {
    if (asked.is_child() || asked.plan.dry_run || asked.context.around().gpus == nullptr) return;  // a parent tells it for its children
    for (const std::string& device : gpus_of(asked)) {
        if (!asked.context.device(device).fault.empty()) continue;  // then there is no GPU to watch
        const std::string fault = state_of_device(asked, device).fault;
        if (fault.empty() || !asked.context.is_first_note({}, "unwatched GPUs")) continue;
        found.notes.push_back(
            "what " + device + " did meanwhile is not known (" + fault +
            "): heat, its power limit and other processes may slow it down unseen; install the library NVML of its driver, "
            "or let the container have it (NVIDIA_DRIVER_CAPABILITIES=compute,utility)");
    }
}

}  // namespace perfspec::detail
