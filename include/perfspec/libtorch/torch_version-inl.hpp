// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/linked_library.hpp>

#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/version.h>

#include <cstdlib>
#include <string>

namespace perfspec::detail {

/// "13.0" for 13000; empty for a LibTorch without CUDA.
inline std::string cuda_of_libtorch() {
    const at::CUDAHooksInterface& cuda = at::detail::getCUDAHooks();
    if (!cuda.hasCUDA()) return {};
    const long version = cuda.versionCUDART();
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

/// What OpenMP's threads do between parallel regions. It changes the time of a model by half and more.
inline std::string openmp_wait_policy() {
    const char* const policy = std::getenv("OMP_WAIT_POLICY");
    return policy == nullptr ? "not set" : policy;
}

// Static, because one translation unit has these bodies, and nothing else names the objects.
static const register_library libtorch_is_linked{"LibTorch", [] { return std::string{TORCH_VERSION}; }};
static const register_library openmp_waits{"OMP_WAIT_POLICY", openmp_wait_policy};
static const register_library cuda_is_linked_by_libtorch{"CUDA runtime of LibTorch", cuda_of_libtorch,
                                                         library_use::on_device};

}  // namespace perfspec::detail
