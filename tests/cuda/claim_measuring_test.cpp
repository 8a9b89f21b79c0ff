// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Host time measured on this machine: in a program of its own, which ctest runs alone.

#include "scripted_cuda.hpp"

#include <perfspec/cuda.hpp>
#include <perfspec/perfspec.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace perfspec::testing {

TEST_CASE("claims on CUDA work are measured like others", "[cuda][measuring]") {
    const scripted_cuda device;
    const auto spinning = [](std::uint64_t steps) {
        return [steps](cudaStream_t) {
            for (std::uint64_t i = 0, x = 1; i < steps; ++i) keep(x = x * 6364136223846793005U + 1U);
        };
    };
    const subject slow = detail::cuda_subject("claim slow", spinning(20'000), scripted_cuda::runtime());
    const subject fast = detail::cuda_subject("claim fast", spinning(2'000), scripted_cuda::runtime());
    const evaluation found = evaluate(speedup(slow, fast) > 2.0);
    if (found.verdict == verdict::not_judged) SKIP(found.reason);
    CHECK(found.verdict == verdict::holds);
}

}  // namespace perfspec::testing
