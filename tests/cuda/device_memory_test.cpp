// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The peak of a device's memory during a body, on a simulated device.
#include "gpu_program.hpp"
#include "simulated_program.hpp"

#include <perfspec/cuda/cuda_memory.hpp>
#include <perfspec/cuda/roofline.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/quantity/text.hpp>

namespace perfspec::testing {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20U;

/// A machine with a counter of its memory.
struct memory_machine : simulated_machine {
    detail::cuda_memory_counter counter{simulated_gpu::runtime()};

    template <class Body> std::int64_t peak_of(Body body) {
        const auto x = detail::cuda_subject(
            "x", [body](cudaStream_t) mutable { body(); }, simulated_gpu::runtime());
        const counting counts(counter);
        REQUIRE(counts.fault().empty());
        return take_sample(x, 1, warm_call::no, counter).elapsed_ns;
    }
    void* take(std::size_t bytes) {
        void* at = nullptr;
        REQUIRE(simulated_gpu::runtime().allocate(&at, bytes) == cudaSuccess);
        return at;
    }
};

}  // namespace

TEST_CASE("device_memory is the peak of the stream-ordered allocator above the level before", "[cuda][unit]") {
    memory_machine m;
    m.gpu.take_from_pool(1'000'000);  // inputs
    m.gpu.take_from_pool(5'000'000);  // a peak before
    m.gpu.give_to_pool(5'000'000);
    const auto body = [&] {
        m.gpu.take_from_pool(300);
        m.gpu.give_to_pool(200);
        m.gpu.take_from_pool(150);
        m.gpu.give_to_pool(250);
    };
    for (int i = 0; i < 3; ++i) CHECK(m.peak_of(body) == 300);
    CHECK(m.peak_of([] {}) == 0);
}

TEST_CASE("device_memory counts what cudaMalloc takes, also where cudaFree gives it back", "[cuda][unit]") {
    memory_machine m;
    static_cast<void>(m.take(64 * mib));  // inputs
    CHECK(m.peak_of([&] { static_cast<void>(m.take(8 * mib)); }) == 8 * mib);
    CHECK(m.peak_of([&] {
        void* const first = m.take(4 * mib);
        void* const second = m.take(6 * mib);
        static_cast<void>(simulated_gpu::runtime().release(first));
        static_cast<void>(simulated_gpu::runtime().release(second));
    }) == 10 * mib);
}

TEST_CASE("device_memory adds up both, and counts no memory that the allocator keeps", "[cuda][unit]") {
    memory_machine m;
    CHECK(m.peak_of([&] {
        m.gpu.take_from_pool(2 * mib);  // of a block of 32 MiB
        static_cast<void>(simulated_gpu::runtime().release(m.take(mib)));
        m.gpu.give_to_pool(2 * mib);
    }) == 3 * mib);
}

TEST_CASE("device_memory is not below nothing where memory becomes free meanwhile", "[cuda][unit]") {
    memory_machine m;
    m.gpu.memory_of_others = 100 * mib;
    CHECK(m.peak_of([&] { m.gpu.memory_of_others = 0; }) == 0);
    void* const input = m.take(8 * mib);
    CHECK(m.peak_of([&] { static_cast<void>(simulated_gpu::runtime().release(input)); }) == 0);
}

TEST_CASE("device_memory starts from zero after a body that throws", "[cuda][unit]") {
    memory_machine m;
    CHECK_THROWS(m.peak_of([&] {
        m.gpu.take_from_pool(500);
        throw measurement_failure(failure_kind::refused, "no input");
    }));
    CHECK(m.peak_of([&] {
        m.gpu.take_from_pool(300);
        m.gpu.give_to_pool(300);
    }) == 300);
}

TEST_CASE("device_memory says where the device does not report its memory", "[cuda][unit]") {
    memory_machine m;
    CHECK_THAT(m.counter.caveat(), ContainsSubstring("cudaMalloc") && ContainsSubstring("does not see"));
    m.gpu.memory_error = cudaErrorNotSupported;
    CHECK_THROWS_RECORDED(measurement_failure, m.peak_of([] {}));
}

// The peak performance of a device, and claims on the declared work of a kernel in its device_time.
namespace {

quantity<dimension::flop_rate> peak(arithmetic units) { return detail::peak_flops_of(simulated_gpu::runtime(), units); }

}  // namespace

TEST_CASE("the peak of bandwidth is two bytes a cycle for each byte of the memory's bus", "[cuda][unit]") {
    const simulated_machine m;  // an H100: 2619 MHz, 5120 bits
    CHECK(detail::peak_bandwidth_of(simulated_gpu::runtime()).value == 3'352'320e6);
}

TEST_CASE("the peak of operations is that of the units, for as many multiprocessors", "[cuda][unit]") {
    simulated_machine m;  // 132 multiprocessors at 2 GHz
    CHECK(peak(arithmetic::fp32).value == 132 * 256 * 2e9);
    CHECK(peak(arithmetic::fp64).value == 132 * 128 * 2e9);
    CHECK(peak(arithmetic::tf32_tensor).value == 132 * 2048 * 2e9);
    m.gpu.attributes[cudaDevAttrComputeCapabilityMajor] = 8;
    CHECK(peak(arithmetic::fp32).value == 132 * 128 * 2e9);
    CHECK(peak(arithmetic::bf16_tensor).value == 132 * 2048 * 2e9);
    m.gpu.attributes[cudaDevAttrComputeCapabilityMinor] = 9;
    CHECK(peak(arithmetic::fp32).value == 132 * 256 * 2e9);
}

TEST_CASE("a peak that is not known is refused, and says what to write", "[cuda][unit]") {
    simulated_machine m;
    m.gpu.attributes[cudaDevAttrMemoryClockRate] = 0;
    CHECK_THROWS_RECORDED(input_error, detail::peak_bandwidth_of(simulated_gpu::runtime()));
    m.gpu.attributes[cudaDevAttrComputeCapabilityMajor] = 12;
    CHECK_THROWS_RECORDED(input_error, peak(arithmetic::fp32));
    m.gpu.lose(cudaErrorDeviceUninitialized);
    CHECK_THROWS_AS(detail::peak_bandwidth_of(simulated_gpu::runtime()), cuda_error);
}

TEST_CASE("device_throughput is the declared work by the device's time", "[cuda][unit]") {
    gpu_program p;
    const auto x = launching(p.gpu, "x", {.cold = 40us}).bytes(100e6).flops(8e6);  // 2.5 TB/s
    const auto limit = detail::peak_bandwidth_of(simulated_gpu::runtime());
    CHECK(p.evaluate(device_throughput(x, bytes) > 0.74 * limit).verdict == verdict::holds);
    CHECK(p.evaluate(device_throughput(x, bytes) > 0.76 * limit).verdict == verdict::violated);
    CHECK(p.evaluate(device_throughput(x, flops) > 190_GFLOP_per_s).verdict == verdict::holds);
    CHECK(p.evaluate(device_throughput(x, flops) > 210_GFLOP_per_s).verdict == verdict::violated);
    CHECK(p.evaluate(throughput(x, bytes) > 0.74 * limit).verdict == verdict::violated);  // with the launch
    const auto half = launching(p.gpu, "half", {.cold = 40us}).bytes(50e6);
    CHECK(p.evaluate(device_throughput(x, bytes) > 1.9 * device_throughput(half, bytes)).verdict == verdict::holds);
    CHECK(p.evaluate(device_throughput(x, bytes) > 2.1 * device_throughput(half, bytes)).verdict == verdict::violated);
}

TEST_CASE("records of device_throughput have the rate, and the subject's time", "[cuda][unit]") {
    gpu_program p;
    const record r = p.evaluate(device_throughput(launching(p.gpu, "x", {.cold = 40us}).bytes(100e6), bytes) > 1_GBps);
    CHECK(r.key == "sorting / device_throughput(x, bytes) / timed=cold");
    REQUIRE(r.estimate);
    CHECK(r.estimate->value == 2.5e12);
    REQUIRE(r.subjects.size() == 1);
    CHECK(r.subjects[0].median == 40'000.0);
    CHECK(r.subjects[0].unit == dimension::time);
}

TEST_CASE("a recorded device_throughput is a rate", "[cuda][unit]") {
    gpu_program p;
    const auto x = launching(p.gpu, "x", {.cold = 40us}).bytes(100e6);
    const record r = p.evaluate(device_throughput(x, bytes), {}, {.effect = effect::measure});
    REQUIRE(r.estimate);
    CHECK(r.estimate->value == 2.5e12);
    CHECK(r.estimate->low == 2.5e12);
    CHECK(r.evidence.method == "mean of samples, with their quartiles");
    CHECK(r.unit == dimension::byte_rate);
}

TEST_CASE("device_throughput without declared work is an error, and of the processor skipped", "[cuda][unit]") {
    gpu_program p;
    const record undeclared = p.evaluate(device_throughput(launching(p.gpu, "x", {.cold = 40us}), bytes) > 1_GBps);
    CHECK(undeclared.verdict == verdict::error);
    CHECK_RECORDED(undeclared.reason);
    CHECK(p.evaluate(device_throughput(p.takes("y", 1ms).bytes(1e6), bytes) > 1_GBps).verdict == verdict::skipped);
}

}  // namespace perfspec::testing
