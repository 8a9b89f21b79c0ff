// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/gpu_watch.hpp>

#include <perfspec/ask/devices.hpp>
#include <perfspec/baseline/fingerprint/device_facts.hpp>
#include <perfspec/judge/notes.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/gpu/activity_between.hpp>
#include <perfspec/measure/gpu/gpu_machine.hpp>
#include <perfspec/session/session.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace perfspec::detail {

[[nodiscard]] inline gpu_reading state_of_device(const question& asked, const std::string& device,
                                                 std::uint64_t since = 0) {
    gpu_machine* const gpus = asked.context.around().gpus;
    if (gpus == nullptr) return {.state = {}, .fault = "the driver was not asked"};
    return gpus->state_of_cuda(ordinal_of(device), since);
}

/// Of the subjects of this claim, those that CUDA numbers.
[[nodiscard]] inline std::vector<std::string> gpus_of(const question& asked) {
    std::vector<std::string> all = devices_of(asked.subjects);
    std::erase_if(
        all, [](const std::string& device) { return std::string_view(device).substr(0, device.find(':')) != "cuda"; });
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
    const std::string times =
        fmt::format("times are up to {:.2f} times longer than those of the GPU alone", seen.slowdown);
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

/// What the watch said of a GPU that was slowed down; none where nothing was, or an earlier claim has said it.
[[nodiscard]] inline std::vector<std::string>::iterator note_of_slow_gpu(finding& found, const std::string& device) {
    return std::ranges::find_if(found.notes,
                                [&](const std::string& note) { return note.starts_with(device + " slowed down by "); });
}

[[nodiscard]] inline bool is_shared(const finding& found, const std::string& device) {
    return std::ranges::any_of(found.disturbed.gpus,
                               [&](const gpu_activity& gpu) { return gpu.device == device && gpu.others > 0; });
}

inline void note_slow_samples_on(const question& asked, finding& found, const std::string& device,
                                 const slow_samples& slow) {
    const auto note = note_of_slow_gpu(found, device);
    const bool is_seen = note != found.notes.end();
    const std::string activity = is_seen ? note->substr(0, note->find(": ")) : std::string();
    if (slow.end_claim && is_seen) {
        found.reason += "; NVML says: " + activity;
        found.notes.erase(note);
    }
    if (found.verdict == verdict::invalid) return;  // its reason says it, or has nothing to do with it
    if (!is_seen) return add_note(asked, found, "slow samples on " + device, slow.text);
    // Samples that were discarded are no part of the times, so what the watch says of these does not apply. Other
    // processes slow down all samples.
    *note = (is_shared(found, device) ? *note + "; " : activity + ": ") + slow.text;
}

void note_slow_samples(const question& asked, finding& found) {
    std::map<std::string, slow_samples> on;  // each device
    for (const subject& x : asked.subjects) {
        if (x.state().tell_slow_samples == nullptr) continue;
        const slow_samples slow = x.state().tell_slow_samples(x.storage());
        if (slow.text.empty()) continue;
        slow_samples& all = on[x.state().device];
        all.text += (all.text.empty() ? "" : "; ") + ("\"" + x.state().name + "\": " + slow.text);
        all.end_claim = all.end_claim || slow.end_claim;
    }
    for (const auto& [device, slow] : on) note_slow_samples_on(asked, found, device, slow);
}

void note_unwatched_gpus(const question& asked, finding& found) {
    if (asked.is_child() || asked.plan.mode == evaluation_mode::dry_run || asked.context.around().gpus == nullptr)
        return;  // a parent tells it for its children
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
