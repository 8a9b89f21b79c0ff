// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace perfspec::inline v0_2::detail {

/// Measures by how much a body raises the memory of the current CUDA device, from a reading before the body to the peak
/// at its end.
///
/// Source: CUDA Runtime API, "Stream Ordered Memory Allocator" (cudaMemPoolAttrUsedMemHigh), "Graph Management"
/// (cudaGraphMemAttrUsedMemHigh), and cudaMemGetInfo.
class cuda_memory_counter final : public counter {
public:
    explicit cuda_memory_counter(const cuda_runtime& runtime) noexcept : runtime_(runtime) {}

    [[nodiscard]] std::string begin() override {
        in_sample_ = false;
        return reason_without_device(runtime_);
    }
    void end() noexcept override { watch_.reset(); }
    [[nodiscard]] std::int64_t now() override {
        in_sample_ = !in_sample_;
        if (!in_sample_) return peak();
        restart_peak();
        return 0;
    }

    [[nodiscard]] std::string caveat() const override {
        return "memory of cudaMalloc is read about every 50 us while the body runs, so perfspec does not see blocks "
               "that live shorter. Memory of cudaMallocAsync and of graphs is exact";
    }

private:
    void need(cudaError_t returned) const {
        if (returned == cudaSuccess) return;
        static_cast<void>(runtime_.take_last_error());  // reported here, so no later call is blamed for it
        throw measurement_failure(failure_kind::not_countable,
                                  "the memory of the device cannot be read: " + describe_cuda(returned));
    }

    [[nodiscard]] device_memory_use use_now() const {
        device_memory_use use;
        need(runtime_.memory_use(&use, device_));
        return use;
    }

    void restart_peak() {
        watch_.reset();
        need(runtime_.current_device(&device_));
        need(runtime_.restart_memory_peaks(device_));
        level_ = use_now();
        most_plain_ = 0;
        watch_ = runtime_.watch_plain_memory(device_, most_plain_);
    }

    [[nodiscard]] std::int64_t peak() {
        const device_memory_use use = use_now();
        const std::uint64_t plain = std::max(use.plain, most_plain_.load());
        watch_.reset();
        const auto above = [](std::uint64_t most, std::uint64_t level) {
            return static_cast<std::int64_t>(most > level ? most - level : 0);
        };
        return above(use.most_ordered, level_.ordered) + above(plain, level_.plain);
    }

    const cuda_runtime& runtime_;
    bool in_sample_{};
    int device_{};
    device_memory_use level_{};
    std::atomic<std::uint64_t> most_plain_{};
    std::shared_ptr<void> watch_{};
};

}  // namespace perfspec::inline v0_2::detail
