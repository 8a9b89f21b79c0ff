// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/gpu/gpu_machine.hpp>

namespace perfspec {

gpu_count gpu_machine::count() {
    if (!driver_) driver_ = detail::load_cuda_driver();
    return detail::count_gpus(*driver_);
}

const gpu_identity& gpu_machine::of_cuda(int ordinal) {
    const auto known = known_.find(ordinal);
    if (known != known_.end()) return known->second;
    if (!driver_) driver_ = detail::load_cuda_driver();
    return known_.emplace(ordinal, detail::identify_gpu(*driver_, ordinal)).first->second;
}

gpu_reading gpu_machine::state_of_cuda(int ordinal, std::uint64_t since_microseconds) {
    const gpu_identity& gpu = of_cuda(ordinal);
    if (!gpu.fault.empty()) return {.state = {}, .fault = gpu.fault};
    if (!nvml_) nvml_ = detail::load_nvml();
    return detail::read_gpu_state(*nvml_, gpu.facts, since_microseconds);
}

}  // namespace perfspec
