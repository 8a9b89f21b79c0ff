// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/roofline.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>

namespace perfspec {
namespace detail {

/// What to write in place of a peak.
inline constexpr const char* instead_of_bandwidth = "> 0.8 * 3350_GBps";
inline constexpr const char* instead_of_flops = "> 0.6 * 67'000_GFLOPS";

/// Reads attributes of the current device.
class device_attributes {
public:
    explicit device_attributes(const cuda_runtime& runtime) : runtime_(runtime) {
        if (const std::string reason = reason_without_device(runtime); !reason.empty())
            throw cuda_error(cudaErrorNoDevice, reason);
        require(runtime.current_device(&device_));
    }

    /// Throws input_error where the driver tells none.
    [[nodiscard]] double positive(cudaDeviceAttr which, const char* what, const char* instead) const {
        int value = 0;
        require(runtime_.attribute(&value, which, device_));
        if (value > 0) return value;
        throw input_error("the driver does not tell " + std::string(what) + " of cuda:" + std::to_string(device_) +
                          ": give the number of its data sheet, " + instead);
    }

    /// 90 for compute capability 9.0.
    [[nodiscard]] int compute_capability() const {
        int minor = 0;
        require(runtime_.attribute(&minor, cudaDevAttrComputeCapabilityMinor, device_));
        return 10 * static_cast<int>(
                        positive(cudaDevAttrComputeCapabilityMajor, "the compute capability", instead_of_flops)) +
               minor;
    }

private:
    void require(cudaError_t done) const {
        if (done != cudaSuccess) fail_cuda(runtime_, done);
    }

    const cuda_runtime& runtime_;
    int device_{};
};

/// Operations that a multiprocessor does in a cycle, in the order of `arithmetic`; 0: not known.
struct operations_in_a_cycle {
    int capability{};
    std::array<int, 6> of{};
};

inline constexpr operations_in_a_cycle known_operations[] = {
    //     fp64  fp32  tensor cores: fp64, tf32, fp16, bf16
    {70, {64, 128, 0, 0, 0, 0}}, {75, {4, 128, 0, 0, 0, 0}}, {80, {64, 128, 128, 1024, 2048, 2048}},
    {86, {4, 256, 0, 0, 0, 0}},  {89, {4, 256, 0, 0, 0, 0}}, {90, {128, 256, 256, 2048, 4096, 4096}},
};

inline int operations_of(int capability, arithmetic units) {
    const auto known = std::ranges::find(known_operations, capability, &operations_in_a_cycle::capability);
    const int found = known == std::end(known_operations) ? 0 : known->of[static_cast<std::size_t>(units)];
    if (found > 0) return found;
    throw input_error("peak_flops does not know this arithmetic of compute capability " +
                      std::to_string(capability / 10) + "." + std::to_string(capability % 10) +
                      ": give the number of the device's data sheet, " + instead_of_flops);
}

quantity<dimension::byte_rate> peak_bandwidth_of(const cuda_runtime& runtime) {
    const device_attributes device(runtime);
    const double kilohertz =
        device.positive(cudaDevAttrMemoryClockRate, "the clock of the memory", instead_of_bandwidth);
    const double bits =
        device.positive(cudaDevAttrGlobalMemoryBusWidth, "the width of the memory's bus", instead_of_bandwidth);
    return {2.0 * kilohertz * 1e3 * bits / 8.0};
}

quantity<dimension::flop_rate> peak_flops_of(const cuda_runtime& runtime, arithmetic units) {
    const device_attributes device(runtime);
    const int operations = operations_of(device.compute_capability(), units);
    const double processors =
        device.positive(cudaDevAttrMultiProcessorCount, "the number of multiprocessors", instead_of_flops);
    const double kilohertz =
        device.positive(cudaDevAttrClockRate, "the clock of the multiprocessors", instead_of_flops);
    return {operations * processors * kilohertz * 1e3};
}

}  // namespace detail

quantity<dimension::byte_rate> peak_bandwidth() { return detail::peak_bandwidth_of(detail::real_cuda_runtime()); }

quantity<dimension::flop_rate> peak_flops(arithmetic units) {
    return detail::peak_flops_of(detail::real_cuda_runtime(), units);
}

}  // namespace perfspec
