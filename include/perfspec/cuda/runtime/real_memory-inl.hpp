// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <thread>

namespace perfspec::detail {

/// Adds up two attributes, one of the stream-ordered allocator and one of the graphs; both count 64 bits.
inline cudaError_t add_attributes(std::uint64_t& sum, int device, cudaMemPoolAttr of_pool,
                                  cudaGraphMemAttributeType of_graphs) {
    cudaMemPool_t pool{};
    std::uint64_t in_pool = 0;
    std::uint64_t in_graphs = 0;
    cudaError_t failed = cudaDeviceGetMemPool(&pool, device);
    if (failed == cudaSuccess) failed = cudaMemPoolGetAttribute(pool, of_pool, &in_pool);
    if (failed == cudaSuccess) failed = cudaDeviceGetGraphMemAttribute(device, of_graphs, &in_graphs);
    sum = in_pool + in_graphs;
    return failed;
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
        cudaError_t failed = read_reserved(before, device);
        if (failed == cudaSuccess) failed = cudaMemGetInfo(&free, &total);
        if (failed == cudaSuccess) failed = read_reserved(after, device);
        if (failed != cudaSuccess) return failed;
        plain = total - free - std::min<std::uint64_t>(total - free, after);
        if (before == after) return cudaSuccess;
    }
}

inline cudaError_t read_memory_use(device_memory_use* use, int device) {
    cudaError_t failed =
        add_attributes(use->ordered, device, cudaMemPoolAttrUsedMemCurrent, cudaGraphMemAttrUsedMemCurrent);
    if (failed == cudaSuccess)
        failed = add_attributes(use->most_ordered, device, cudaMemPoolAttrUsedMemHigh, cudaGraphMemAttrUsedMemHigh);
    return failed == cudaSuccess ? read_plain_memory(use->plain, device) : failed;
}

/// Both peaks start again from what is in use. The driver takes no other number than 0 for that.
inline cudaError_t restart_peaks_of_allocators(int device) {
    cudaMemPool_t pool{};
    std::uint64_t zero = 0;
    cudaError_t failed = cudaDeviceGetMemPool(&pool, device);
    if (failed == cudaSuccess) failed = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero);
    return failed == cudaSuccess ? cudaDeviceSetGraphMemAttribute(device, cudaGraphMemAttrUsedMemHigh, &zero) : failed;
}

/// A thread, because the one that runs the body may wait in it.
inline std::shared_ptr<void> watch_plain_memory_in_a_thread(int device, std::atomic<std::uint64_t>& most) {
    return std::make_shared<std::jthread>([device, &most](const std::stop_token& ended) {
        if (cudaSetDevice(device) != cudaSuccess) return;
        std::uint64_t now = 0;
        while (!ended.stop_requested() && read_plain_memory(now, device) == cudaSuccess) {
            most = std::max(most.load(), now);
            std::this_thread::sleep_for(std::chrono::microseconds{20});
        }
    });
}

}  // namespace perfspec::detail
