// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_stream.hpp>

namespace perfspec::detail {

cuda_stream::cuda_stream(const cuda_runtime& runtime) : runtime_(runtime), invalid_reason_(reason_without_device(runtime)) {
    if (!invalid_reason_.empty()) {
        invalid_reason_ += "; skip the test where there is none: if (auto why = perfspec::cuda_unavailable(); !why.empty()) SKIP(why);";
        return;
    }
    if (const cudaError_t made = runtime_.create_stream(&handle_); made != cudaSuccess) {
        handle_ = {};
        static_cast<void>(runtime_.take_last_error());
        invalid_reason_ = "no CUDA stream: " + describe_cuda(runtime_, made);
    }
}

// Does not wait: the stream lives until its work is done. An error of that work was reported already, or belongs to a later call.
cuda_stream::~cuda_stream() {
    if (handle_ != nullptr) static_cast<void>(runtime_.destroy_stream(handle_));
}

void cuda_stream::prepare() const {
    need(runtime_.wait_for_device(), " (of work that was put on the device before)");
    need(runtime_.take_last_error(), " (left by an earlier call)");
}

void cuda_stream::fail(cudaError_t error, const char* when) const {
    static_cast<void>(runtime_.take_last_error());  // reported here, so no later call is blamed for it
    throw cuda_error(error, describe_cuda(runtime_, error) + when);
}

}  // namespace perfspec::detail
