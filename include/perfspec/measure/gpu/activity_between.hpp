// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/gpu/gpu_activity.hpp>
#include <perfspec/measure/gpu/gpu_state.hpp>
#include <perfspec/measure/machine/process_kin.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace perfspec::detail {

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

}  // namespace perfspec::detail
