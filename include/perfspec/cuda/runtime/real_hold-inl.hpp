// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/measure/gpu/shared_library.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace perfspec::detail {

inline cudaError_t create_mapped_flag(std::uint32_t** flag) {
    void* at = nullptr;
    const cudaError_t made = cudaHostAlloc(&at, sizeof(std::uint32_t), cudaHostAllocMapped);
    *flag = static_cast<std::uint32_t*>(at);
    return made;
}

/// cuStreamWaitValue32 of the driver. Its errors have the numbers of the runtime's.
///
/// Source: CUDA Driver API, "Stream Memory Operations". It is found by name in the library that the runtime has loaded,
/// so that no program links the driver. A stream waits by it without a kernel, so no user needs the CUDA compiler.
using wait_value_function = int (*)(cudaStream_t stream, unsigned long long address, std::uint32_t value,
                                    unsigned flags);

inline wait_value_function wait_value_of_driver() {
    static const wait_value_function found = [] {
        wait_value_function named = nullptr;
        shared_library("libcuda.so.1").find("cuStreamWaitValue32_v2", named);
        return named;
    }();
    return found;
}

inline cudaError_t wait_for_mapped_flag(cudaStream_t stream, std::uint32_t* flag) {
    constexpr unsigned until_greater_or_equal = 0;  // CU_STREAM_WAIT_VALUE_GEQ
    const wait_value_function wait = wait_value_of_driver();
    if (wait == nullptr) return cudaErrorNotSupported;
    void* on_device = nullptr;
    if (const cudaError_t mapped = cudaHostGetDevicePointer(&on_device, flag, 0); mapped != cudaSuccess) return mapped;
    return static_cast<cudaError_t>(
        wait(stream, reinterpret_cast<std::uintptr_t>(on_device), hold_flag::released, until_greater_or_equal));
}

/// A thread, because the one that holds the stream may be waiting for it inside the body.
class watching_thread final : public hold_watch {
public:
    watching_thread(std::uint32_t* flag, std::chrono::nanoseconds at_most)
        : thread_([flag, at_most](const std::stop_token& ended) {
              std::mutex mutex;
              std::condition_variable_any sleeping;
              std::unique_lock lock(mutex);
              static_cast<void>(sleeping.wait_for(lock, ended, at_most, [] { return false; }));
              std::uint32_t expected = hold_flag::held;
              if (!ended.stop_requested())
                  std::atomic_ref(*flag).compare_exchange_strong(expected, hold_flag::timed_out);
          }) {}

private:
    std::jthread thread_;
};

inline std::unique_ptr<hold_watch> watch_in_a_thread(std::uint32_t* flag, std::chrono::nanoseconds at_most) {
    return std::make_unique<watching_thread>(flag, at_most);
}

}  // namespace perfspec::detail
