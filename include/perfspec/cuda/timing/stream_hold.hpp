// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace perfspec::detail {

/// After this time a stream is released although its batch is not complete: the body waits for the device, which waits
/// for the batch.
inline constexpr std::chrono::nanoseconds longest_hold = std::chrono::seconds{2};

/// Holds a stream while it lives. What is put on the stream meanwhile waits in its queue, so that the device does not
/// wait for the processor between two launches, and their latency does not count.
///
/// Source: the blocking kernel of NVBench (nvbench/blocking_kernel.cu). A memory operation of the stream waits here
/// instead of a kernel.
class stream_hold {
public:
    /// flag  of `create_flag`. Throws `cuda_error`.
    stream_hold(const cuda_stream& stream, std::uint32_t* flag);
    stream_hold(const stream_hold&) = delete;
    stream_hold& operator=(const stream_hold&) = delete;
    ~stream_hold() { static_cast<void>(release()); }

    /// Lets the stream work. False where the time-out has done so before: then the device worked while the batch was
    /// not complete.
    [[nodiscard]] bool release() noexcept;

private:
    std::uint32_t* flag_;
    std::unique_ptr<hold_watch> watch_;
};

}  // namespace perfspec::detail
