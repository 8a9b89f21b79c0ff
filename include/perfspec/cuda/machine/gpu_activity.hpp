// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/device_machine.hpp>
#include <perfspec/cuda/machine/nvml.hpp>
#include <perfspec/measure/machine/busy_processors.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// What a GPU did while a claim was measured on it. What was not told is 0, or empty.
struct gpu_activity {
    std::string device{};  ///< "cuda:0"
    double sm_mhz{};       ///< clock of the multiprocessors at the end
    double max_sm_mhz{};
    double celsius{};  ///< at the end
    double watts{};    ///< at the end
    double watts_limit{};
    double heat_seconds{};                 ///< how long heat held it back
    double power_seconds{};                ///< how long its power limit held it back
    std::vector<std::string> slowed_by{};  ///< "heat", "hardware", "power brake", "power limit", "sync boost"
    std::size_t others{};                  ///< other processes that computed on it
    double slowdown{1.0};  ///< by which factor all but the power limit may have slowed it at most; 1: it did not

    friend bool operator==(const gpu_activity&, const gpu_activity&) = default;
};

/// What other programs did on a GPU.
struct foreign_use {
    std::size_t processes{};
    double share{};  ///< of the time of its multiprocessors, at most 1

    friend bool operator==(const foreign_use&, const foreign_use&) = default;
};

/// The processes that computed on the GPU and do not belong to this program. Processes that this program cannot see
/// (NVML tells the numbers that the host knows, and a container has its own) count, too. Where this program itself is
/// not among those that it sees, the busiest unseen one is taken for it.
[[nodiscard]] foreign_use use_by_others(std::vector<computing_process> computing, kin (*kin_of)(unsigned pid));

/// What happened between two readings.
///
/// Heat counts from one hundredth of the time on, or where it reduces the clock at a reading, and so does power. By how
/// much heat, the hardware or the power brake slowed the GPU is told by its clock at the end; where they have let go of
/// it by then, the factor is the two by which the hardware slows down at least. Other programs take what they used, and
/// no more than their turns.
///
/// Source: NVML API reference, "NvmlClocksEventReasons" and nvmlDeviceGetViolationStatus.
[[nodiscard]] gpu_activity activity_between(std::string_view device, const gpu_state& before, const gpu_state& after,
                                            kin (*kin_of)(unsigned pid));

/// "cuda:0 slowed down by heat, 1100 of 1980 MHz, 89 degrees"; empty where nothing slowed it and nobody else used it.
[[nodiscard]] std::string activity_text(const gpu_activity& seen);

/// The same as the record has it.
[[nodiscard]] device_activity as_of_device(const gpu_activity& seen);

}  // namespace perfspec::detail
