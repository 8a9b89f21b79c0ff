// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>

#include <optional>
#include <string>

namespace perfspec::detail {

/// A stream that one subject works on, and the errors of its work.
class cuda_stream {
public:
    /// Where there is no device or no stream, `invalid_reason` says why, and nothing else may be called.
    ///
    /// given  a stream that somebody else made, and keeps as long as this lives; `invalid_reason` says where it is of
    /// another device than the current one
    explicit cuda_stream(const cuda_runtime& runtime, std::optional<cudaStream_t> given = {});
    cuda_stream(const cuda_stream&) = delete;
    cuda_stream& operator=(const cuda_stream&) = delete;
    ~cuda_stream();

    [[nodiscard]] cudaStream_t handle() const noexcept { return handle_; }
    [[nodiscard]] const cuda_runtime& runtime() const noexcept { return runtime_; }
    [[nodiscard]] const std::string& invalid_reason() const noexcept { return invalid_reason_; }

    /// Call it before a sample. It waits until the device is done with everything else, and checks that no earlier call
    /// left an error. Throws `cuda_error`, and measurement_failure (refused) where the current device is not that of
    /// the stream.
    void prepare() const;
    /// Checks what a call in the body returned. Throws `cuda_error`.
    void check(cudaError_t returned) const { need(returned, " (returned by the body)"); }
    /// Throws `cuda_error` where a call failed; `when` ends its text.
    void need(cudaError_t returned, const char* when) const {
        if (returned != cudaSuccess) fail_cuda(runtime_, returned, when);
    }
    /// Call it after the last iteration of a sample: only the runtime knows that a launch was refused. Throws
    /// `cuda_error`.
    void check_launches() const { need(runtime_.take_last_error(), " (at the launch)"); }
    /// Returns when the device is done with all work, on whatever stream. Throws `cuda_error` for work that failed.
    void wait() const { need(runtime_.wait_for_device(), " (of the body's work)"); }

private:
    [[nodiscard]] cudaError_t look_at_given() const;

    const cuda_runtime& runtime_;
    cudaStream_t handle_{};
    bool is_owned_{};
    int device_{};  ///< of the stream
    std::string invalid_reason_{};
};

}  // namespace perfspec::detail
