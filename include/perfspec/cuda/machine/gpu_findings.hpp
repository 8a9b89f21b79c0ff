// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/gpu_machine.hpp>
#include <perfspec/doctor/findings.hpp>
#include <perfspec/measure/machine/busy_processors.hpp>

#include <string>
#include <vector>

namespace perfspec {

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

/// The lines of findings, as the doctor prints them.
[[nodiscard]] std::string render_gpus(const examined_gpus& gpus);

}  // namespace perfspec
