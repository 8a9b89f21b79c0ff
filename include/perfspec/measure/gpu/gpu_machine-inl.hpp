// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/gpu/gpu_machine.hpp>

namespace perfspec {

const gpu_identity& gpu_machine::of_cuda(int ordinal) {
    const auto known = known_.find(ordinal);
    if (known != known_.end()) return known->second;
    if (!driver_) driver_ = detail::load_cuda_driver();
    return known_.emplace(ordinal, detail::identify_gpu(*driver_, ordinal)).first->second;
}

}  // namespace perfspec
