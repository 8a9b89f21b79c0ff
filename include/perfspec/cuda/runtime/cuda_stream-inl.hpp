// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/measure/failure.hpp>

namespace perfspec::detail {

cuda_stream::cuda_stream(const cuda_runtime& runtime, std::optional<cudaStream_t> given)
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
            ? "no CUDA stream: " + describe_cuda(runtime_, found)
            : "the stream takes no event of cuda:" + std::to_string(device_) + ": " + describe_cuda(runtime_, found) +
                  "; a stream is of the device that was current when it was made: call cudaSetDevice for that one before on(stream)";
}

// No function of every version tells the device of a stream; but an event is of the current device, and a stream of
// another one refuses it.
cudaError_t cuda_stream::look_at_given() const {
    cudaEvent_t probe{};
    cudaError_t found = runtime_.create_event(&probe);
    if (found != cudaSuccess) return found;
    found = runtime_.record_event(probe, handle_);
    static_cast<void>(runtime_.destroy_event(probe));
    return found;
}

// Does not wait: the stream lives until its work is done. An error of that work was reported already, or belongs to a
// later call.
cuda_stream::~cuda_stream() {
    if (is_owned_) static_cast<void>(runtime_.destroy_stream(handle_));
}

void cuda_stream::prepare() const {
    int current = 0;
    need(runtime_.current_device(&current), " (of the current device)");
    if (current != device_)
        throw measurement_failure(
            failure_kind::refused,
            "cuda:" + std::to_string(current) + " is the current device, and the subject works on a stream of cuda:" +
                std::to_string(device_) + ": call cudaSetDevice(" + std::to_string(device_) +
                ") before the claim, or make the subject after cudaSetDevice(" + std::to_string(current) + ")");
    need(runtime_.wait_for_device(), " (of work that was put on the device before)");
    need(runtime_.take_last_error(), " (left by an earlier call)");
}

}  // namespace perfspec::detail
