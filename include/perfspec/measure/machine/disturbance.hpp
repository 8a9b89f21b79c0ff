// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

namespace perfspec {

/// What else happens on the machine during a measurement. Counters grow from start to end, so use the difference of two
/// readings. Values that the system does not provide stay zero.
struct machine_counters {
    double load{};                         ///< one-minute load average
    int cores{};                           ///< online
    double steal_seconds{};                ///< taken by the hypervisor, all cores together
    std::uint64_t involuntary_switches{};  ///< of this process
    std::uint64_t page_faults{};           ///< of this process, minor and major
    std::uint64_t migrations{};            ///< of the main thread between cores
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

}  // namespace perfspec
