// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/measure/machine/disturbance.hpp>

#include <string>
#include <vector>

namespace perfspec {

/// fine: as it should be. improvable: measurements suffer, and the advice helps. unknown: this machine does not report
/// it.
enum class concern : std::uint8_t { fine, improvable, unknown };

/// One property of a machine that affects measurements.
struct machine_finding {
    concern level{concern::unknown};
    std::string what;    ///< "governor"
    std::string seen;    ///< "powersave"
    std::string advice;  ///< a command to type, or something to ask for; empty where all is well

    friend bool operator==(const machine_finding&, const machine_finding&) = default;
};

/// The lines of a finding, as the doctor prints them.
[[nodiscard]] std::string finding_lines(const machine_finding& finding);

/// The disturbances on the machine while the doctor measured.
struct observed_disturbance {
    double load_before{};       ///< one-minute load average before the doctor itself was a load
    machine_counters during{};  ///< differences, except for the number of cores
    double seconds{};
};

/// Examines the governor, turbo, idle states, SMT, isolated cores, address randomisation and container limits. Linux
/// reports them in /sys and /proc. Examines also the observed load and stolen time. Changes nothing.
[[nodiscard]] std::vector<machine_finding> examine_machine(const file_system& files, const observed_disturbance& seen);

}  // namespace perfspec
