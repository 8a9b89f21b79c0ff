// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../gpu_program.hpp"
#include "simulated_counting.hpp"

#include <perfspec/cuda/counted/work_recorder.hpp>
#include <perfspec/measure/counters/device_work.hpp>

#include <utility>
#include <vector>

namespace perfspec::testing {

/// A program whose GPU counts the work of its kernels.
struct counted_program : gpu_program {
    simulated_counting cupti{gpu};
    detail::work_recorder recorder{simulated_gpu::runtime(), simulated_counting::library};
    device_work_counter traffic{counted_work::traffic, []() noexcept { return in_use; }};
    device_work_counter operations{counted_work::operations, []() noexcept { return in_use; }};

    counted_program() {
        in_use = &recorder;
        counts.of(metric_kind::device_traffic).in_place = &traffic;
        counts.of(metric_kind::device_operations).in_place = &operations;
        cupti.of["saxpy"] = {{"dram__bytes", 12e6},
                             {"sm__inst_executed", 1e5},
                             {"sm__sass_inst_executed", 1e5},
                             {"sm__sass_thread_inst_executed_op_ffma_pred_on", 1e6}};
    }
    ~counted_program() { in_use = nullptr; }
    counted_program(const counted_program&) = delete;
    counted_program& operator=(const counted_program&) = delete;

    cuda_work saxpy() { return launches("x", {{.cold = std::chrono::milliseconds(1), .name = "saxpy"}}); }

private:
    static inline device_work_recorder* in_use = nullptr;
};

}  // namespace perfspec::testing
