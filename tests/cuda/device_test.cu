// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Kernels on a real device; without one each test skips with the driver's words.
#include <perfspec/cuda.hpp>
#include <perfspec/perfspec.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace {

using Catch::Matchers::ContainsSubstring;
using perfspec::cuda_kernel;
using perfspec::evaluate;
using perfspec::record;
using perfspec::verdict;

__global__ void spin(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {}
}

void skip_without_device() {
    if (const std::string reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
}

perfspec::subject spinning(const char* name, long long cycles) {
    return cuda_kernel(name, [cycles](cudaStream_t stream) { spin<<<1, 1, 0, stream>>>(cycles); });
}

record judged(record r) {
    if (r.verdict == verdict::not_judged) SKIP(r.reason);
    return r;
}

}  // namespace

TEST_CASE("latency of a kernel holds the time of its work", "[cuda][device]") {
    skip_without_device();
    int kilohertz = 0;  // the highest clock; the kernel takes no less than its cycles at it
    REQUIRE(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0) == cudaSuccess);
    constexpr long long cycles = 1'000'000;
    const auto least = std::chrono::nanoseconds{cycles * 1'000'000 / kilohertz * 9 / 10};
    CHECK(judged(evaluate(latency(spinning("spin", cycles)) > least)).verdict == verdict::holds);
}

TEST_CASE("the device's time of a kernel holds its work, and is no longer than its latency", "[cuda][device]") {
    skip_without_device();
    int kilohertz = 0;
    REQUIRE(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0) == cudaSuccess);
    constexpr long long cycles = 1'000'000;
    const auto least = std::chrono::nanoseconds{cycles * 1'000'000 / kilohertz * 9 / 10};
    CHECK(judged(evaluate(device_time(spinning("spin", cycles)) > least)).verdict == verdict::holds);
    CHECK(judged(evaluate(device_time(spinning("spin", cycles)) < 4 * least)).verdict == verdict::holds);
    CHECK(judged(evaluate(speedup(device_time(spinning("long spin", 2 * cycles)), device_time(spinning("short spin", cycles))) > 1.8))
              .verdict == verdict::holds);
}

TEST_CASE("speedup sees a kernel of half the work", "[cuda][device]") {
    skip_without_device();
    CHECK(judged(evaluate(speedup(spinning("long spin", 2'000'000), spinning("short spin", 1'000'000)) > 1.8)).verdict == verdict::holds);
}

TEST_CASE("a launch that the device refuses is invalid, and the next claim is not", "[cuda][device]") {
    skip_without_device();
    const auto refused = cuda_kernel("too many threads", [](cudaStream_t stream) { spin<<<1, 100'000, 0, stream>>>(1); });
    const record found = judged(evaluate(latency(refused) < std::chrono::hours{1}));
    CHECK(found.verdict == verdict::invalid);
    CHECK_THAT(found.reason, ContainsSubstring("cudaErrorInvalidConfiguration"));
    CHECK(judged(evaluate(latency(spinning("spin after", 100'000)) < std::chrono::hours{1})).verdict == verdict::holds);
}
