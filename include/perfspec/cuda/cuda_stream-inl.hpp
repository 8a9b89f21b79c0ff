// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_stream.hpp>

#include <initializer_list>

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
    for (const cudaEvent_t e : {before_, after_})
        if (e != nullptr) static_cast<void>(runtime_.destroy_event(e));
    if (handle_ != nullptr) static_cast<void>(runtime_.destroy_stream(handle_));
}

void cuda_stream::prepare() const {
    if (const cudaError_t before = runtime_.wait_for_device(); before != cudaSuccess)
        fail(before, " (of work that was put on the device before)");
    if (const cudaError_t before = runtime_.take_last_error(); before != cudaSuccess) fail(before, " (left by an earlier call)");
}

void cuda_stream::check_launches() const {
    if (const cudaError_t found = runtime_.take_last_error(); found != cudaSuccess) fail(found, " (at the launch)");
}

void cuda_stream::wait() const {
    if (const cudaError_t found = runtime_.wait_for_stream(handle_); found != cudaSuccess) fail(found, " (of the work on the stream)");
}

void cuda_stream::start_timing() {
    const auto need = [this](cudaError_t found) {
        if (found != cudaSuccess) fail(found, " (of an event that takes the time)");
    };
    if (before_ == nullptr) need(runtime_.create_event(&before_));
    if (after_ == nullptr) need(runtime_.create_event(&after_));
    need(runtime_.record_event(before_, handle_));
}

double cuda_stream::stop_timing() const {
    if (const cudaError_t found = runtime_.record_event(after_, handle_); found != cudaSuccess)
        fail(found, " (of an event that takes the time)");
    wait();
    check_launches();
    float milliseconds = 0;
    if (const cudaError_t found = runtime_.elapsed_ms(&milliseconds, before_, after_); found != cudaSuccess)
        fail(found, " (of the time between two events)");
    return 1e6 * static_cast<double>(milliseconds);
}

void cuda_stream::fail(cudaError_t error, const char* when) const {
    static_cast<void>(runtime_.take_last_error());  // reported here, so no later call is blamed for it
    throw cuda_error(error, describe_cuda(runtime_, error) + when);
}

}  // namespace perfspec::detail
