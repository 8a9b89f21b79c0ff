// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

namespace perfspec {

/// What happens on the machine besides the measurement. Counters grow from start to end: look at the difference of two readings.
/// What a system does not tell stays zero.
struct machine_counters {
    double load{};                         ///< one-minute load average
    int cores{};                           ///< online
    double steal_seconds{};                ///< taken by the hypervisor, all cores together
    std::uint64_t involuntary_switches{};  ///< of this process
    std::uint64_t page_faults{};           ///< of this process, minor and major
    std::uint64_t migrations{};            ///< of the main thread between cores
    int runnable{};                        ///< threads of the machine that run or want to, this one among them
    double frequency_mhz{};                ///< mean over the cores; virtual machines seldom tell

    friend bool operator==(const machine_counters&, const machine_counters&) = default;
};

/// Reads the counters now. `proc` and `sys` are where the kernel's files are; a file that is missing or not understood counts as not told.
[[nodiscard]] machine_counters read_machine_counters(const std::string& proc = "/proc", const std::string& sys = "/sys");

/// What was counted between two readings; what is no count (load, cores, runnable, frequency) is that of the later one.
[[nodiscard]] machine_counters difference(const machine_counters& before, const machine_counters& after) noexcept;

}  // namespace perfspec
