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

namespace perfspec::inline v0_2 {

/// A call of the CUDA runtime that failed; the text starts with the error's name and string.
struct cuda_error : std::runtime_error {
    cuda_error(cudaError_t failed, const std::string& text) : std::runtime_error(text), code(failed) {}

    cudaError_t code;
};

/// Why no CUDA device can be used here, in the driver's words; empty if one can. Tests can skip with it:
///
///     if (const auto reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
///
/// Also empty with PERFSPEC_REQUIRE_GPU=1 in the environment, for a machine that must have a GPU: then no test skips,
/// and claims are *errors*.
[[nodiscard]] std::string cuda_unavailable();

namespace detail {

/// Values of the flag of a held stream. The stream waits while it is `held`.
enum hold_flag : std::uint32_t { held, released, timed_out };

/// Readings of one multiprocessor: its own clock and the global timer.
struct clock_stamp {
    std::uint64_t cycles{};       ///< clock64
    std::uint64_t nanoseconds{};  ///< %globaltimer; 0: not written yet
};

/// The memory of a device, in bytes.
struct device_memory_use {
    std::uint64_t plain{};         ///< neither free nor of the allocators below: cudaMalloc, contexts, other processes
    std::uint64_t ordered{};       ///< used by the stream-ordered allocator and by memory nodes of graphs
    std::uint64_t most_ordered{};  ///< the sum of the peaks of both since they were restarted
};

/// The functions of the CUDA runtime that perfspec calls. Tests script them, or simulate a device.
struct cuda_runtime {
    cudaError_t (*device_count)(int* count);
    cudaError_t (*driver_version)(int* version);  ///< the newest CUDA of the driver, 13000; 0 without a driver
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
    /// Lets later work of the stream wait while the flag, in pinned memory, is 0.
    cudaError_t (*wait_for_flag)(cudaStream_t stream, std::uint32_t* flag);
    /// Whether the next two functions include streams of cudaStreamNonBlocking.
    bool (*sees_every_stream)();
    /// Lets later work of all streams of the device wait for the present work of this one. Uses the event.
    cudaError_t (*hold_others)(cudaStream_t stream, cudaEvent_t event);
    /// Lets later work of this stream wait for the present work of all streams of the device. Uses the event.
    cudaError_t (*wait_for_others)(cudaStream_t stream, cudaEvent_t event);
    /// Puts work on the stream that reads the clocks of one multiprocessor, always the same, into pinned memory.
    cudaError_t (*stamp)(cudaStream_t stream, clock_stamp* into);
    void (*rest)(std::chrono::nanoseconds how_long);  ///< lets the device cool
    cudaError_t (*memory_use)(device_memory_use* use, int device);
    cudaError_t (*restart_memory_peaks)(int device);
    /// While the result lives, reads the plain memory repeatedly, and raises `most` to it.
    std::shared_ptr<void> (*watch_plain_memory)(int device, std::atomic<std::uint64_t>& most);
    /// While the result lives, sets a flag that is still `held` after this time to `timed_out`, also if the calling
    /// thread waits.
    std::shared_ptr<void> (*watch)(std::uint32_t* flag, std::chrono::nanoseconds at_most);
};

[[nodiscard]] const cuda_runtime& real_cuda_runtime() noexcept;

/// Like cuda_unavailable. is_required  by PERFSPEC_REQUIRE_GPU
[[nodiscard]] std::string reason_to_skip(const cuda_runtime& runtime, bool is_required);

/// Why the runtime has no device; empty if it has one.
[[nodiscard]] std::string reason_without_device(const cuda_runtime& runtime);

/// "cudaErrorNoDevice: no CUDA-capable device is detected".
[[nodiscard]] std::string describe_cuda(cudaError_t error);

/// Throws cuda_error with that text and `when`, and clears the error, so that no later call is blamed for it.
[[noreturn]] void fail_cuda(const cuda_runtime& runtime, cudaError_t error, const char* when = "");

}  // namespace detail
}  // namespace perfspec::inline v0_2
