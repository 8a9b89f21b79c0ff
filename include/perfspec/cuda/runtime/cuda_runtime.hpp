// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace perfspec {

/// A call of the CUDA runtime that failed; the text starts with the error's name and string.
struct cuda_error : std::runtime_error {
    cuda_error(cudaError_t failed, const std::string& text) : std::runtime_error(text), code(failed) {}

    cudaError_t code;
};

/// Why no CUDA device can be used here, in the driver's words; empty where one can. Tests can skip with it:
///
///     if (const auto reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
///
/// Empty, too, where the environment has PERFSPEC_REQUIRE_GPU=1, for the machine that has the GPU: then no test skips,
/// and claims are *invalid*.
[[nodiscard]] std::string cuda_unavailable();

namespace detail {

/// What the flag of a held stream says. The stream waits until it is no longer `held`.
enum hold_flag : std::uint32_t { held, released, timed_out };

/// What one multiprocessor reads of its own clock and of the one that all share.
struct clock_stamp {
    std::uint64_t cycles{};       ///< clock64
    std::uint64_t nanoseconds{};  ///< %globaltimer; 0: nothing was written yet
};

/// The memory of a device, in bytes.
struct device_memory_use {
    std::uint64_t plain{};         ///< neither free nor of the allocators below: cudaMalloc, contexts, other processes
    std::uint64_t ordered{};       ///< in use of the device's stream-ordered allocator and of memory nodes of graphs
    std::uint64_t most_ordered{};  ///< the sum of the peaks of both since they were restarted
};

/// The functions of the CUDA runtime that perfspec calls; tests script them, or simulate a device behind them.
struct cuda_runtime {
    cudaError_t (*device_count)(int* count);
    cudaError_t (*driver_version)(
        int* version);  ///< the newest CUDA that the driver is for, 13000; 0 where there is no driver
    cudaError_t (*runtime_version)(int* version);
    cudaError_t (*create_stream)(cudaStream_t* stream);
    cudaError_t (*destroy_stream)(cudaStream_t stream);
    cudaError_t (*wait_for_device)();
    cudaError_t (*create_event)(cudaEvent_t* event);
    cudaError_t (*destroy_event)(cudaEvent_t event);
    cudaError_t (*record_event)(cudaEvent_t event, cudaStream_t stream);
    cudaError_t (*elapsed_ms)(float* milliseconds, cudaEvent_t from, cudaEvent_t to);
    cudaError_t (*take_last_error)();  ///< also clears it, unless the device is lost
    cudaError_t (*current_device)(int* device);
    cudaError_t (*attribute)(int* value, cudaDeviceAttr which, int device);
    cudaError_t (*allocate)(void** at, std::size_t bytes);
    cudaError_t (*release)(void* at);
    cudaError_t (*fill)(void* at, int value, std::size_t bytes, cudaStream_t stream);
    cudaError_t (*allocate_pinned)(void** at, std::size_t bytes);  ///< of the host; the device reads and writes it, too
    cudaError_t (*release_pinned)(void* at);
    cudaError_t (*copy_on)(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
    cudaError_t (*wait_for_flag)(
        cudaStream_t stream,
        std::uint32_t* flag);     ///< in pinned memory: what is put on the stream next waits while it is 0
    bool (*sees_every_stream)();  ///< whether the next two functions see streams that were made with
                                  ///< cudaStreamNonBlocking
    /// What is put on any stream of the device next waits for what is on this one now. The event is for its use.
    cudaError_t (*hold_others)(cudaStream_t stream, cudaEvent_t event);
    /// What is put on this stream next waits for what is on any stream of the device now. The event is for its use.
    cudaError_t (*wait_for_others)(cudaStream_t stream, cudaEvent_t event);
    /// Puts on the stream what reads the clocks into pinned memory, always of the same multiprocessor.
    cudaError_t (*stamp)(cudaStream_t stream, clock_stamp* into);
    void (*rest)(std::chrono::nanoseconds how_long);  ///< leaves the device to cool
    cudaError_t (*memory_use)(device_memory_use* use, int device);
    cudaError_t (*restart_memory_peaks)(int device);
    /// While what it returns lives, it raises `most` to the plain memory that it reads over and over.
    std::shared_ptr<void> (*watch_plain_memory)(int device, std::atomic<std::uint64_t>& most);
    /// While what it returns lives, it sets a flag that is still `held` to `timed_out` when its time is over, whatever
    /// the calling thread waits for.
    std::shared_ptr<void> (*watch)(std::uint32_t* flag, std::chrono::nanoseconds at_most);
};

[[nodiscard]] const cuda_runtime& real_cuda_runtime() noexcept;

/// cuda_unavailable with the given runtime, and whether the run has to have a GPU.
[[nodiscard]] std::string reason_to_skip(const cuda_runtime& runtime, bool is_required);

/// Why the runtime has no device; empty where it has one.
[[nodiscard]] std::string reason_without_device(const cuda_runtime& runtime);

/// "cudaErrorNoDevice: no CUDA-capable device is detected".
[[nodiscard]] std::string describe_cuda(cudaError_t error);

/// Throws cuda_error with that text, and `when` behind it. No later call is blamed for the error.
[[noreturn]] void fail_cuda(const cuda_runtime& runtime, cudaError_t error, const char* when = "");

}  // namespace detail
}  // namespace perfspec
