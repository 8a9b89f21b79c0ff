// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/clock.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// What this process has used so far. Values that the system does not provide stay zero.
struct usage {
    std::int64_t wall_ns{};       ///< since any fixed instant
    std::int64_t cpu_ns{};        ///< of all threads
    std::int64_t own_cpu_ns{};    ///< of the calling thread
    std::int64_t memory_bytes{};  ///< resident, and not backed by a file
    std::int64_t page_faults{};
    int threads{};

    /// CPU time of all threads but the calling one.
    [[nodiscard]] std::int64_t others_cpu_ns() const noexcept { return cpu_ns - own_cpu_ns; }

    friend bool operator==(const usage&, const usage&) = default;
};

/// How long this process has waited for a processor while it could have run.
struct waiting_so_far {
    std::int64_t ns{};  ///< of all threads together
    std::int64_t
        throttled_ns{};     ///< for which a quota held up its control group, on all cores and with other processes
    std::int64_t cpu_ns{};  ///< what all threads have worked so far
    bool is_of_several_threads{};  ///< then they may have waited at the same time
    int cores{1};                  ///< that can work for them at the same time

    friend bool operator==(const waiting_so_far&, const waiting_so_far&) = default;
};

/// For how many seconds a thread waited between two readings, `elapsed_ns` apart: all together. If more than one could
/// run at once, as on average, each of these.
[[nodiscard]] double waited_seconds(const waiting_so_far& before, const waiting_so_far& after,
                                    std::int64_t elapsed_ns) noexcept;

/// What this process holds.
struct kept_so_far {
    int threads{};
    int descriptors{};  ///< the lowest free one
    std::int64_t heap_bytes{};

    friend bool operator==(const kept_so_far&, const kept_so_far&) = default;
};

/// Reads what the process has used. One of the seams: tests script it.
class usage_meter : public seam {
public:
    [[nodiscard]] virtual usage now() = 0;

    /// It stays zero if the system does not count that.
    [[nodiscard]] virtual waiting_so_far waited() { return {}; }

    /// It stays zero if the system does not count that.
    [[nodiscard]] virtual kept_so_far kept() { return {}; }
};

namespace detail {

/// The second number of a file schedstat of Linux, "run time, time of waiting for a processor, slices": nanoseconds.
/// Zero for another text, as where the system does not count it.
[[nodiscard]] std::int64_t run_delay_in(std::string_view schedstat);

/// How long a thread has waited for a processor so far, while it could have run, in nanoseconds: "thread-self", or
/// "123" for the first thread of a process.
[[nodiscard]] std::int64_t run_delay_of(const std::string& thread);

/// How long the quota of a control group has held its processes up so far, by its file cpu.stat of version 2
/// ("throttled_usec 12") or 1 ("throttled_time 12000"): nanoseconds. Zero for another text.
[[nodiscard]] std::int64_t throttled_in(std::string_view cpu_stat);

/// Where the file cpu.stat of this process's control group may be, by /proc/self/cgroup: version 2 first. Outside of a
/// namespace of its own the group has a path; within one it is "/".
[[nodiscard]] std::vector<std::string> cpu_stat_files(std::string_view cgroup);

}  // namespace detail

/// The meter of this process. It reads CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, getrusage
/// and /proc/self/status.
[[nodiscard]] usage_meter& process_usage();

/// Whether a debugger or another tracer (strace, rr) is attached to this process now. Under a tracer, no claim is
/// judged. False where the system does not report it.
[[nodiscard]] bool under_debugger();

/// What else happens on the machine during a measurement. Counters grow from start to end, so use the difference of two
/// readings. Values that the system does not provide stay zero.
struct machine_counters {
    double load{};                         ///< one-minute load average
    int cores{};                           ///< online
    double steal_seconds{};                ///< taken by the hypervisor, all cores together
    double throttled_seconds{};            ///< for which the quota of the control group held this process up
    double elapsed_seconds{};              ///< by the monotonic clock
    double busy_seconds{};                 ///< that all cores together worked, for any process
    double own_seconds{};                  ///< of them for this process and its ended children
    double beside_seconds{};               ///< of those, other threads than the calling one, and children
    std::uint64_t involuntary_switches{};  ///< of this process
    std::uint64_t page_faults{};           ///< of this process, minor and major
    int runnable{};                        ///< threads of the machine that run or want to run, this one included
    double frequency_mhz{};                ///< mean over the cores; virtual machines rarely report it

    friend bool operator==(const machine_counters&, const machine_counters&) = default;
};

/// Reads the counters now. `proc` and `sys` are the folders of the kernel's files. Values from a missing or malformed
/// file stay zero.
[[nodiscard]] machine_counters read_machine_counters(const std::string& proc = "/proc",
                                                     const std::string& sys = "/sys");

/// The counts between two readings. Values that are not counts (load, cores, runnable, frequency) are those of the
/// later reading.
[[nodiscard]] machine_counters difference(const machine_counters& before, const machine_counters& after) noexcept;

/// That other processes left fewer cores free than this one uses, which works in several threads or processes: "other
/// processes used 1.9 of 2 cores meanwhile". The waiting of its threads for each other then makes its time, and the
/// system does not count that as waiting. Empty if it works in one thread, if cores were free, or if less than 50 ms
/// have passed, because the system counts in steps of 10 ms.
///
/// between  the difference of two readings
[[nodiscard]] std::string crowding_text(const machine_counters& between);

}  // namespace perfspec
