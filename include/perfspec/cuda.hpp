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
//         const auto launch = [&](cudaStream_t stream) { saxpy<<<grid, block, 0, stream>>>(n, a, x, y); };
//         PERF_CHECK(latency(perfspec::cuda_kernel("saxpy", launch)) < 50us);
//     }

#include <perfspec/cuda/cuda_work.hpp>
#include <perfspec/cuda/roofline.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/explain/model_queries.hpp>
