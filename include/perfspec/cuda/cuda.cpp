// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/cuda.hpp>, in one translation unit. They need the CUDA runtime library, but no CUDA compiler.

#include <perfspec/cuda/cuda_memory.hpp>
#include <perfspec/cuda/cuda_work-inl.hpp>
#include <perfspec/cuda/kernels/kernel_recorder.hpp>
#include <perfspec/cuda/roofline.hpp>
#include <perfspec/cuda/runtime/cuda_runtime-inl.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/cuda/timing/given_streams.hpp>
#include <perfspec/explain/metrics.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>

namespace perfspec::inline v0_2 {
namespace detail {

/// An attribute of the current device. Throws input_error if the driver does not tell it.
inline double attribute_of(const cuda_runtime& runtime, cudaDeviceAttr which, const char* what, const char* instead) {
    const auto require = [&](cudaError_t result) {
        if (result != cudaSuccess) fail_cuda(runtime, result);
    };
    if (const std::string reason = reason_without_device(runtime); !reason.empty())
        throw cuda_error(cudaErrorNoDevice, reason);
    int device = 0;
    int value = 0;
    require(runtime.current_device(&device));
    require(runtime.attribute(&value, which, device));
    if (value > 0 || which == cudaDevAttrComputeCapabilityMinor) return value;
    throw input_error("the driver does not report " + std::string(what) + " of cuda:" + std::to_string(device) +
                      ". Write the number of its data sheet: " + instead);
}

/// Operations of a multiprocessor per cycle, in the order of `arithmetic`; 0: unknown.
struct operations_in_a_cycle {
    int capability{};
    std::array<int, 6> of{};
};

inline constexpr operations_in_a_cycle known_operations[] = {
    //     fp64  fp32  tensor cores: fp64, tf32, fp16, bf16
    {70, {64, 128, 0, 0, 0, 0}}, {75, {4, 128, 0, 0, 0, 0}}, {80, {64, 128, 128, 1024, 2048, 2048}},
    {86, {4, 256, 0, 0, 0, 0}},  {89, {4, 256, 0, 0, 0, 0}}, {90, {128, 256, 256, 2048, 4096, 4096}},
};

quantity<dimension::byte_rate> peak_bandwidth_of(const cuda_runtime& runtime) {
    constexpr const char* instead = "> 0.8 * 3350_GBps";
    const double kilohertz = attribute_of(runtime, cudaDevAttrMemoryClockRate, "the memory clock", instead);
    const double bits = attribute_of(runtime, cudaDevAttrGlobalMemoryBusWidth, "the width of the memory bus", instead);
    return {2.0 * kilohertz * 1e3 * bits / 8.0};
}

quantity<dimension::flop_rate> peak_flops_of(const cuda_runtime& runtime, arithmetic units) {
    constexpr const char* instead = "> 0.6 * 67'000_GFLOP_per_s";
    const auto attribute = [&](cudaDeviceAttr which, const char* what) {
        return attribute_of(runtime, which, what, instead);
    };
    const auto major = static_cast<int>(attribute(cudaDevAttrComputeCapabilityMajor, "the compute capability"));
    const auto minor = static_cast<int>(attribute(cudaDevAttrComputeCapabilityMinor, "the compute capability"));
    const auto known = std::ranges::find(known_operations, 10 * major + minor, &operations_in_a_cycle::capability);
    const int operations = known == std::end(known_operations) ? 0 : known->of[static_cast<std::size_t>(units)];
    if (operations <= 0)
        throw input_error("peak_flops does not know this arithmetic of compute capability " + std::to_string(major) +
                          "." + std::to_string(minor) + ". Write the number of the device's data sheet: " + instead);
    return {operations * attribute(cudaDevAttrMultiProcessorCount, "the number of multiprocessors") *
            attribute(cudaDevAttrClockRate, "the clock of the multiprocessors") * 1e3};
}

}  // namespace detail

quantity<dimension::byte_rate> peak_bandwidth() { return detail::peak_bandwidth_of(detail::real_cuda_runtime()); }

quantity<dimension::flop_rate> peak_flops(arithmetic units) {
    return detail::peak_flops_of(detail::real_cuda_runtime(), units);
}

namespace detail {
namespace {

cuda_memory_counter memory_of_cuda(real_cuda_runtime());
[[maybe_unused]] const bool memory_is_seen = use_counter(metrics::device_memory, memory_of_cuda);

kernel_recorder& recorder_of_kernels() {
    static kernel_recorder all(real_cuda_runtime(), [] { return load_cupti(places_of_cupti(CUDART_VERSION)); });
    return all;
}

/// Not with LibTorch, whose Kineto uses CUPTI and sees these kernels.
[[maybe_unused]] const bool kernels_are_recorded =
    installed_recorder<device_recorder>() == nullptr && install_recorder<device_recorder>(&recorder_of_kernels());

constexpr stream_timers cuda_stream_timers{
    .devices = "cuda",
    .make = [](stream_use use) -> std::unique_ptr<stream_timer> {
        return std::make_unique<stream_timer_of_models>(real_cuda_runtime(), use);
    },
    .timing = [](stream_use use) { return stream_timer_of_models::timing(use).text(); }};

const bool streams_of_others_are_timed = (known_stream_timers() = &cuda_stream_timers) != nullptr;

}  // namespace
}  // namespace detail
}  // namespace perfspec::inline v0_2

/// Whether timers for given streams are installed. Linked by name (PerfspecAdapters.cmake), so that programs that call
/// nothing of perfspec::cuda, as with LibTorch's models, contain them.
extern "C" bool perfspec_cuda_times_given_streams() noexcept;
bool perfspec_cuda_times_given_streams() noexcept { return perfspec::detail::streams_of_others_are_timed; }
