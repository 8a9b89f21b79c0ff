// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../gpu_program.hpp"
#include "simulated_counting.hpp"

#include <perfspec/cuda/counted/work_counter.hpp>

#include <utility>
#include <vector>

namespace perfspec::testing {

/// A program whose GPU counts the work of its kernels.
struct counted_program : gpu_program {
    simulated_counting cupti{gpu};
    detail::work_counter traffic{detail::counted_work::traffic, simulated_gpu::runtime(), simulated_counting::library};
    detail::work_counter operations{detail::counted_work::operations, simulated_gpu::runtime(),
                                    simulated_counting::library};

    counted_program() {
        counts.of(metric_kind::device_traffic).in_place = &traffic;
        counts.of(metric_kind::device_operations).in_place = &operations;
        cupti.of["saxpy"] = {{"dram__bytes", 12e6},
                             {"sm__inst_executed", 1e5},
                             {"sm__sass_inst_executed", 1e5},
                             {"sm__sass_thread_inst_executed_op_ffma_pred_on", 1e6}};
    }

    cuda_work saxpy() { return launches("x", {{.cold = std::chrono::milliseconds(1), .name = "saxpy"}}); }
};

}  // namespace perfspec::testing
