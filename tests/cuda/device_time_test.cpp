// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The rules of device_time, on a simulated device: each has a test that fails without it (README.md).
#include "simulated_program.hpp"

#include <perfspec/cuda/timing/device_timer.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

namespace perfspec::testing {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20U;

/// Reads 10 MiB, from the cache in half of the time.
constexpr simulated_kernel reads{.cold = 40us, .warm = 20us, .data = 1, .bytes = 10 * mib};

/// Why a subject has no device_time; empty if it has one.
std::string fault_of(const subject& x) {
    try {
        static_cast<void>(take_device_time(x));
        return {};
    } catch (const measurement_failure& failed) { return failed.what(); }
}

template <class Body> cuda_work body_of(Body body) {
    return detail::cuda_subject("body", body, simulated_gpu::runtime());
}

}  // namespace

TEST_CASE("device_time holds neither the latency of launches nor the time of the processor", "[cuda][unit]") {
    simulated_machine m;
    const auto launch_cost = GENERATE(1us, 5us, 50us);
    m.gpu.launch_cost = launch_cost;
    const auto x = launching(m.gpu, "short", {.cold = 2us});
    CHECK(take_device_time(cuda_work(x).hot()) == 2'000.0);
    CHECK(take_device_time(cuda_work(x).cold()) == 2'000.0);
}

TEST_CASE("device_time resolves kernels that take few ticks of the events", "[cuda][unit]") {
    simulated_machine m;
    CHECK(take_device_time(launching(m.gpu, "a", {.cold = 1'250ns}).hot()) == 1'250.0);
    CHECK(take_device_time(launching(m.gpu, "b", {.cold = 1'375ns}).hot()) == 1'375.0);
    CHECK(take_device_time(launching(m.gpu, "c", {.cold = 40ms}).hot()) == 40e6);
}

TEST_CASE("device_time is that of a cold cache, unless the subject is hot", "[cuda][unit]") {
    simulated_machine m;
    CHECK(take_device_time(launching(m.gpu, "as it comes", reads)) == 40'000.0);
    CHECK(take_device_time(launching(m.gpu, "cold", reads).hot().cold()) == 40'000.0);
    CHECK(take_device_time(launching(m.gpu, "hot", reads).hot()) == 20'000.0);
}

TEST_CASE("device_time of a hot subject is not that of what others left in the cache", "[cuda][unit]") {
    simulated_machine m;
    const auto x = launching(m.gpu, "x", reads).hot();
    const auto other = launching(m.gpu, "other", {.cold = 100us, .data = 2, .bytes = 50 * mib}).hot();
    for (int i = 0; i < 3; ++i) {
        CHECK(take_device_time(x) == 20'000.0);
        CHECK(take_device_time(other) == 100'000.0);
    }
}

TEST_CASE("device_time of a body that waits for its device is an error", "[cuda][unit]") {
    simulated_machine m;
    const auto x = body_of([&](cudaStream_t stream) {
        m.gpu.launch(stream, {.cold = 2us});
        static_cast<void>(m.gpu.wait_for_device());
    });
    const std::string waits =
        "\"body\" did not return within 2 s while its stream was held, so it waits for the device";
    CHECK_THAT(fault_of(x), ContainsSubstring(waits) && ContainsSubstring(".host_synchronized()"));
    CHECK_THAT(fault_of(x), ContainsSubstring(waits));
    CHECK(take_device_time(launching(m.gpu, "next", {.cold = 2us})) == 2'000.0);
    // Of each of 8 iterations 5 us of the launch, 3 us until the device sees it and 2 us of work; 5 us of the event
    // behind them.
    CHECK(take_device_time(cuda_work(x).hot().host_synchronized()) == 10'625.0);
}

TEST_CASE("device_time of more launches than a queue holds is an error", "[cuda][unit]") {
    simulated_machine m;
    const auto launching_many = [&](int launches) {
        return body_of([&m, launches](cudaStream_t stream) {
            for (int i = 0; i < launches; ++i) m.gpu.launch(stream, {.cold = 2us});
        });
    };
    CHECK(take_device_time(launching_many(1'000)) == 2'000'000.0);
    CHECK_THAT(fault_of(launching_many(1'100)), ContainsSubstring("at most about 1000 launches"));
}

TEST_CASE("device_time of a body that leaves its stream empty is an error", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t elsewhere = m.gpu.make_stream();
    const auto x = body_of([&](cudaStream_t) { m.gpu.launch(elsewhere, {.cold = 1ms}); });
    const std::string empty = "\"body\" puts no work on its stream: 256 iterations take less than 50 us there";
    CHECK_THAT(fault_of(x), ContainsSubstring(empty));
    CHECK_THAT(fault_of(cuda_work(x).hot()), ContainsSubstring(empty));
    // The wait for another stream counts.
    CHECK(take_device_time(cuda_work(x).host_synchronized()) >= 1e6);
}

TEST_CASE("device_time of a body that stops working is an error", "[cuda][unit]") {
    simulated_machine m;
    bool works = true;
    const auto x = body_of([&](cudaStream_t stream) {
                       if (works) m.gpu.launch(stream, {.cold = 100us});
                   }).hot();
    CHECK(take_device_time(x) == 100'000.0);
    works = false;
    CHECK_THROWS_AS(take_device_time(x), measurement_failure);
}

TEST_CASE("device_time of a short cold body that becomes shorter is that of its iterations", "[cuda][unit]") {
    simulated_machine m;
    auto kernel = 4us;
    const auto x = body_of([&](cudaStream_t stream) { m.gpu.launch(stream, {.cold = kernel}); });
    for (const auto next : {4us, 1us, 4us, 1us, 300us}) {
        kernel = next;
        CHECK(take_device_time(x) == static_cast<double>(std::chrono::nanoseconds(next).count()));
    }
}

TEST_CASE("device_time of a cold body that stops working is not that of the events around it", "[cuda][unit]") {
    simulated_machine m;
    m.gpu.event_takes = 1us;
    const auto kernel = GENERATE(100us, 2us, 1us);
    bool works = true;
    const auto x = body_of([&](cudaStream_t stream) {
        if (works) m.gpu.launch(stream, {.cold = kernel});
    });
    CHECK(take_device_time(x) >= 1'000.0);
    works = false;
    CHECK_THAT(fault_of(x), ContainsSubstring("\"body\" puts no work on its stream"));
}

TEST_CASE("device_time loads a kernel before it holds the stream", "[cuda][unit]") {
    simulated_machine m;
    CHECK(take_device_time(launching(m.gpu, "first", {.cold = 100us, .code = 7})) == 100'000.0);
    CHECK(m.processor.now() < 1'000'000'000);  // no hold timed out
}

TEST_CASE("device_time lets the stream go where its body fails", "[cuda][unit]") {
    simulated_machine m;
    bool fails = false;
    const auto x = body_of([&](cudaStream_t stream) {
        m.gpu.launch(stream, {.cold = 100us});
        return fails ? cudaErrorInvalidValue : cudaSuccess;
    });
    CHECK(take_device_time(x) == 100'000.0);
    fails = true;
    CHECK_THAT(fault_of(x), ContainsSubstring("cudaErrorInvalidValue: invalid argument"));
    fails = false;
    CHECK(take_device_time(x) == 100'000.0);
    CHECK(m.processor.now() < 1'000'000'000);
}

TEST_CASE("device_time of a kernel that fails is the error, by name", "[cuda][unit]") {
    simulated_machine m;
    const auto x = launching(m.gpu, "faulty", {.cold = 100us, .fault = cudaErrorIllegalAddress});
    CHECK_THAT(fault_of(x), ContainsSubstring("cudaErrorIllegalAddress: an illegal memory access was encountered"));
}

TEST_CASE("device_time gives back what it holds: memory, events and its flag", "[cuda][unit]") {
    simulated_machine m;
    {
        const auto hot = launching(m.gpu, "hot", reads).hot();
        static_cast<void>(take_device_time(hot));
        CHECK(m.gpu.allocated() == detail::written_to_rise);
        const auto cold = launching(m.gpu, "cold", reads);
        static_cast<void>(take_device_time(cold));
        CHECK(m.gpu.allocated() == detail::written_to_rise + m.gpu.cache_bytes);
    }
    CHECK(m.gpu.allocated() == 0);
    CHECK(m.gpu.live_events == 0);
    CHECK_FALSE(m.gpu.has_pinned_memory());
    m.gpu.memory_bytes = 1;
    CHECK_RECORDED(fault_of(launching(m.gpu, "cold", reads)));
}

TEST_CASE("latency of a kernel holds what its device_time does not", "[cuda][unit]") {
    simulated_machine m;
    const auto x = launching(m.gpu, "short", {.cold = 2us});
    CHECK(take_sample(x, 4, warm_call::yes, m.processor).per_iteration() == 10'000.0);
}

}  // namespace perfspec::testing
