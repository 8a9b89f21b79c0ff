// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_cuda.hpp"

#include <perfspec/cuda.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "support/scripted_clock.hpp"

namespace perfspec::testing {
namespace {

using Catch::Matchers::Message;
using calls = std::vector<std::string>;

template <class Body> cuda_work kernel(Body body) {
    return detail::cuda_subject("saxpy", body, scripted_cuda::runtime());
}

}  // namespace

TEST_CASE("cuda_kernel passes its own stream once an iteration", "[cuda][unit]") {
    const scripted_cuda device;
    std::vector<cudaStream_t> seen;
    run_untimed(kernel([&](cudaStream_t stream) { seen.push_back(stream); }), 3);
    CHECK(seen == std::vector<cudaStream_t>(3, scripted_cuda::stream()));
}

TEST_CASE("cuda_kernel waits for its device after each iteration, within the time, and before", "[cuda][unit]") {
    scripted_cuda device;
    const subject x = kernel([&](cudaStream_t) { device.calls.emplace_back("launch"); });
    CHECK(device.calls == calls{"count", "create"});
    device.calls.clear();
    struct noting_clock final : clock {
        calls& all;
        std::int64_t reading = 0;
        explicit noting_clock(calls& c) : all(c) {}
        std::int64_t now() override { return (all.emplace_back("clock"), reading += 5); }
    } clock{device.calls};
    CHECK(take_sample(x, 2, warm_call::no, clock) == sample{5, 2});
    CHECK(device.calls == calls{"wait for device", "last error", "clock", "launch", "wait for device", "launch",
                                "wait for device", "last error", "clock"});
}

TEST_CASE("latency of a CUDA subject is of calls that are waited for one by one, however many make a sample",
          "[cuda][unit]") {
    const auto iterations = GENERATE(std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{100});
    scripted_cuda device;
    std::int64_t reading = 0;
    device.device_work_takes = [&] { reading += 20'000; };
    const subject x = kernel([&](cudaStream_t) { reading += 5'000; });
    struct device_clock final : clock {
        const std::int64_t& at;
        explicit device_clock(const std::int64_t& t) : at(t) {}
        std::int64_t now() override { return at; }
    } clock{reading};
    CHECK(take_sample(x, iterations, warm_call::no, clock).per_iteration() == 25'000.0);
    CHECK(std::ranges::count(device.calls, "wait for device") ==
          static_cast<std::ptrdiff_t>(iterations) + 1);  // and before the sample
}

TEST_CASE("cuda_kernel stops at the iteration whose work failed", "[cuda][unit]") {
    scripted_cuda device;
    int launched = 0;
    const subject x = kernel([&](cudaStream_t) {
        if (++launched == 2) device.device_work = cudaErrorIllegalAddress;
    });
    CHECK_THROWS_AS(run_untimed(x, 5), measurement_failure);
    CHECK(launched == 2);
}

TEST_CASE("cuda_kernel destroys its stream with the last handle", "[cuda][unit]") {
    scripted_cuda device;
    std::optional<subject> first = kernel([](cudaStream_t) {});
    std::optional<subject> second = first;
    device.calls.clear();
    first.reset();
    CHECK(device.calls.empty());
    second.reset();
    CHECK(device.calls == calls{"destroy"});
}

TEST_CASE("cuda_kernel keeps its body and destroys it", "[cuda][unit]") {
    const scripted_cuda device;
    const auto shared = std::make_shared<int>(0);
    {
        const subject x = kernel([shared](cudaStream_t) { ++*shared; });
        run_untimed(x, 4);
        CHECK(shared.use_count() == 2);
    }
    CHECK(shared.use_count() == 1);
    CHECK(*shared == 4);
}

TEST_CASE("cuda_kernel tells of a launch that was refused", "[cuda][unit]") {
    scripted_cuda device;
    const subject x = kernel([&](cudaStream_t) { device.last_error = cudaErrorInvalidConfiguration; });
    CHECK_THROWS_MATCHES(
        run_untimed(x, 1), measurement_failure,
        Message("\"saxpy\" threw: cudaErrorInvalidConfiguration: invalid configuration argument (at the launch)"));
}

TEST_CASE("cuda_kernel tells of work that failed on the stream", "[cuda][unit]") {
    scripted_cuda device;
    const subject x = kernel([&](cudaStream_t) { device.device_work = cudaErrorIllegalAddress; });
    CHECK_THROWS_MATCHES(
        run_untimed(x, 1), measurement_failure,
        Message(
            "\"saxpy\" threw: cudaErrorIllegalAddress: an illegal memory access was encountered (of the body's work)"));
}

TEST_CASE("cuda_kernel tells of an error that its body returns, at once", "[cuda][unit]") {
    const scripted_cuda device;
    int launched = 0;
    const subject x = kernel([&](cudaStream_t) { return ++launched == 2 ? cudaErrorMemoryAllocation : cudaSuccess; });
    CHECK_THROWS_MATCHES(run_untimed(x, 5), measurement_failure,
                         Message("\"saxpy\" threw: cudaErrorMemoryAllocation: out of memory (returned by the body)"));
    CHECK(launched == 2);
}

TEST_CASE("cuda_kernel blames no body for an error of earlier calls", "[cuda][unit]") {
    scripted_cuda device;
    bool ran = false;
    const subject x = kernel([&](cudaStream_t) { ran = true; });
    device.last_error = cudaErrorInvalidValue;
    CHECK_THROWS_MATCHES(
        run_untimed(x, 1), measurement_failure,
        Message(
            "\"saxpy\" threw while its input was prepared: cudaErrorInvalidValue: invalid argument (left by an earlier call)"));
    device.device_work = cudaErrorLaunchFailure;
    CHECK_THROWS_MATCHES(
        run_untimed(x, 1), measurement_failure,
        Message(
            "\"saxpy\" threw while its input was prepared: cudaErrorLaunchFailure: unspecified launch failure (of work "
            "that was put on the device before)"));
    CHECK_FALSE(ran);
}

TEST_CASE("cuda_kernel forgets the error that it told of", "[cuda][unit]") {
    scripted_cuda device;
    const subject x = kernel([&](cudaStream_t) { return (device.last_error = cudaErrorInvalidValue); });
    CHECK_THROWS_AS(run_untimed(x, 1), measurement_failure);
    CHECK(device.last_error == cudaSuccess);
}

TEST_CASE("cuda_kernel without a device or a stream is refused, and nothing of it is called", "[cuda][unit]") {
    scripted_cuda device;
    bool ran = false;
    const auto body = [&](cudaStream_t) { ran = true; };
    device.counting = cudaErrorInsufficientDriver;
    CHECK(
        kernel(body).state().invalid_reason ==
        "no CUDA device: cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version: the driver is for CUDA "
        "12.4 at most, and the program's runtime is 13.0; skip the test where there is none: if (auto why = perfspec::cuda_unavailable(); !why.empty()) SKIP(why);");
    CHECK(device.calls == calls{"count", "last error"});
    device.counting = cudaSuccess;
    device.creating = cudaErrorMemoryAllocation;
    device.calls.clear();
    CHECK(kernel(body).state().invalid_reason == "no CUDA stream: cudaErrorMemoryAllocation: out of memory");
    CHECK(device.calls == calls{"count", "create", "last error"});
    CHECK_THROWS_AS(run_untimed(kernel(body), 1), measurement_failure);
    CHECK_FALSE(ran);
}

TEST_CASE("device_time holds the stream until the batch is in its queue, and flushes outside the events",
          "[cuda][unit]") {
    scripted_cuda device;
    {
        const subject x = kernel([&](cudaStream_t) { device.calls.emplace_back("launch"); });
        static_cast<void>(take_device_time(x));  // makes what it needs
        device.calls.clear();
        CHECK(take_device_time(x) == 250'000.0);
        CHECK(device.calls == calls{"wait for device", "last error", "watch", "hold", "stamp", "flush", "hold others",
                                    "record event", "launch", "record event", "stamp", "record event",
                                    "wait for others", "record event", "wait for device", "last error", "elapsed",
                                    "elapsed"});
        device.between_events_ms = 0.5F;
        CHECK(take_device_time(x) == 500'000.0);
        device.calls.clear();
    }
    CHECK(device.calls == calls{"destroy event", "destroy event", "free pinned", "free", "destroy event",
                                "destroy event", "destroy event", "free pinned", "destroy"});
}

TEST_CASE("a stream that cannot be held makes device_time invalid", "[cuda][unit]") {
    scripted_cuda device;
    device.holding = cudaErrorNotSupported;
    const auto x = kernel([](cudaStream_t) {});
    CHECK_THROWS_MATCHES(
        take_device_time(x), measurement_failure,
        Message(
            "\"saxpy\" threw: cudaErrorNotSupported: operation not supported (of the hold that keeps launches out of "
            "device_time; where the driver has none, say .host_synchronised())"));
    CHECK(take_device_time(cuda_work(x).host_synchronised()) == 250'000.0);
}

TEST_CASE("a device that takes no time of events makes the claim invalid", "[cuda][unit]") {
    scripted_cuda device;
    device.event = cudaErrorMemoryAllocation;
    const subject x = kernel([](cudaStream_t) {});
    CHECK_THROWS_MATCHES(
        take_device_time(x), measurement_failure,
        Message("\"saxpy\" threw: cudaErrorMemoryAllocation: out of memory (of an event that takes the time)"));
}

}  // namespace perfspec::testing
