// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// From a CUDA subject on a scripted runtime to the baseline of its GPU, through the whole of an evaluation.
#include "../../run/stored_program.hpp"
#include "../scripted_cuda.hpp"

#include <perfspec/cuda.hpp>

#include <support/scripted_gpus.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec::testing {
namespace {

using Catch::Matchers::ContainsSubstring;

subject kernel_on(scripted_cuda& runtime, int device) {
    runtime.current = device;
    return detail::cuda_subject(
        "sort", [](cudaStream_t) {}, scripted_cuda::runtime());
}

}  // namespace

TEST_CASE("a CUDA subject works on the device that is current when it is made", "[cuda][unit]") {
    scripted_cuda runtime;
    CHECK(kernel_on(runtime, 0).state().device == "cuda:0");
    CHECK(kernel_on(runtime, 3).state().device == "cuda:3");
    runtime.counting = cudaErrorNoDevice;
    CHECK(kernel_on(runtime, 3).state().device == "cuda");
}

TEST_CASE("a time of a CUDA subject on one GPU is not compared with the baseline of another one", "[cuda][unit]") {
    scripted_cuda runtime;
    const scripted_gpus driver({{.name = "NVIDIA H100 80GB HBM3"}, {.name = "NVIDIA A100-SXM4-40GB"}});
    gpu_machine gpus(scripted_gpus::driver());
    const auto judged_on = [&](int device) {
        stored_program program(launches_of(1e6, 10));
        program.devices = &gpus;
        program.variables["PERFSPEC_POLICY"] = "ci";
        program.sort = kernel_on(runtime, 0);
        program.store(stored_program::key(), about(1e6, 10));
        REQUIRE(program.path() == "/project/baselines/nvidia-h100-80gb-hbm3/sort_test.json");
        program.sort = kernel_on(runtime, device);
        return program.evaluate(latency(program.sort) < 1.05 * baseline());
    };
    CHECK(judged_on(0).verdict == verdict::holds);
    const record r = judged_on(1);
    CHECK(r.verdict == verdict::not_judged);
    CHECK_THAT(r.reason, ContainsSubstring(
                             "no baselines for hardware \"nvidia-a100-sxm4-40gb\" (cuda:1 is NVIDIA A100-SXM4-40GB)"));
}

}  // namespace perfspec::testing
