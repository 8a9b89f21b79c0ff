// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Kernels on a real device; without one each test skips with the driver's words.
#include <perfspec/cuda.hpp>
#include <perfspec/perfspec.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <cstddef>
#include <string>

namespace {

using Catch::Matchers::ContainsSubstring;
using perfspec::cuda_kernel;
using perfspec::evaluate;
using perfspec::evaluation;
using perfspec::verdict;

__global__ void spin(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {}
}

// The global timer counts nanoseconds, in steps of up to a microsecond.
__global__ void spin_for(long long nanoseconds) {
    const auto now = [] {
        unsigned long long t = 0;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
        return t;
    };
    const unsigned long long start = now();
    while (now() - start < static_cast<unsigned long long>(nanoseconds)) {}
}

constexpr int ints_of_a_line = 32;  // 128 bytes, what the L2 cache keeps together

// Each thread reads one number of each of its lines, one after the other. The time is the latency of memory, which the
// L2 cache shortens to about a third; bandwidth and the launch would hide the difference. All numbers are 0.
__global__ void walk(int* data, int lines) {
    const int threads = static_cast<int>(gridDim.x * blockDim.x);
    const int begin = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int at = begin;
    while (at < lines) at += threads + __ldcg(data + at * ints_of_a_line);  // past the L1 cache
    data[begin * ints_of_a_line + 1] = at;                                  // so that the compiler keeps the loop
}

// A chain of fused multiply-adds, of which each waits for the one before.
__global__ void multiply(float* x, int times, float by, float plus) {
    float value = *x;
    for (int i = 0; i < times; ++i) value = fmaf(value, by, plus);
    *x = value;
}

void skip_without_device() {
    if (const std::string reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
}

perfspec::cuda_work spinning(const char* name, long long cycles) {
    return cuda_kernel(name, [cycles](cudaStream_t stream) { spin<<<1, 1, 0, stream>>>(cycles); });
}

// There is a device: what is skipped is a fault of what times it, such as a clock that cannot be read.
evaluation judged(evaluation r) {
    INFO(r.reason);
    REQUIRE(r.verdict != verdict::skipped);
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
    CHECK(judged(evaluate(speedup(device_time(spinning("long spin", 2 * cycles)),
                                  device_time(spinning("short spin", cycles))) > 1.8))
              .verdict == verdict::holds);
}

TEST_CASE("the device's time of a kernel is without its launch, at 5, 50 and 500 us", "[cuda][device]") {
    skip_without_device();
    for (const long long nanoseconds : {5'000LL, 50'000LL, 500'000LL}) {
        const auto x = cuda_kernel("spin for", [nanoseconds](cudaStream_t stream) {
                           spin_for<<<1, 1, 0, stream>>>(nanoseconds);
                       }).hot();
        const evaluation found = judged(evaluate(device_time(x) < std::chrono::nanoseconds{nanoseconds + 3'000}));
        CHECK(found.verdict == verdict::holds);
        CHECK(judged(evaluate(device_time(x) > std::chrono::nanoseconds{nanoseconds * 98 / 100})).verdict ==
              verdict::holds);
    }
}

TEST_CASE("a kernel whose data the L2 cache holds is slower cold than hot, by half at least", "[cuda][device]") {
    skip_without_device();
    int cache = 0;
    REQUIRE(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0) == cudaSuccess);
    REQUIRE(cache > 0);
    // A quarter of it: an H100 has two halves, and each may hold a copy of what both read.
    const int lines = cache / 4 / (ints_of_a_line * static_cast<int>(sizeof(int)));
    const std::size_t bytes = static_cast<std::size_t>(lines) * ints_of_a_line * sizeof(int);
    int* data = nullptr;
    REQUIRE(cudaMalloc(&data, bytes) == cudaSuccess);
    REQUIRE(cudaMemset(data, 0, bytes) == cudaSuccess);
    const auto walking = [&](cudaStream_t stream) { walk<<<32, 32, 0, stream>>>(data, lines); };
    const evaluation hot = judged(evaluate(device_time(cuda_kernel("hot", walking).hot()) < std::chrono::seconds{1}));
    const evaluation cold = judged(evaluate(device_time(cuda_kernel("cold", walking)) < std::chrono::seconds{1}));
    CHECK(cudaFree(data) == cudaSuccess);
    CHECK(cold.value.value() > 1.5 * hot.value.value());
}

TEST_CASE("the device's time of a body that waits is an error, and the next one is not", "[cuda][device]") {
    skip_without_device();
    const auto waits = cuda_kernel("waits", [](cudaStream_t stream) {
        spin<<<1, 1, 0, stream>>>(1'000);
        return cudaStreamSynchronize(stream);
    });
    const evaluation found = judged(evaluate(device_time(waits) < std::chrono::hours{1}));
    CHECK(found.verdict == verdict::error);
    CHECK_THAT(found.reason, ContainsSubstring(".host_synchronized()"));
    CHECK(judged(evaluate(device_time(spinning("spin after a wait", 100'000)) < std::chrono::hours{1})).verdict ==
          verdict::holds);
}

TEST_CASE(
    "the device's time of a body that leaves work on another stream is an error, and of one that joins it holds both",
    "[cuda][device]") {
    skip_without_device();
    cudaStream_t other{};
    cudaEvent_t done{};
    REQUIRE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaEventCreateWithFlags(&done, cudaEventDisableTiming) == cudaSuccess);
    const auto both = [&](cudaStream_t stream) {
        spin_for<<<1, 1, 0, other>>>(500'000);
        spin_for<<<1, 1, 0, stream>>>(50'000);
    };
    const evaluation leaves = judged(evaluate(device_time(cuda_kernel("leaves", both)) < std::chrono::hours{1}));
    const evaluation joins = judged(evaluate(device_time(cuda_kernel("joins", [&](cudaStream_t stream) {
                                                 both(stream);
                                                 static_cast<void>(cudaEventRecord(done, other));
                                                 return cudaStreamWaitEvent(stream, done, 0);
                                             })) > std::chrono::microseconds{490}));
    const evaluation late = judged(evaluate(latency(cuda_kernel("leaves", both)) > std::chrono::microseconds{490}));
    const evaluation alone = judged(evaluate(device_time(cuda_kernel("alone", [&](cudaStream_t stream) {
                                                 spin_for<<<1, 1, 0, stream>>>(50'000);
                                             })) < std::chrono::microseconds{60}));
    CHECK(cudaEventDestroy(done) == cudaSuccess);
    CHECK(cudaStreamDestroy(other) == cudaSuccess);
    CHECK(leaves.verdict == verdict::error);
    CHECK_THAT(leaves.reason, ContainsSubstring("leaves work on another stream"));
    CHECK(joins.verdict == verdict::holds);
    CHECK(alone.verdict == verdict::holds);
    CHECK(late.verdict == verdict::holds);
}

TEST_CASE(
    "a copy of pinned memory is as fast as a loop of copies between two events, and pageable memory holds the processor's work",
    "[cuda][device]") {
    skip_without_device();
    constexpr std::size_t bytes = std::size_t{64} << 20U;
    constexpr int copies = 100;
    void* device = nullptr;
    void* host = nullptr;
    cudaEvent_t from{};
    cudaEvent_t to{};
    REQUIRE(cudaMalloc(&device, bytes) == cudaSuccess);
    REQUIRE(cudaHostAlloc(&host, bytes, cudaHostAllocDefault) == cudaSuccess);
    REQUIRE(cudaEventCreate(&from) == cudaSuccess);
    REQUIRE(cudaEventCreate(&to) == cudaSuccess);
    REQUIRE(cudaEventRecord(from) == cudaSuccess);
    for (int i = 0; i < copies; ++i)
        REQUIRE(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(cudaEventRecord(to) == cudaSuccess);
    REQUIRE(cudaEventSynchronize(to) == cudaSuccess);
    float milliseconds = 0;
    REQUIRE(cudaEventElapsedTime(&milliseconds, from, to) == cudaSuccess);
    const double each_ns = 1e6 * milliseconds / copies;
    const auto pinned = perfspec::cuda_copy("pinned", perfspec::copy_direction::to_device, perfspec::MiB(64));
    const auto pageable = perfspec::cuda_copy("pageable", perfspec::copy_direction::to_device, perfspec::MiB(64),
                                              perfspec::host_memory::pageable);
    const evaluation alone = judged(evaluate(device_time(pinned) < std::chrono::hours{1}));
    const evaluation staged = judged(evaluate(device_time(pageable) < std::chrono::hours{1}));
    CHECK(cudaFree(device) == cudaSuccess);
    CHECK(cudaFreeHost(host) == cudaSuccess);
    CHECK(alone.value.value() > 0.95 * each_ns);
    CHECK(alone.value.value() < 1.05 * each_ns);
    CHECK(staged.verdict == verdict::holds);
    CHECK(staged.value.value() > 0.95 * each_ns);
}

TEST_CASE("device_memory of a body is what it takes by cudaMallocAsync, and about what it takes by cudaMalloc",
          "[cuda][device]") {
    skip_without_device();
    constexpr std::size_t bytes = std::size_t{64} << 20U;
    const auto ordered = [&](cudaStream_t stream) {
        void* at = nullptr;
        if (const cudaError_t failed = cudaMallocAsync(&at, bytes, stream); failed != cudaSuccess) return failed;
        return cudaFreeAsync(at, stream);
    };
    const auto plain = [&](cudaStream_t stream) {
        void* at = nullptr;
        if (const cudaError_t failed = cudaMalloc(&at, bytes); failed != cudaSuccess) return failed;
        spin_for<<<1, 1, 0, stream>>>(2'000'000);  // so long that the memory is looked at
        return cudaFree(at);
    };
    // The first launch of a kernel loads it into the memory of the device, which would count.
    REQUIRE(plain(cudaStream_t{}) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(judged(evaluate(perfspec::device_memory(cuda_kernel("ordered", ordered)) == perfspec::MiB(64))).verdict ==
          verdict::holds);
    CHECK(judged(evaluate(perfspec::device_memory(cuda_kernel("plain", plain)) >= perfspec::MiB(64))).verdict ==
          verdict::holds);
    CHECK(judged(evaluate(perfspec::device_memory(cuda_kernel("plain", plain)) <= perfspec::MiB(66))).verdict ==
          verdict::holds);
}

TEST_CASE("speedup sees a kernel of half the work", "[cuda][device]") {
    skip_without_device();
    CHECK(
        judged(evaluate(speedup(spinning("long spin", 2'000'000), spinning("short spin", 1'000'000)) > 1.8)).verdict ==
        verdict::holds);
}

TEST_CASE("speedup distinguishes a kernel of 2 % more work from its twin, and the twin not from itself",
          "[cuda][device]") {
    skip_without_device();
    float* x = nullptr;
    REQUIRE(cudaMalloc(&x, sizeof(float)) == cudaSuccess);
    REQUIRE(cudaMemset(x, 0, sizeof(float)) == cudaSuccess);
    const auto chain = [&](const char* name, int times) {
        return cuda_kernel(
            name, [x, times](cudaStream_t stream) { multiply<<<1, 1, 0, stream>>>(x, times, 0.999F, 0.001F); });
    };
    const auto twin = device_time(chain("twin", 250'000));
    const evaluation more = judged(evaluate(speedup(device_time(chain("more", 255'000)), twin) > 1.01));
    const evaluation no_less = judged(evaluate(speedup(device_time(chain("other twin", 250'000)), twin) > 0.99));
    const evaluation told_apart = judged(evaluate(speedup(device_time(chain("other twin", 250'000)), twin) > 1.01));
    CHECK(cudaFree(x) == cudaSuccess);
    CHECK(more.verdict == verdict::holds);
    CHECK(no_less.verdict == verdict::holds);
    CHECK(told_apart.verdict == verdict::violated);
}

TEST_CASE("a launch that the device refuses is an error, and the next claim is not", "[cuda][device]") {
    skip_without_device();
    const auto refused =
        cuda_kernel("too many threads", [](cudaStream_t stream) { spin<<<1, 100'000, 0, stream>>>(1); });
    const evaluation found = judged(evaluate(latency(refused) < std::chrono::hours{1}));
    CHECK(found.verdict == verdict::error);
    CHECK_THAT(found.reason, ContainsSubstring("cudaErrorInvalidConfiguration"));
    CHECK(judged(evaluate(latency(spinning("spin after", 100'000)) < std::chrono::hours{1})).verdict == verdict::holds);
}
