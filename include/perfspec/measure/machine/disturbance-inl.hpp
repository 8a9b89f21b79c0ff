// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/machine/usage-inl.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace perfspec::inline v0_2 {

bool under_debugger() { return detail::process_file("/proc/self/status").number("\nTracerPid:") != 0; }

namespace detail {

inline double seconds_of(const rusage& used) {
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// From "1.25 0.50 0.20 3/123 4567": the load of a minute, and the number of runnable threads.
inline void read_load(const std::string& proc, machine_counters& now) {
    std::ifstream file = kernel_file(proc + "/loadavg");
    double five_minutes = 0.0;
    double fifteen_minutes = 0.0;
    if (!(file >> now.load)) now.load = 0.0;
    if (!(file >> five_minutes >> fifteen_minutes >> now.runnable)) now.runnable = 0;
}

/// The mean of /sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq, which are in kHz.
inline double read_frequency_mhz(const std::string& sys, int cores) {
    double sum = 0.0;
    int known = 0;
    for (int core = 0; core < cores; ++core) {
        std::ifstream file =
            kernel_file(sys + "/devices/system/cpu/cpu" + std::to_string(core) + "/cpufreq/scaling_cur_freq");
        double khz = 0.0;
        if (!(file >> khz)) continue;
        sum += khz;
        ++known;
    }
    return known == 0 ? 0.0 : sum / known / 1e3;
}

}  // namespace detail

machine_counters read_machine_counters(const std::string& proc, const std::string& sys,
                                       const std::vector<std::uint32_t>& own) {
    machine_counters now;
    detail::read_load(proc, now);
    now.cores = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    now.own_cores = own.empty() ? now.cores : static_cast<int>(own.size());
    detail::read_processors(proc, own, now);
    now.elapsed_seconds = 1e-9 * static_cast<double>(detail::read_system_clock(CLOCK_MONOTONIC));
    now.throttled_seconds = static_cast<double>(detail::throttled_ns()) * 1e-9;
    now.frequency_mhz = detail::read_frequency_mhz(sys, now.cores);
    rusage used{};
    if (getrusage(RUSAGE_SELF, &used) == 0) {
        now.page_faults = static_cast<std::uint64_t>(used.ru_minflt) + static_cast<std::uint64_t>(used.ru_majflt);
        now.own_seconds = detail::seconds_of(used);
    }
    if (getrusage(RUSAGE_CHILDREN, &used) == 0) now.own_seconds += detail::seconds_of(used);
    return now;
}

machine_counters with_work_of(machine_counters counters, const usage& process) noexcept {
    counters.own_seconds += static_cast<double>(process.cpu_ns) * 1e-9;
    return counters;
}

machine_counters difference(const machine_counters& before, const machine_counters& after) noexcept {
    machine_counters d = after;
    d.steal_seconds -= before.steal_seconds;
    d.throttled_seconds -= before.throttled_seconds;
    d.elapsed_seconds -= before.elapsed_seconds;
    d.busy_seconds -= before.own_cores == after.own_cores ? before.busy_seconds : after.busy_seconds;
    d.own_seconds -= before.own_seconds;
    d.page_faults -= before.page_faults;
    return d;
}

double others_cores(const machine_counters& between) noexcept {
    constexpr double shortest_seconds = 0.05;
    if (between.elapsed_seconds < shortest_seconds)
        return std::clamp(between.runnable - 1, 0, std::max(between.own_cores, 0));
    return std::max(between.busy_seconds - between.own_seconds, 0.0) / between.elapsed_seconds;
}

}  // namespace perfspec::inline v0_2
