// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/devices.hpp>
#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/session/session.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

inline machine_lock_settings lock_settings(const claim_context& context) {
    const std::string folder = context.run.system().variables.get("TMPDIR").value_or("");
    return {.file = machine_lock_file(folder),
            .program = context.run.suite(),
            .memory = &context.run.locks(),
            .console = context.plan.verbosity == console_verbosity::quiet ? nullptr : context.run.system().console};
}

machine_guard::machine_guard(const claim_context& context) {
    if (context.is_child()) return;  // the parent holds the lock for it
    lock_.emplace(lock_settings(context), context.run.system().wall, context.run.system().rest);
}

disturbances machine_guard::disturbed() const {
    return lock_ && !lock_->note().empty() ? disturbances{.notes = {lock_->note()}} : disturbances{};
}

claim_result observed(claim_result result, observations observation) {
    result.disturbed = joined(std::move(result.disturbed), observation.disturbed);
    append(result.notes, std::move(observation.notes));
    return result;
}

/// Starts to watch the devices that the subjects of a claim work on.
inline std::vector<std::unique_ptr<device_watch>> watch_devices(const claim_context& context) {
    std::vector<std::unique_ptr<device_watch>> watches;
    device_machine* const devices = context.run.system().devices;
    if (devices == nullptr) return watches;
    for (const std::string& device : devices_of(context.subjects))
        if (auto watch = devices->watch(device)) watches.push_back(std::move(watch));
    return watches;
}

/// The effect of a slow device on the verdict.
[[nodiscard]] inline std::string consequence_of(const claim_context& context, const device_activity& activity) {
    if (activity.slowdown <= 1.0)
        return "its clock follows the work in every run: for steady times, lock the clock at a value that the limit "
               "allows (--perf-doctor says how)";
    const std::string times =
        fmt::format("times are up to {:.2f} times as long as on an undisturbed device", activity.slowdown);
    if (context.is_relative()) return times + ", on both sides of the comparison";
    if (!context.is_against_baseline()) return times + ", and the bound is compared with them as they are";
    return times + "; a smaller change does not violate a claim on baseline(), and no baseline is recorded";
}

/// The activities of the devices that report them.
inline std::vector<device_activity> activities_of(const std::vector<std::unique_ptr<device_watch>>& watches) {
    std::vector<device_activity> all;
    for (const auto& watch : watches)
        if (device_activity activity = watch->activity(); !activity.device.empty()) all.push_back(std::move(activity));
    return all;
}

inline std::vector<std::string> notes_of_devices(const claim_context& context,
                                                 const std::vector<device_activity>& devices) {
    std::vector<std::string> notes;
    for (const device_activity& activity : devices)
        if (!activity.text.empty())
            append(notes, note_once(context, "activity of " + activity.device,
                                    activity.text + ": " + consequence_of(context, activity)));
    return notes;
}

/// The meters of the other processes that run subjects of the claim, each once.
inline std::vector<usage_meter*> meters_elsewhere(const claim_context& context) {
    std::vector<usage_meter*> meters;
    for (const subject& x : context.subjects)
        if (usage_meter* const meter = meter_of(x, nullptr);
            meter != nullptr && std::ranges::find(meters, meter) == meters.end())
            meters.push_back(meter);
    return meters;
}

/// The waiting and the work of all processes that run subjects of the claim, for `waited_seconds`.
inline processor_use use_so_far(const claim_context& context) {
    std::vector<usage_meter*> meters = meters_elsewhere(context);
    usage_meter* const own = context.run.system().usage;
    if (own != nullptr && !std::ranges::all_of(context.subjects, runs_elsewhere)) meters.push_back(own);
    processor_use all;
    for (usage_meter* const meter : meters) {
        const processor_use one = meter->use_of_processors(metered_waiting::of_all_threads, reading_place::before);
        all.waited_ns += one.waited_ns;
        all.others_ns += one.all_ns();
    }
    return all;
}

/// The counters of the machine. The work of other processes that run subjects counts as that of this one.
inline machine_counters counters_now(const claim_context& context) {
    usage_meter* const own = context.run.system().usage;
    machine_counters now = own != nullptr ? own->machine() : machine_counters{};
    for (usage_meter* const meter : meters_elsewhere(context)) now = with_work_of(now, meter->now());
    return now;
}

measuring_scope::measuring_scope(const claim_context& context)
    : context_(context), machine_(context), devices_(watch_devices(context)), before_(counters_now(context)),
      use_before_(use_so_far(context)), started_ns_(context.run.system().wall.now()) {
    context.run.note_measuring();
    if (usage_meter* const meter = context.run.system().usage)
        context.run.note_others_cpu_before_claim(meter->now().others_cpu_ns());
}

observations measuring_scope::end() const {
    const machine_counters counters = difference(before_, counters_now(context_));
    disturbances part;
    part.load = counters.load;
    part.cores = counters.cores;
    part.steal_seconds = counters.steal_seconds;
    part.waited_seconds =
        waited_seconds(difference(use_before_, use_so_far(context_)), context_.run.system().wall.now() - started_ns_);
    part.page_faults = counters.page_faults;
    part.runnable = counters.runnable;
    part.others_cores = others_cores(counters);
    part.frequency_mhz = counters.frequency_mhz;
    if (before_.frequency_mhz > 0.0 && counters.frequency_mhz > 0.0)
        part.frequency_change = counters.frequency_mhz / before_.frequency_mhz - 1.0;
    if (counters.throttled_seconds > 0.0)
        part.notes.push_back("the processor quota of its control group stopped it for " +
                             format_seconds(counters.throttled_seconds * 1e9));
    part.devices = activities_of(devices_);
    return {joined(machine_.disturbed(), part), notes_of_devices(context_, part.devices)};
}

disturbances with_sample(disturbances all, double reading_ns, const working_time& working, std::uint64_t iterations) {
    if (working.is_nearly(reading_ns)) return all;
    ++all.interrupted;
    all.interrupted_seconds += (reading_ns - working.ns) * static_cast<double>(iterations) * 1e-9;
    if (!working.is_exact) ++all.excluded;
    return all;
}

disturbances interruptions_of(const timed_block& block, std::uint64_t iterations) {
    disturbances all;
    for (std::size_t i = 0; i < block.working.size(); ++i)
        all = with_sample(std::move(all), block.readings_ns[i], block.working[i], iterations);
    return all;
}

}  // namespace perfspec::inline v0_2::detail
