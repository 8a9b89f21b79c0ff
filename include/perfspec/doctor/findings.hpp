// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/measure/gpu/gpu_machine.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/machine/process_kin.hpp>

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

/// The disturbances on the machine while the doctor measured.
struct observed_disturbance {
    double load_before{};       ///< one-minute load average before the doctor itself was a load
    machine_counters during{};  ///< differences, except for the number of cores
    double seconds{};
};

/// Examines the governor, turbo, idle states, SMT, isolated cores, address randomisation and container limits. Linux
/// reports them in /sys and /proc. Examines also the observed load and stolen time. Changes nothing.
[[nodiscard]] std::vector<machine_finding> examine_machine(const file_system& files, const observed_disturbance& seen);

/// What one GPU is, and what about it affects measurements.
struct gpu_findings {
    std::string device;  ///< "cuda:0"
    std::string what;    ///< "NVIDIA H100 80GB HBM3, 80.0 GiB, …"
    std::vector<machine_finding> findings;

    friend bool operator==(const gpu_findings&, const gpu_findings&) = default;
};

/// The GPUs that a program sees, or why it sees none.
struct examined_gpus {
    std::vector<gpu_findings> all;
    std::string fault;  ///< in the words of the driver; empty where there are some

    friend bool operator==(const examined_gpus&, const examined_gpus&) = default;
};

/// Examines each GPU: clocks, persistence mode, what slows it down now, and who else uses it. Changes nothing.
[[nodiscard]] examined_gpus examine_gpus(gpu_machine& gpus, kin (*kin_of)(unsigned pid) = detail::kin_of_this_process);

}  // namespace perfspec
