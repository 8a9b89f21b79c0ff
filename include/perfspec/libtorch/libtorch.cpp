// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/libtorch.hpp>, in one translation unit because LibTorch's headers compile slowly. They must
// not use fmt: LibTorch ships another version of it.

#include <perfspec/baseline/fingerprint/linked_library.hpp>
#include <perfspec/libtorch/graphs/device_graph-inl.hpp>
#include <perfspec/libtorch/graphs/model_graph-inl.hpp>
#include <perfspec/libtorch/outputs/compare_outputs-inl.hpp>
#include <perfspec/libtorch/outputs/judge_outputs-inl.hpp>
#include <perfspec/libtorch/outputs/verify-inl.hpp>
#include <perfspec/libtorch/packages/package-inl.hpp>
#include <perfspec/libtorch/recorders/counters-inl.hpp>
#include <perfspec/libtorch/recorders/layers-inl.hpp>
#include <perfspec/libtorch/recorders/operator_recorder-inl.hpp>
#include <perfspec/libtorch/settings/applied_settings-inl.hpp>
#include <perfspec/libtorch/subjects/device_time-inl.hpp>
#include <perfspec/libtorch/subjects/largest_batch-inl.hpp>
#include <perfspec/libtorch/subjects/on_device-inl.hpp>
#include <perfspec/libtorch/subjects/torch_subject-inl.hpp>

#include <perfspec/libtorch/subjects/aot_inductor-inl.hpp>
#include <perfspec/libtorch/subjects/torchscript-inl.hpp>
#include <perfspec/libtorch/training/training_step-inl.hpp>

#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/version.h>

#include <cstdlib>
#include <string>

namespace perfspec::inline v0_2::detail {

/// "13.0" for 13000; empty for a LibTorch without CUDA.
inline std::string cuda_of_libtorch() {
    const at::CUDAHooksInterface& cuda = at::detail::getCUDAHooks();
    if (!cuda.hasCUDA()) return {};
    const long version = cuda.versionCUDART();
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

/// Whether OpenMP's threads spin between parallel regions, which changes the time of a model by half and more.
inline std::string openmp_wait_policy() {
    const char* const policy = std::getenv("OMP_WAIT_POLICY");
    return policy == nullptr ? "not set" : policy;
}

// Static, because only this translation unit has these bodies.
static const register_library libtorch_is_linked{"LibTorch", [] { return std::string{TORCH_VERSION}; }};
static const register_library openmp_waits{"OMP_WAIT_POLICY", openmp_wait_policy};
static const register_library cuda_is_linked_by_libtorch{"CUDA runtime of LibTorch", cuda_of_libtorch,
                                                         library_use::on_device};

}  // namespace perfspec::inline v0_2::detail

// The linker keeps this file for its name also if a program calls none of its functions: its subjects may be lambdas.
extern "C" bool perfspec_libtorch_records_operators() noexcept;
bool perfspec_libtorch_records_operators() noexcept { return perfspec::detail::operators_are_recorded; }
