// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../gpu_program.hpp"
#include "simulated_cupti.hpp"

#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/explain/metrics.hpp>

namespace perfspec::testing {

/// A program whose kernels CUPTI records.
struct traced_program : gpu_program {
    simulated_cupti cupti{gpu};
    detail::kernel_recorder recorder{simulated_gpu::runtime(), simulated_cupti::library};
    device_kernels_counter kernels{[]() noexcept { return in_use; }};

    explicit traced_program(std::vector<child_end> children = {confirms(verdict::violated)})
        : gpu_program(std::move(children)) {
        in_use = &recorder;
        counts.replace(detail::metrics::device_kernels, kernels);
        counts.install<device_recorder>(&recorder);
    }
    ~traced_program() { in_use = nullptr; }
    traced_program(const traced_program&) = delete;
    traced_program& operator=(const traced_program&) = delete;

private:
    static inline device_recorder* in_use = nullptr;
};

}  // namespace perfspec::testing
