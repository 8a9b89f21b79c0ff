// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "simulated_gpu.hpp"

#include <perfspec/cuda.hpp>

namespace perfspec::testing {

/// A processor with a clock that moves only during work, and a GPU.
struct simulated_machine {
    working_clock processor;
    simulated_gpu gpu{processor};

    simulated_machine() {
        for (int i = 0; i < 1000; ++i) static_cast<void>(processor.now());  // from then on reading it takes no time
    }
};

/// A subject that launches one kernel.
[[nodiscard]] inline cuda_work launching(simulated_gpu& gpu, const char* name, const simulated_kernel& kernel) {
    return detail::cuda_subject(
        name, [&gpu, kernel](cudaStream_t stream) { gpu.launch(stream, kernel); }, simulated_gpu::runtime());
}

/// A subject that launches a graph.
[[nodiscard]] inline cuda_work launching(simulated_gpu& gpu, const char* name, const simulated_graph& graph) {
    return detail::cuda_subject(
               name, [&gpu, graph](cudaStream_t stream) { return gpu.launch(stream, graph); }, simulated_gpu::runtime())
        .hot();
}

}  // namespace perfspec::testing
