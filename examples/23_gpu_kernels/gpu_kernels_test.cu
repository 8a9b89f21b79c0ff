// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The time that a kernel takes on its GPU: with a cold L2 cache, and a hot one; against a stored
// baseline; a graph; a stream of one's own; two streams; the memory that it needs; what it moves and computes; how many
// kernels run.
#include <perfspec/catch2.hpp>
#include <perfspec/cuda.hpp>
#include <perfspec/explain.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <memory>
#include <new>

using namespace perfspec::language;

namespace {

__global__ void scale(float* x, std::size_t n, float by) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}

// Strided, so that neighboring threads use different lines of the cache.
__global__ void scale_badly(float* x, std::size_t n, float by) {
    constexpr std::size_t stride = 32;
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t rows = n / stride;
    if (i < n) x[i % rows * stride + i / rows] *= by;
}

struct device_free {
    void operator()(float* x) const { static_cast<void>(cudaFree(x)); }
};

std::unique_ptr<float, device_free> zeros(std::size_t n) {
    float* x = nullptr;
    if (cudaMalloc(&x, n * sizeof(float)) != cudaSuccess || cudaMemset(x, 0, n * sizeof(float)) != cudaSuccess)
        throw std::bad_alloc();
    return std::unique_ptr<float, device_free>(x);
}

void need(cudaError_t returned) {
    if (returned != cudaSuccess) throw perfspec::cuda_error(returned, cudaGetErrorString(returned));
}

struct owned_stream {
    cudaStream_t handle{};

    owned_stream() { need(cudaStreamCreate(&handle)); }
    owned_stream(const owned_stream&) = delete;
    owned_stream& operator=(const owned_stream&) = delete;
    ~owned_stream() { static_cast<void>(cudaStreamDestroy(handle)); }
};

/// What a function puts on a stream, as a graph.
struct captured_graph {
    cudaGraph_t graph{};
    cudaGraphExec_t executable{};

    template <class Launch> explicit captured_graph(const Launch& launch) {
        const owned_stream stream;
        need(cudaStreamBeginCapture(stream.handle, cudaStreamCaptureModeThreadLocal));
        launch(stream.handle);
        need(cudaStreamEndCapture(stream.handle, &graph));
        need(cudaGraphInstantiate(&executable, graph, 0));
    }
    captured_graph(const captured_graph&) = delete;
    captured_graph& operator=(const captured_graph&) = delete;
    ~captured_graph() {
        static_cast<void>(cudaGraphExecDestroy(executable));
        static_cast<void>(cudaGraphDestroy(graph));
    }
};

constexpr std::size_t n = std::size_t{1} << 20U;  // 4 MiB, which the L2 cache holds
constexpr unsigned block = 256;
constexpr unsigned grid = n / block;

void skip_without_device() {
    if (const auto reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
}

}  // namespace

TEST_CASE("neighboring threads use neighboring numbers") {
    skip_without_device();
    const auto x = zeros(n);
    const auto good =
        perfspec::cuda_kernel("scale", [&](cudaStream_t s) { scale<<<grid, block, 0, s>>>(x.get(), n, 2.0F); });
    const auto bad = perfspec::cuda_kernel(
        "scale_badly", [&](cudaStream_t s) { scale_badly<<<grid, block, 0, s>>>(x.get(), n, 2.0F); });
    PERF_CHECK(device_time(good) < 1ms);
    PERF_CHECK(speedup(device_time(bad), device_time(good)) > 1.5);
    PERF_CHECK(latency(good) < 10ms);  // with launching and waiting
}

TEST_CASE("a kernel that reads and writes all of a large array uses half of the memory's bandwidth at least") {
    skip_without_device();
    constexpr std::size_t many = n << 6U;
    const auto x = zeros(many);
    const auto all = perfspec::cuda_kernel("all", [&](cudaStream_t s) {
                         scale<<<many / block, block, 0, s>>>(x.get(), many, 2.0F);
                     }).bytes(2.0 * many * sizeof(float));
    PERF_CHECK(device_throughput(all, bytes) > 0.5 * perfspec::peak_bandwidth());
}

TEST_CASE("a kernel that works in place needs no memory, and one with a copy needs that of the copy") {
    skip_without_device();
    const auto x = zeros(n);
    const auto in_place =
        perfspec::cuda_kernel("in place", [&](cudaStream_t s) { scale<<<grid, block, 0, s>>>(x.get(), n, 2.0F); });
    const auto on_copy = perfspec::cuda_kernel("on a copy", [&](cudaStream_t s) {
        float* copy = nullptr;
        need(cudaMallocAsync(&copy, n * sizeof(float), s));
        need(cudaMemcpyAsync(copy, x.get(), n * sizeof(float), cudaMemcpyDeviceToDevice, s));
        scale<<<grid, block, 0, s>>>(copy, n, 2.0F);
        need(cudaFreeAsync(copy, s));
    });
    PERF_CHECK(device_memory(in_place) == 0_MiB);
    PERF_CHECK(device_memory(on_copy) <= 4_MiB);
}

TEST_CASE("two halves on two streams, of which the second is joined to the first") {
    skip_without_device();
    const auto x = zeros(2 * n);
    const owned_stream other;
    cudaEvent_t began{};
    cudaEvent_t done{};
    need(cudaEventCreateWithFlags(&began, cudaEventDisableTiming));
    need(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    const auto halves = perfspec::cuda_kernel("halves", [&](cudaStream_t s) {
        need(cudaEventRecord(began, s));
        need(cudaStreamWaitEvent(other.handle, began, 0));
        scale<<<grid, block, 0, other.handle>>>(x.get() + n, n, 2.0F);
        scale<<<grid, block, 0, s>>>(x.get(), n, 2.0F);
        need(cudaEventRecord(done, other.handle));
        need(cudaStreamWaitEvent(s, done, 0));  // without it device_time is an error
    });
    PERF_CHECK(device_time(halves) < 1ms);
    static_cast<void>(cudaEventDestroy(began));
    static_cast<void>(cudaEventDestroy(done));
}

TEST_CASE("a hot time is recorded under another key than a cold one") {
    skip_without_device();
    const auto x = zeros(n);
    const auto launch = [&](cudaStream_t s) { scale<<<grid, block, 0, s>>>(x.get(), n, 2.0F); };
    PERF_MEASURE(device_time(perfspec::cuda_kernel("scale", launch)));        // timed=cold
    PERF_MEASURE(device_time(perfspec::cuda_kernel("scale", launch).hot()));  // timed=hot
}

// PERFSPEC_UPDATE_BASELINES=1 stores them under the GPU's own key, baselines/nvidia-…; the first run without any
// records its own.
TEST_CASE("kernels keep their speed against a stored baseline") {
    skip_without_device();
    const auto x = zeros(n);
    const auto good =
        perfspec::cuda_kernel("scale", [&](cudaStream_t s) { scale<<<grid, block, 0, s>>>(x.get(), n, 2.0F); });
    const auto bad = perfspec::cuda_kernel(
        "scale_badly", [&](cudaStream_t s) { scale_badly<<<grid, block, 0, s>>>(x.get(), n, 2.0F); });
    PERF_CHECK(device_time(good) < 1.5 * baseline());
    PERF_CHECK(speedup(device_time(bad), device_time(good)) > 0.8 * baseline());
}

TEST_CASE("a graph of ten kernels costs less than launching each") {
    skip_without_device();
    const auto x = zeros(n);
    const auto ten_times = [&](cudaStream_t s) {
        for (int i = 0; i < 10; ++i) scale<<<grid, block, 0, s>>>(x.get(), n, 1.0F);
    };
    const captured_graph graph(ten_times);
    const auto step = perfspec::cuda_graph("step", graph.executable);
    const auto launches = perfspec::cuda_kernel("launches", ten_times).hot();
    PERF_CHECK(latency(step) < 1.1 * latency(launches));
    PERF_CHECK(device_time(step) < 1.1 * device_time(launches));
    PERF_CHECK(kernels(step) == 10);  // skipped where there is no CUPTI
    PERF_MEASURE(profile(launches));  // the time of each kernel by its name
    PERF_CHECK(kernel_time(step, "scale") < 1.1 * kernel_time(launches, "scale"));  // without the gaps between them
}

TEST_CASE("a body on a stream of its own") {
    skip_without_device();
    const auto x = zeros(n);
    const owned_stream stream;
    const auto pipeline = perfspec::subject("pipeline", [&] {
                              scale<<<grid, block, 0, stream.handle>>>(x.get(), n, 2.0F);
                          }).on(stream.handle);
    PERF_CHECK(device_time(pipeline) < 1ms);
}
