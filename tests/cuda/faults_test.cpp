// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What happens to claims when a kernel, the memory or the device fails in the middle.
#include "gpu_program.hpp"

#include <perfspec/measure/failure.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec::testing {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

/// A kernel that fails in its n-th launch.
template <class Fail> cuda_work failing_at(simulated_gpu& gpu, int n, Fail fail) {
    return detail::cuda_subject(
        "fails",
        [&gpu, n, fail, launched = 0](cudaStream_t stream) mutable {
            if (++launched >= n) return fail(stream);
            gpu.launch(stream, {.cold = 100us});
            return cudaSuccess;
        },
        simulated_gpu::runtime());
}

}  // namespace

TEST_CASE("a kernel that faults makes its claim invalid, and those after it, which say that it was before them",
          "[cuda][unit]") {
    gpu_program p;
    const int n = GENERATE(1, 2, 10, 100);
    const auto x = failing_at(p.gpu, n, [&](cudaStream_t stream) {
        p.gpu.launch(stream, {.cold = 100us, .fault = cudaErrorIllegalAddress});
        return cudaSuccess;
    });
    const record r = p.evaluate(device_time(x) < 1s);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("cudaErrorIllegalAddress: an illegal memory access was encountered"));
    const record next = p.evaluate(device_time(launching(p.gpu, "next", {.cold = 100us})) < 1s);
    CHECK(next.verdict == verdict::invalid);
    CHECK_THAT(next.reason, ContainsSubstring("cudaErrorIllegalAddress"));
}

TEST_CASE("a device that is lost in the middle makes claims invalid, and keeps no program waiting", "[cuda][unit]") {
    gpu_program p;
    const int n = GENERATE(1, 2, 10, 100);
    const auto x = failing_at(p.gpu, n, [&](cudaStream_t) {
        p.gpu.lose(cudaErrorDevicesUnavailable);
        return cudaSuccess;  // a launch by <<<>>> tells nothing
    });
    const record r = p.evaluate(device_time(x) < 1s);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("cudaErrorDevicesUnavailable"));
    CHECK(p.evaluate(latency(x) < 1s).verdict == verdict::invalid);
}

TEST_CASE("memory that runs out in a body makes its claim invalid, and no other", "[cuda][unit]") {
    gpu_program p;
    const int n = GENERATE(1, 10, 100);
    const auto x = failing_at(p.gpu, n, [](cudaStream_t) {
        void* at = nullptr;
        return simulated_gpu::runtime().allocate(&at, std::size_t{1} << 50U);
    });
    const record r = p.evaluate(device_time(x) < 1s);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("cudaErrorMemoryAllocation: out of memory"));
    CHECK(r.failure == failure_kind::out_of_memory);
    CHECK(p.evaluate(device_time(launching(p.gpu, "next", {.cold = 100us})) < 1s).verdict == verdict::holds);
}

}  // namespace perfspec::testing
