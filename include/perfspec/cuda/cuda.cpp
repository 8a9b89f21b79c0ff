// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/cuda.hpp>, in one translation unit. They need the CUDA runtime library, but no CUDA compiler.

#include <perfspec/cuda/cuda_memory.hpp>
#include <perfspec/cuda/cuda_work-inl.hpp>
#include <perfspec/cuda/kernels/kernel_recorder.hpp>
#include <perfspec/cuda/roofline-inl.hpp>
#include <perfspec/cuda/runtime/cuda_runtime-inl.hpp>
#include <perfspec/cuda/timing/given_streams.hpp>

namespace perfspec::detail {
namespace {

cuda_memory_counter memory_of_cuda(real_cuda_runtime());
[[maybe_unused]] const bool memory_is_seen = use_counter(metric_kind::device_memory, memory_of_cuda);

kernel_recorder& recorder_of_kernels() {
    static kernel_recorder all(real_cuda_runtime(), [] { return load_cupti(places_of_cupti(CUDART_VERSION)); });
    return all;
}

/// Kineto of LibTorch has CUPTI already, and sees these kernels, too.
[[maybe_unused]] const bool kernels_are_recorded =
    known_device_recorder() == nullptr && use_device_recorder(recorder_of_kernels());

constexpr stream_timers cuda_stream_timers{
    .devices = "cuda",
    .make = [](stream_use use) -> std::unique_ptr<stream_timer> {
        return std::make_unique<given_stream_timer>(real_cuda_runtime(), use);
    },
    .timing = [](stream_use use) { return given_stream_timer::timing(use).text(); }};

const bool streams_of_others_are_timed = (known_stream_timers() = &cuda_stream_timers) != nullptr;

}  // namespace
}  // namespace perfspec::detail

/// Whether timers for given streams are installed. A program of LibTorch's models calls nothing of perfspec::cuda, and
/// a linker leaves out of a library what nobody calls: the target perfspec::cuda makes it look for this name.
extern "C" bool perfspec_cuda_times_given_streams() noexcept;
bool perfspec_cuda_times_given_streams() noexcept { return perfspec::detail::streams_of_others_are_timed; }
