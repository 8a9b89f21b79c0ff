// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/gpu/gpu_machine.hpp>

#include <string>

namespace perfspec::tool {

/// The resource specification of ctest that lists the GPUs of this machine, each with one slot, by their unique names: no order of GPUs and no
/// CUDA_VISIBLE_DEVICES changes what they mean. Throws input_error where there is none.
///
/// Source: "Resource Specification File" in the manual of ctest.
[[nodiscard]] std::string ctest_resources(gpu_machine& gpus);

}  // namespace perfspec::tool
