// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/quantity.hpp>

#include <cstdint>

namespace perfspec::inline v0_2 {

/// Arithmetic units of a multiprocessor: its own ones, or its tensor cores, for dense matrices.
enum class arithmetic : std::uint8_t { fp64, fp32, fp64_tensor, tf32_tensor, fp16_tensor, bf16_tensor };

/// The most bytes per second that the memory of the current device can move: two for each cycle of its highest clock
/// and each byte of its bus. A copy reads and writes: declare both, `.bytes(2 * n)`. A cache is faster, so say
/// `.cold()`, or read more than fits.
///
/// Throws cuda_error without a device, and input_error if the driver does not tell clock or bus.
/// Source: Williams, Waterman, Patterson, Roofline (2009), section 3; NVIDIA, CUDA C++ Best Practices Guide,
/// "Theoretical Bandwidth Calculation".
///
///     PERF_CHECK(device_throughput(saxpy, bytes) > 0.8 * perfspec::peak_bandwidth());
[[nodiscard]] quantity<dimension::byte_rate> peak_bandwidth();

/// The most floating point operations per second of the current device, at the highest clock of its multiprocessors. A
/// multiplication with an addition counts as two.
///
/// Known for compute capability 7.0, 7.5, 8.0, 8.6, 8.9 and 9.0, for tensor cores of 8.0 and 9.0. Throws input_error
/// for others, because claims would hold against a limit that is too low; use the number of the data sheet there,
/// `> 0.6 * 80'000_GFLOP_per_s`. Throws cuda_error without a device. Source: NVIDIA, CUDA C++ Programming Guide,
/// "Throughput of Native Arithmetic Instructions"; white papers of A100 and H100.
///
///     PERF_CHECK(device_throughput(product, flops) > 0.6 * perfspec::peak_flops(perfspec::arithmetic::tf32_tensor));
[[nodiscard]] quantity<dimension::flop_rate> peak_flops(arithmetic units);

namespace detail {

struct cuda_runtime;
[[nodiscard]] quantity<dimension::byte_rate> peak_bandwidth_of(const cuda_runtime& runtime);
[[nodiscard]] quantity<dimension::flop_rate> peak_flops_of(const cuda_runtime& runtime, arithmetic units);

}  // namespace detail
}  // namespace perfspec::inline v0_2
