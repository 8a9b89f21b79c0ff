// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_runtime.hpp>

#include <string>

namespace perfspec::detail {

/// A stream that one subject works on, and the errors of what it does there.
class cuda_stream {
public:
    /// Where there is no device or no stream, `invalid_reason` says why, and nothing else may be called.
    explicit cuda_stream(const cuda_runtime& runtime);
    cuda_stream(const cuda_stream&) = delete;
    cuda_stream& operator=(const cuda_stream&) = delete;
    ~cuda_stream();

    [[nodiscard]] cudaStream_t handle() const noexcept { return handle_; }
    [[nodiscard]] const std::string& invalid_reason() const noexcept { return invalid_reason_; }

    /// Before a sample: the device is done with everything else, and no error of an earlier call is left. Throws `cuda_error`.
    void prepare() const;
    /// What a call in the body returned. Throws `cuda_error`.
    void check(cudaError_t returned) const {
        if (returned != cudaSuccess) fail(returned, " (returned by the body)");
    }
    /// After the last iteration of a sample: a launch that was refused is only known to the runtime. Throws `cuda_error`.
    void check_launches() const;
    /// Returns when the work on the stream is done. Throws `cuda_error` for work that failed.
    void wait() const;

    /// Puts an event on the stream, from which the device takes the time. Throws `cuda_error`.
    void start_timing();
    /// Puts another behind the work, waits for it, and returns the nanoseconds between both as the device saw them. Throws `cuda_error`.
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
