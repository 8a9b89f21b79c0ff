// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/cores.hpp>
#include <perfspec/measure/machine/processor_use.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// The resources that a process has used so far. Values that the system does not provide are zero.
struct usage {
    std::int64_t wall_ns{};       ///< since any fixed instant
    std::int64_t cpu_ns{};        ///< of all threads; of another process, also of its children
    std::int64_t own_cpu_ns{};    ///< of the calling thread; of another process, its first thread
    std::int64_t memory_bytes{};  ///< resident, and not backed by a file
    std::int64_t page_faults{};
    int threads{};

    /// CPU time of all threads but that one.
    [[nodiscard]] std::int64_t others_cpu_ns() const noexcept { return cpu_ns - own_cpu_ns; }

    friend bool operator==(const usage&, const usage&) = default;
};

/// The seconds that a thread waited for a processor in `elapsed_ns`. If several could run at once on average, it is the
/// mean of these.
///
/// between  the use of all threads in that time
[[nodiscard]] double waited_seconds(const processor_use& between, std::int64_t elapsed_ns) noexcept;

/// Resources that this process holds.
struct process_resources {
    int threads{};
    int descriptors{};  ///< the lowest free one
    std::int64_t heap_bytes{};

    friend bool operator==(const process_resources&, const process_resources&) = default;
};

/// Other processes that use fewer cores than this do not disturb.
inline constexpr double disturbing_cores = 0.1;

/// The state of the machine during a measurement. Counters grow, so use the difference of two readings. Values that the
/// system does not provide are zero. Load and runnable threads are of the whole machine, also if this process may use
/// only some cores (taskset, cpuset): the system does not report where they want to run.
struct machine_counters {
    double load{};                ///< one-minute load average
    int cores{};                  ///< online
    int own_cores{};              ///< of them, those that this process may use
    double steal_seconds{};       ///< taken by the hypervisor, all cores together
    double throttled_seconds{};   ///< for which the quota of the control group stopped this process
    double elapsed_seconds{};     ///< by the monotonic clock
    double busy_seconds{};        ///< of work of its own cores together, for any process
    double own_seconds{};         ///< of them for this process and its ended children
    std::uint64_t page_faults{};  ///< of this process, minor and major
    int runnable{};               ///< threads of the machine that run or want to run, this one included
    double frequency_mhz{};       ///< mean over the cores; virtual machines rarely report it

    friend bool operator==(const machine_counters&, const machine_counters&) = default;
};

/// Where in a sample a reading is.
enum class reading_place : std::uint8_t { before, after };

/// Reads the resources of a process. A seam: tests script it.
class usage_meter : public seam {
public:
    [[nodiscard]] virtual usage now() = 0;

    /// What the process has used of the processors so far.
    ///
    /// where  the processor time of the calling thread is read last before a sample, and first after it
    [[nodiscard]] virtual processor_use use_of_processors(metered_waiting, reading_place where) {
        static_cast<void>(where);
        return {};
    }
    /// The difference of two readings with nothing between them.
    [[nodiscard]] virtual processor_use use_of_reading() { return {}; }

    /// Whether processes other than this one and its children used a tenth of a core or more lately; yes if that is
    /// unknown.
    [[nodiscard]] virtual bool is_beside_others() { return true; }

    /// Zero if the system does not count it.
    [[nodiscard]] virtual process_resources kept() { return {}; }

    /// The state of the machine.
    [[nodiscard]] virtual machine_counters machine() { return {}; }
};

namespace detail {

/// The second number of a file schedstat of Linux, "run time, time of waiting for a processor, slices": nanoseconds.
/// Zero for other text, also if the system does not count it.
[[nodiscard]] std::int64_t run_delay_in(std::string_view schedstat);

/// How long a runnable thread has waited for a processor so far, in nanoseconds: "thread-self", or "123" for the first
/// thread of a process.
[[nodiscard]] std::int64_t run_delay_of(const std::string& thread);

/// How long the quota of a control group has stopped its processes so far, by its file cpu.stat of version 2
/// ("throttled_usec 12") or 1 ("throttled_time 12000"): nanoseconds. Zero for another text.
[[nodiscard]] std::int64_t throttled_in(std::string_view cpu_stat);

/// Possible paths of the file cpu.stat of this process's control group, by /proc/self/cgroup: version 2 first. In its
/// own namespace the group is "/"; otherwise it has a path.
[[nodiscard]] std::vector<std::string> cpu_stat_files(std::string_view cgroup);

}  // namespace detail

/// The meter of this process. It reads CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, getrusage,
/// /proc/stat, the control group's cpu.stat, and the files status and schedstat of this process and its threads.
[[nodiscard]] usage_meter& process_usage();

/// The meter of another process, which counts from now on. It reads that process's clock and its files in /proc, and
/// counts no page faults. Work of its children, without this process, is work of the process.
[[nodiscard]] std::unique_ptr<usage_meter> usage_of_process(std::int64_t process);

/// Whether a debugger or another tracer (strace, rr) is attached to this process now. Under a tracer, no claim is
/// judged. False if the system does not report it.
[[nodiscard]] bool under_debugger();

/// Reads the counters now. `proc` and `sys` are the folders of the kernel's files, `own` the cores of this process.
/// Values from a missing or malformed file are zero.
[[nodiscard]] machine_counters read_machine_counters(const std::string& proc = "/proc", const std::string& sys = "/sys",
                                                     const std::vector<std::uint32_t>& own = usable_cores());

/// Adds the work of another process to that of this one.
[[nodiscard]] machine_counters with_work_of(machine_counters counters, const usage& process) noexcept;

/// The counts between two readings. Values that are not counts (load, cores, runnable, frequency) are those of the
/// later reading. Work of other cores than before is unknown: 0.
[[nodiscard]] machine_counters difference(const machine_counters& before, const machine_counters& after) noexcept;

/// The processors that other processes used between two readings, on average. For less than 50 ms it is an estimate
/// from the runnable threads, because the system counts in steps of 10 ms.
///
/// between  the difference of two readings
[[nodiscard]] double others_cores(const machine_counters& between) noexcept;

}  // namespace perfspec::inline v0_2
