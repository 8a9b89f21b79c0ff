// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Copies between the host and a GPU: how fast they are, what pinned memory is worth, and whether one overlaps with a
// kernel.
#include <perfspec/catch2.hpp>
#include <perfspec/cuda.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

using namespace perfspec::language;
using perfspec::copy_direction;

namespace {

// Works about as long as the link takes for as many numbers.
__global__ void iterate(float* x, std::size_t n, int times) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = x[i];
    for (int k = 0; k < times; ++k) value = value * 0.999F + 0.001F;
    x[i] = value;
}

void need(cudaError_t returned) {
    if (returned != cudaSuccess) throw perfspec::cuda_error(returned, cudaGetErrorString(returned));
}

struct device_free {
    void operator()(float* x) const { static_cast<void>(cudaFree(x)); }
};

std::unique_ptr<float, device_free> zeros(std::size_t n) {
    float* x = nullptr;
    need(cudaMalloc(&x, n * sizeof(float)));
    std::unique_ptr<float, device_free> owned(x);
    need(cudaMemset(x, 0, n * sizeof(float)));
    return owned;
}

/// Memory of the host that the device reads by itself, for as long as this lives.
struct registered {
    std::vector<float>& all;

    explicit registered(std::vector<float>& x) : all(x) {
        need(cudaHostRegister(x.data(), x.size() * sizeof(float), cudaHostRegisterDefault));
    }
    registered(const registered&) = delete;
    registered& operator=(const registered&) = delete;
    ~registered() { static_cast<void>(cudaHostUnregister(all.data())); }
};

/// A second stream, which begins where the first one is and is joined to it again.
struct second_stream {
    cudaStream_t handle{};
    cudaEvent_t began{};
    cudaEvent_t done{};

    second_stream() {
        need(cudaStreamCreate(&handle));
        need(cudaEventCreateWithFlags(&began, cudaEventDisableTiming));
        need(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    }
    second_stream(const second_stream&) = delete;
    second_stream& operator=(const second_stream&) = delete;
    ~second_stream() {
        static_cast<void>(cudaEventDestroy(done));
        static_cast<void>(cudaEventDestroy(began));
        static_cast<void>(cudaStreamDestroy(handle));
    }

    void begin_at(cudaStream_t first) const {
        need(cudaEventRecord(began, first));
        need(cudaStreamWaitEvent(handle, began, 0));
    }
    void join_to(cudaStream_t first) const {
        need(cudaEventRecord(done, handle));
        need(cudaStreamWaitEvent(first, done, 0));
    }
};

constexpr std::size_t n = std::size_t{1} << 24U;  // 64 MiB
constexpr std::size_t size = n * sizeof(float);
constexpr unsigned block = 256;

void skip_without_device() {
    if (const auto reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
}

}  // namespace

TEST_CASE("pinned memory goes over the link at 5 GB/s at least, in both directions") {
    skip_without_device();
    PERF_CHECK(device_throughput(perfspec::cuda_copy("upload", copy_direction::to_device, 64_MiB), bytes) > 5_GBps);
    PERF_CHECK(device_throughput(perfspec::cuda_copy("download", copy_direction::to_host, 64_MiB), bytes) > 5_GBps);
}

TEST_CASE("a copy on the device uses half of its memory's bandwidth at least") {
    skip_without_device();
    PERF_CHECK(device_throughput(perfspec::cuda_copy("local", copy_direction::on_device, 256_MiB), bytes) >
               0.5 * perfspec::peak_bandwidth());
}

TEST_CASE("registered memory is uploaded faster than pageable memory") {
    skip_without_device();
    std::vector<float> x(n, 1.0F);
    std::vector<float> y(n, 1.0F);
    const registered pinned_y(y);
    const auto on_device = zeros(n);
    const auto upload = [&](const char* name, const std::vector<float>& from) {
        return perfspec::cuda_kernel(name, [&on_device, data = from.data()](cudaStream_t s) {
            return cudaMemcpyAsync(on_device.get(), data, size, cudaMemcpyHostToDevice, s);
        });
    };
    const auto pageable = upload("pageable", x);
    const auto pinned = upload("pinned", y);
    PERF_CHECK(latency(pinned) < 1.0 * latency(pageable));
}

TEST_CASE("the upload of the next input overlaps with the kernel on this one") {
    skip_without_device();
    std::vector<float> x(n, 1.0F);
    const registered pinned(x);
    const auto now = zeros(n);
    const auto next = zeros(n);
    const second_stream other;
    const auto upload = [&](cudaStream_t s) {
        need(cudaMemcpyAsync(next.get(), x.data(), size, cudaMemcpyHostToDevice, s));
    };
    const auto work = [&](cudaStream_t s) { iterate<<<n / block, block, 0, s>>>(now.get(), n, 2'000); };
    const auto in_turn = perfspec::cuda_kernel("in turn", [&](cudaStream_t s) {
        upload(s);
        work(s);
    });
    const auto both = perfspec::cuda_kernel("both", [&](cudaStream_t s) {
        other.begin_at(s);
        upload(other.handle);
        work(s);
        other.join_to(s);  // without it every claim is an error
    });
    PERF_CHECK(device_time(both) < 0.95 * device_time(in_turn));
}
