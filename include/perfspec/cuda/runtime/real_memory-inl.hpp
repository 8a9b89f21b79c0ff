// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <thread>

namespace perfspec::detail {

/// What the stream-ordered allocator of a device and its graphs have in use, had at most, and hold of the device's
/// memory.
struct memory_of_allocators {
    std::uint64_t used{};
    std::uint64_t most{};
    std::uint64_t reserved{};
};

/// Adds up two attributes, one of each allocator; both count 64 bits.
inline cudaError_t add_attributes(std::uint64_t& sum, int device, cudaMemPoolAttr of_pool,
                                  cudaGraphMemAttributeType of_graphs) {
    cudaMemPool_t pool{};
    std::uint64_t in_pool = 0;
    std::uint64_t in_graphs = 0;
    if (const cudaError_t failed = cudaDeviceGetMemPool(&pool, device); failed != cudaSuccess) return failed;
    if (const cudaError_t failed = cudaMemPoolGetAttribute(pool, of_pool, &in_pool); failed != cudaSuccess)
        return failed;
    if (const cudaError_t failed = cudaDeviceGetGraphMemAttribute(device, of_graphs, &in_graphs); failed != cudaSuccess)
        return failed;
    return (sum = in_pool + in_graphs, cudaSuccess);
}

inline cudaError_t read_reserved(std::uint64_t& sum, int device) {
    return add_attributes(sum, device, cudaMemPoolAttrReservedMemCurrent, cudaGraphMemAttrReservedMemCurrent);
}

/// The memory of the current device that neither is free nor belongs to its allocators. Where these take or give memory
/// between two readings, it is read again.
inline cudaError_t read_plain_memory(std::uint64_t& plain, int device) {
    for (;;) {
        std::size_t free = 0;
        std::size_t total = 0;
        std::uint64_t before = 0;
        std::uint64_t after = 0;
        if (const cudaError_t failed = read_reserved(before, device); failed != cudaSuccess) return failed;
        if (const cudaError_t failed = cudaMemGetInfo(&free, &total); failed != cudaSuccess) return failed;
        if (const cudaError_t failed = read_reserved(after, device); failed != cudaSuccess) return failed;
        const std::uint64_t taken = total - free;
        if (before == after) return (plain = taken - std::min<std::uint64_t>(taken, after), cudaSuccess);
    }
}

inline cudaError_t read_memory_use(device_memory_use* use, int device) {
    if (const cudaError_t failed =
            add_attributes(use->ordered, device, cudaMemPoolAttrUsedMemCurrent, cudaGraphMemAttrUsedMemCurrent);
        failed != cudaSuccess)
        return failed;
    if (const cudaError_t failed =
            add_attributes(use->most_ordered, device, cudaMemPoolAttrUsedMemHigh, cudaGraphMemAttrUsedMemHigh);
        failed != cudaSuccess)
        return failed;
    return read_plain_memory(use->plain, device);
}

/// Both peaks start again from what is in use. The driver takes no other number than 0 for that.
inline cudaError_t restart_peaks_of_allocators(int device) {
    cudaMemPool_t pool{};
    std::uint64_t zero = 0;
    if (const cudaError_t failed = cudaDeviceGetMemPool(&pool, device); failed != cudaSuccess) return failed;
    if (const cudaError_t failed = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero);
        failed != cudaSuccess)
        return failed;
    return cudaDeviceSetGraphMemAttribute(device, cudaGraphMemAttrUsedMemHigh, &zero);
}

/// A thread, because the one that runs the body may wait in it. It ends with the object.
class plain_memory_thread final : public plain_memory_watch {
public:
    explicit plain_memory_thread(int device)
        : thread_([this, device](const std::stop_token& ended) {
              if (cudaSetDevice(device) != cudaSuccess) return;
              std::uint64_t now = 0;
              while (!ended.stop_requested() && read_plain_memory(now, device) == cudaSuccess) {
                  most_.store(std::max(most_.load(), now));
                  std::this_thread::sleep_for(std::chrono::microseconds{20});
              }
          }) {}

    [[nodiscard]] std::uint64_t most() const override { return most_.load(); }

private:
    std::atomic<std::uint64_t> most_{};
    std::jthread thread_;
};

inline std::unique_ptr<plain_memory_watch> watch_plain_memory_in_a_thread(int device) {
    return std::make_unique<plain_memory_thread>(device);
}

}  // namespace perfspec::detail
