// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_runtime.hpp>

#include <string>

namespace perfspec::detail {

/// A stream that one subject works on, and the errors of its work.
class cuda_stream {
public:
    /// Where there is no device or no stream, `invalid_reason` says why, and nothing else may be called.
    explicit cuda_stream(const cuda_runtime& runtime);
    cuda_stream(const cuda_stream&) = delete;
    cuda_stream& operator=(const cuda_stream&) = delete;
    ~cuda_stream();

    [[nodiscard]] cudaStream_t handle() const noexcept { return handle_; }
    [[nodiscard]] const std::string& invalid_reason() const noexcept { return invalid_reason_; }

    /// Call it before a sample. It waits until the device is done with everything else, and checks that no earlier call left an error.
    /// Throws `cuda_error`.
    void prepare() const;
    /// Checks what a call in the body returned. Throws `cuda_error`.
    void check(cudaError_t returned) const {
        if (returned != cudaSuccess) fail(returned, " (returned by the body)");
    }
    /// Call it after the last iteration of a sample: only the runtime knows that a launch was refused. Throws `cuda_error`.
    void check_launches() const;
    /// Returns when the work on the stream is done. Throws `cuda_error` for work that failed.
    void wait() const;

    /// Puts an event on the stream, from which the device measures the time. Throws `cuda_error`.
    void start_timing();
    /// Puts another event behind the work, waits for it, and returns the nanoseconds that the device measured between both. Throws
    /// `cuda_error`.
    [[nodiscard]] double stop_timing() const;

private:
    [[noreturn]] void fail(cudaError_t error, const char* when) const;

    const cuda_runtime& runtime_;
    cudaStream_t handle_{};
    cudaEvent_t before_{};  ///< made when the device's time is first asked for
    cudaEvent_t after_{};
    std::string invalid_reason_{};
};

}  // namespace perfspec::detail
