// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/measure/failure.hpp>

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
    explicit cuda_stream(const cuda_runtime& runtime, std::optional<cudaStream_t> given = {})
        : runtime_(runtime), handle_(given.value_or(nullptr)), invalid_reason_(reason_without_device(runtime)) {
        if (!invalid_reason_.empty()) {
            invalid_reason_ +=
                "; skip the test where there is none: if (auto why = perfspec::cuda_unavailable(); !why.empty()) SKIP(why);";
            return;
        }
        if (runtime_.current_device(&device_) != cudaSuccess) static_cast<void>(runtime_.take_last_error());
        const cudaError_t found = given ? look_at_given() : runtime_.create_stream(&handle_);
        is_owned_ = !given && found == cudaSuccess;
        if (found == cudaSuccess) return;
        static_cast<void>(runtime_.take_last_error());
        invalid_reason_ =
            !given
                ? "no CUDA stream: " + describe_cuda(found)
                : "the stream takes no event of cuda:" + std::to_string(device_) + ": " + describe_cuda(found) +
                      "; a stream is of the device that was current when it was made: call cudaSetDevice for that one before on(stream)";
    }

    cuda_stream(const cuda_stream&) = delete;
    cuda_stream& operator=(const cuda_stream&) = delete;
    // Does not wait: the stream lives until its work is done. An error of that work was reported already, or belongs to
    // a later call.
    ~cuda_stream() {
        if (is_owned_) static_cast<void>(runtime_.destroy_stream(handle_));
    }

    [[nodiscard]] cudaStream_t handle() const noexcept { return handle_; }
    /// The number of its device, which the driver calls so, too.
    [[nodiscard]] int device() const noexcept { return device_; }
    [[nodiscard]] const cuda_runtime& runtime() const noexcept { return runtime_; }
    [[nodiscard]] const std::string& invalid_reason() const noexcept { return invalid_reason_; }

    /// Call it before a sample. It waits until the device is done with everything else, and checks that no earlier call
    /// left an error. Throws `cuda_error`, and measurement_failure (refused) where the current device is not that of
    /// the stream.
    void prepare() const {
        int current = 0;
        need(runtime_.current_device(&current), " (of the current device)");
        if (current != device_)
            throw measurement_failure(
                failure_kind::refused,
                "cuda:" + std::to_string(current) +
                    " is the current device, and the subject works on a stream of cuda:" + std::to_string(device_) +
                    ": call cudaSetDevice(" + std::to_string(device_) +
                    ") before the claim, or make the subject after cudaSetDevice(" + std::to_string(current) + ")");
        need(runtime_.wait_for_device(), " (of work that was put on the device before)");
        need(runtime_.take_last_error(), " (left by an earlier call)");
    }

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
    // No function of every version tells the device of a stream; but an event is of the current device, and a stream of
    // another one refuses it.
    [[nodiscard]] cudaError_t look_at_given() const {
        cudaEvent_t probe{};
        cudaError_t found = runtime_.create_event(&probe);
        if (found != cudaSuccess) return found;
        found = runtime_.record_event(probe, handle_);
        static_cast<void>(runtime_.destroy_event(probe));
        return found;
    }

    const cuda_runtime& runtime_;
    cudaStream_t handle_{};
    bool is_owned_{};
    int device_{};
    std::string invalid_reason_{};
};

}  // namespace perfspec::detail
