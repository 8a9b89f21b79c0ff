// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../run/stored_program.hpp"
#include "simulated_program.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <support/scripted_gpus.hpp>

namespace perfspec::testing {
namespace {

template <class Body> cuda_work kernel(Body body) {
    return detail::cuda_subject("saxpy", body, simulated_gpu::runtime());
}

/// The exception of five calls.
std::string fault_of(const subject& x) {
    try {
        run_untimed(x, 5);
    } catch (const measurement_failure& failed) { return failed.what(); }
    return {};
}

subject kernel_on(simulated_gpu& gpu, int device) {
    gpu.current = device;
    return detail::cuda_subject(
        "sort", [](cudaStream_t) {}, simulated_gpu::runtime());
}

}  // namespace

TEST_CASE("latency of a CUDA subject is of calls that are waited for one by one, however many make a sample",
          "[cuda][unit]") {
    simulated_machine m;
    const subject x = launching(m.gpu, "x", {.cold = 20us});
    run_untimed(x, 1);
    const auto of = [&](std::uint64_t calls) {
        return take_sample(x, calls, warm_call::no, m.processor).per_iteration();
    };
    CHECK(of(1) > 20'000.0);
    CHECK(of(7) == of(1));
    CHECK(of(100) == of(1));
}

TEST_CASE("cuda_kernel destroys its stream with the last handle", "[cuda][unit]") {
    simulated_machine m;
    const std::size_t before = m.gpu.count_streams();
    std::optional<subject> first = kernel([](cudaStream_t) {});
    std::optional<subject> second = first;
    first.reset();
    CHECK(m.gpu.count_streams() == before + 1);
    second.reset();
    CHECK(m.gpu.count_streams() == before);
}

TEST_CASE("cuda_kernel reports a launch that was refused, and forgets its error", "[cuda][unit]") {
    simulated_machine m;
    CHECK_RECORDED(fault_of(kernel([&](cudaStream_t) { m.gpu.last_error = cudaErrorInvalidConfiguration; })));
    CHECK(m.gpu.last_error == cudaSuccess);
}

TEST_CASE("cuda_kernel stops at the iteration that fails", "[cuda][unit]") {
    simulated_machine m;
    int launched = 0;
    CHECK(fault_of(kernel([&](cudaStream_t) { return ++launched == 2 ? cudaErrorMemoryAllocation : cudaSuccess; })) ==
          "\"saxpy\" threw: cudaErrorMemoryAllocation: out of memory (returned by the body)");
    CHECK(launched == 2);
    CHECK(fault_of(kernel([&](cudaStream_t stream) {
              m.gpu.launch(stream, {.cold = 1us, .fault = ++launched == 4 ? cudaErrorIllegalAddress : cudaSuccess});
          })) ==
          "\"saxpy\" threw: cudaErrorIllegalAddress: an illegal memory access was encountered (in the body's work)");
    CHECK(launched == 4);
}

TEST_CASE("cuda_kernel blames no body for an error of earlier calls", "[cuda][unit]") {
    simulated_machine m;
    bool ran = false;
    const subject x = kernel([&](cudaStream_t) { ran = true; });
    m.gpu.last_error = cudaErrorInvalidValue;
    CHECK_RECORDED(fault_of(x));
    m.gpu.launch(m.gpu.make_stream(), {.cold = 1us, .fault = cudaErrorLaunchFailure});
    check_recorded("2", fault_of(x));
    CHECK_FALSE(ran);
}

TEST_CASE("cuda_kernel without a device or a stream is refused, and nothing of it is called", "[cuda][unit]") {
    simulated_machine m;
    bool ran = false;
    const auto body = [&](cudaStream_t) { ran = true; };
    m.gpu.count_error = cudaErrorInsufficientDriver;
    m.gpu.driver = 12'040;
    CHECK_RECORDED(kernel(body).state().error_reason);
    m.gpu.count_error = cudaSuccess;
    m.gpu.lose(cudaErrorMemoryAllocation);
    CHECK(kernel(body).state().error_reason == "no CUDA stream: cudaErrorMemoryAllocation: out of memory");
    CHECK_THROWS_AS(run_untimed(kernel(body), 1), measurement_failure);
    CHECK_FALSE(ran);
}

TEST_CASE("a stream that cannot be held makes device_time an error", "[cuda][unit]") {
    simulated_machine m;
    m.gpu.hold_error = cudaErrorNotSupported;
    const cuda_work x = launching(m.gpu, "saxpy", {.cold = 100us});
    CHECK_THROWS_RECORDED(std::exception, take_device_time(x));
    CHECK(take_device_time(cuda_work(x).host_synchronized()) > 0.0);
}

TEST_CASE("reason_without_device says why there is none, and clears the error for later calls", "[cuda][unit]") {
    simulated_machine m;
    CHECK(detail::reason_without_device(simulated_gpu::runtime()).empty());
    m.gpu.count_error = m.gpu.last_error = cudaErrorNoDevice;
    CHECK_RECORDED(detail::reason_without_device(simulated_gpu::runtime()));
    CHECK(m.gpu.last_error == cudaSuccess);
    m.gpu.count_error = cudaSuccess;
    m.gpu.devices = 0;
    CHECK(detail::reason_to_skip(simulated_gpu::runtime(), false) == "no CUDA device: the driver reports none");
    CHECK(detail::reason_to_skip(simulated_gpu::runtime(), true).empty());  // if the run requires one
}

TEST_CASE("cuda_unavailable asks the real runtime", "[cuda][unit]") {
    int devices = 0;
    const bool usable = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
    CHECK(cuda_unavailable().empty() == usable);
}

TEST_CASE("a CUDA subject works on the device that is current when it is made", "[cuda][unit]") {
    simulated_machine m;
    CHECK(kernel_on(m.gpu, 0).state().device == "cuda:0");
    CHECK(kernel_on(m.gpu, 3).state().device == "cuda:3");
    m.gpu.count_error = cudaErrorNoDevice;
    CHECK(kernel_on(m.gpu, 3).state().device == "cuda");
}

TEST_CASE("a time of a CUDA subject on one GPU is not compared with the baseline of another one", "[cuda][unit]") {
    simulated_machine m;
    const scripted_gpus driver({{.name = "NVIDIA H100 80GB HBM3"}, {.name = "NVIDIA A100-SXM4-40GB"}});
    gpu_machine gpus(scripted_gpus::driver());
    const auto judged_on = [&](int device) {
        stored_program program(processes_of(1e6, 10));
        program.devices = &gpus;
        program.variables["PERFSPEC_CI"] = "on";
        program.sort = kernel_on(m.gpu, 0);
        program.store(stored_program::key(), about(1e6, 10));
        REQUIRE(program.path() == "/project/baselines/nvidia-h100-80gb-hbm3/sort_test.json");
        program.sort = kernel_on(m.gpu, device);
        return program.evaluate(latency(program.sort) < 1.05 * baseline());
    };
    CHECK(judged_on(0).verdict == verdict::holds);
    const record r = judged_on(1);
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
}

}  // namespace perfspec::testing
