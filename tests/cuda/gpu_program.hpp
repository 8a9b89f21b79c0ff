// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../run/stored_program.hpp"
#include "simulated_program.hpp"

namespace perfspec::testing {

/// A program on a machine with a GPU.
struct gpu_program : stored_program {
    explicit gpu_program(std::vector<child_end> children = {confirms(verdict::violated)})
        : stored_program(std::move(children)) {}
    gpu_program(const gpu_program&) = delete;
    gpu_program& operator=(const gpu_program&) = delete;
    ~gpu_program() { sort = takes("nothing", std::chrono::milliseconds(1)); }  // before the GPU goes

    simulated_gpu gpu{wall};

    /// A body that launches these kernels one after the other.
    cuda_work launches(const char* name, std::vector<simulated_kernel> all) {
        return detail::cuda_subject(
            name,
            [this, all = std::move(all)](cudaStream_t stream) {
                for (const auto& each : all) gpu.launch(stream, each);
            },
            simulated_gpu::runtime());
    }
};

}  // namespace perfspec::testing
