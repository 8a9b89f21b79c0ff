// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What a device could do at most, and claims on the declared work that a kernel does in its device_time.
#include "gpu_program.hpp"

#include <perfspec/cuda/roofline.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/quantity/text.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec::testing {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;

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
    CHECK_THROWS_MATCHES(
        detail::peak_bandwidth_of(simulated_gpu::runtime()), input_error,
        Message(
            "the driver does not tell the clock of the memory of cuda:0: give the number of its data sheet, > 0.8 * "
            "3350_GBps"));
    m.gpu.attributes[cudaDevAttrComputeCapabilityMajor] = 12;
    CHECK_THROWS_MATCHES(
        peak(arithmetic::fp32), input_error,
        Message("peak_flops does not know this arithmetic of compute capability 12.0: give the number of the device's "
                "data sheet, > 0.6 * 67'000_GFLOPS"));
    m.gpu.lose(cudaErrorDeviceUninitialized);
    CHECK_THROWS_AS(detail::peak_bandwidth_of(simulated_gpu::runtime()), cuda_error);
}

TEST_CASE("device_throughput is the declared work by the device's time", "[cuda][unit]") {
    gpu_program p;
    const auto x = launching(p.gpu, "x", {.cold = 40us}).bytes(100e6).flops(8e6);  // 2.5 TB/s
    const auto limit = detail::peak_bandwidth_of(simulated_gpu::runtime());
    CHECK(p.evaluate(device_throughput(x, bytes) > 0.74 * limit).verdict == verdict::holds);
    CHECK(p.evaluate(device_throughput(x, bytes) > 0.76 * limit).verdict == verdict::violated);
    CHECK(p.evaluate(device_throughput(x, flops) > 190_GFLOPS).verdict == verdict::holds);
    CHECK(p.evaluate(device_throughput(x, flops) > 210_GFLOPS).verdict == verdict::violated);
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
    CHECK(r.estimate->median == 2.5e12);
    REQUIRE(r.subjects.size() == 1);
    CHECK(r.subjects[0].median == 40'000.0);
    CHECK(r.subjects[0].unit == dimension::time);
}

TEST_CASE("a recorded device_throughput is a rate", "[cuda][unit]") {
    gpu_program p;
    const auto x = launching(p.gpu, "x", {.cold = 40us}).bytes(100e6);
    const record r = p.evaluate(device_throughput(x, bytes), {}, {.effect = effect::record});
    REQUIRE(r.estimate);
    CHECK(r.estimate->median == 2.5e12);
    CHECK(r.estimate->low == 2.5e12);
    CHECK(r.evidence.method == "mean of samples, with their quartiles");
    CHECK(r.unit == dimension::byte_rate);
}

TEST_CASE("device_throughput without declared work is invalid, and of the processor not judged", "[cuda][unit]") {
    gpu_program p;
    const record undeclared = p.evaluate(device_throughput(launching(p.gpu, "x", {.cold = 40us}), bytes) > 1_GBps);
    CHECK(undeclared.verdict == verdict::invalid);
    CHECK_THAT(undeclared.reason,
               ContainsSubstring("device_throughput of \"x\" in bytes needs to know the bytes of one iteration"));
    CHECK(p.evaluate(device_throughput(p.takes("y", 1ms).bytes(1e6), bytes) > 1_GBps).verdict == verdict::not_judged);
}

}  // namespace perfspec::testing
