// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// CUDA work as subjects. Link perfspec::cuda in addition to perfspec::catch2_main.
//
//     #include <perfspec/catch2.hpp>
//     #include <perfspec/cuda.hpp>
//
//     TEST_CASE("saxpy keeps its speed", "[perf]") {
//         if (const auto reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
//         auto saxpy = perfspec::cuda_kernel("saxpy", [&](cudaStream_t s) { saxpy<<<grid, block, 0, s>>>(n, a, x, y); });
//         PERF_CHECK(latency(saxpy) < 50us);
//     }

#include <perfspec/cuda/cuda_work.hpp>
#include <perfspec/cuda/roofline.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/language/operator_counts.hpp>
