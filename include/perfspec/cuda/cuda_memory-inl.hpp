// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_memory.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>

namespace perfspec::detail {

void cuda_memory_counter::need(cudaError_t returned) const {
    if (returned == cudaSuccess) return;
    static_cast<void>(runtime_.take_last_error());  // told here, so no later call is blamed for it
    throw measurement_failure(failure_kind::not_countable,
                              "the device does not tell its memory: " + describe_cuda(runtime_, returned));
}

device_memory_use cuda_memory_counter::use_now() const {
    device_memory_use use;
    need(runtime_.memory_use(&use, device_));
    return use;
}

void cuda_memory_counter::restart_peak() {
    watch_.reset();
    need(runtime_.current_device(&device_));
    need(runtime_.restart_memory_peaks(device_));
    level_ = use_now();
    most_plain_ = 0;
    watch_ = runtime_.watch_plain_memory(device_, most_plain_);
}

std::int64_t cuda_memory_counter::peak() {
    const device_memory_use use = use_now();
    const std::uint64_t plain = std::max(use.plain, most_plain_.load());
    watch_.reset();
    const auto above = [](std::uint64_t most, std::uint64_t level) {
        return static_cast<std::int64_t>(most > level ? most - level : 0);
    };
    return above(use.most_ordered, level_.ordered) + above(plain, level_.plain);
}

std::int64_t cuda_memory_counter::now() {
    in_sample_ = !in_sample_;
    if (!in_sample_) return peak();
    restart_peak();
    return 0;
}

std::string cuda_memory_counter::caveat() const {
    return "memory of cudaMalloc is read over and over while the body runs: what it takes and gives back between two readings, some 50 us, is "
           "not seen. That of cudaMallocAsync and of graphs is exact";
}

static cuda_memory_counter memory_of_cuda(real_cuda_runtime());
static const bool memory_of_cuda_is_seen = use_counter(metric_kind::device_memory, memory_of_cuda);

}  // namespace perfspec::detail
