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
evaluation judged(evaluation r) {
    if (r.verdict == verdict::not_judged) SKIP(r.reason);
    return r;
}

}  // namespace

TEST_CASE("a claim on CUDA work that fails is invalid with the error's name and string", "[cuda][unit]") {
    scripted_cuda device;
    const subject x = detail::cuda_subject(
        "claim fault", [&](cudaStream_t) { device.device_work = cudaErrorIllegalAddress; }, scripted_cuda::runtime());
    const evaluation found = judged(evaluate(latency(x) < std::chrono::hours{1}));
    CHECK(found.verdict == verdict::invalid);
    CHECK_THAT(found.reason, ContainsSubstring("cudaErrorIllegalAddress: an illegal memory access was encountered"));
}

TEST_CASE("a claim on CUDA work without a device is invalid with the driver's words and the way to skip",
          "[cuda][unit]") {
    scripted_cuda device;
    device.counting = cudaErrorNoDevice;
    const subject x = detail::cuda_subject(
        "claim no device", [](cudaStream_t) {}, scripted_cuda::runtime());
    const evaluation found = evaluate(latency(x) < std::chrono::hours{1});
    CHECK(found.verdict == verdict::invalid);
    CHECK_THAT(found.reason, ContainsSubstring("no CUDA-capable device is detected") && ContainsSubstring("SKIP(why)"));
}

}  // namespace perfspec::testing
