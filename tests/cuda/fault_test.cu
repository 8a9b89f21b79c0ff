// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A kernel that faults on a real device; without one the test skips. It has its own program, because the process cannot
// use CUDA afterwards.
#include <perfspec/cuda.hpp>
#include <perfspec/perfspec.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace {

using Catch::Matchers::ContainsSubstring;
using perfspec::evaluate;
using perfspec::evaluation;
using perfspec::verdict;

__global__ void write_to(int* at) { *at = 1; }
__global__ void do_nothing() {}

}  // namespace

TEST_CASE("a kernel that writes where nothing is makes its claim an error in the driver's words, and those after it",
          "[cuda][device]") {
    if (const std::string reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
    int* const nowhere = reinterpret_cast<int*>(std::uintptr_t{4096});
    const auto faults =
        perfspec::cuda_kernel("faults", [=](cudaStream_t stream) { write_to<<<1, 1, 0, stream>>>(nowhere); });
    const evaluation found = evaluate(device_time(faults) < std::chrono::hours{1});
    CHECK(found.verdict == verdict::error);
    CHECK_THAT(found.reason, ContainsSubstring("cudaErrorIllegalAddress: an illegal memory access was encountered"));
    const auto works = perfspec::cuda_kernel("works", [](cudaStream_t stream) { do_nothing<<<1, 1, 0, stream>>>(); });
    const evaluation next = evaluate(latency(works) < std::chrono::hours{1});
    CHECK(next.verdict == verdict::error);
    CHECK_THAT(next.reason, ContainsSubstring("cudaErrorIllegalAddress"));
}
