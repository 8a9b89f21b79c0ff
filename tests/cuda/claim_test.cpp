// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_cuda.hpp"

#include <perfspec/cuda.hpp>
#include <perfspec/perfspec.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec::testing {
namespace {

using Catch::Matchers::ContainsSubstring;

// Speed is judged in optimised builds only; there these tests have nothing to see.
record judged(record r) {
    if (r.verdict == verdict::not_judged) SKIP(r.reason);
    return r;
}

}  // namespace

TEST_CASE("a claim on CUDA work that fails is invalid with the error's name and string", "[cuda][unit]") {
    scripted_cuda device;
    device.stream_work = cudaErrorIllegalAddress;
    const subject x = detail::cuda_subject(
        "claim fault", [](cudaStream_t) {}, scripted_cuda::runtime());
    const record found = judged(evaluate(latency(x) < std::chrono::hours{1}));
    CHECK(found.verdict == verdict::invalid);
    CHECK_THAT(found.reason, ContainsSubstring("cudaErrorIllegalAddress: an illegal memory access was encountered"));
}

TEST_CASE("a claim on CUDA work without a device is invalid with the driver's words and the way to skip", "[cuda][unit]") {
    scripted_cuda device;
    device.counting = cudaErrorNoDevice;
    const subject x = detail::cuda_subject(
        "claim no device", [](cudaStream_t) {}, scripted_cuda::runtime());
    const record found = evaluate(latency(x) < std::chrono::hours{1});
    CHECK(found.verdict == verdict::invalid);
    CHECK_THAT(found.reason, ContainsSubstring("no CUDA-capable device is detected") && ContainsSubstring("SKIP(why)"));
}

TEST_CASE("claims on CUDA work are measured like others", "[cuda][unit]") {
    const scripted_cuda device;
    const auto spinning = [](std::uint64_t steps) {
        return [steps](cudaStream_t) {
            for (std::uint64_t i = 0, x = 1; i < steps; ++i) keep(x = x * 6364136223846793005U + 1U);
        };
    };
    const subject slow = detail::cuda_subject("claim slow", spinning(20'000), scripted_cuda::runtime());
    const subject fast = detail::cuda_subject("claim fast", spinning(2'000), scripted_cuda::runtime());
    CHECK(judged(evaluate(speedup(slow, fast) > 2.0)).verdict == verdict::holds);
}

}  // namespace perfspec::testing
