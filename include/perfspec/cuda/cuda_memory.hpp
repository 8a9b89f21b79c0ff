// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace perfspec::detail {

/// Measures how far a body raises the memory of the current CUDA device. The reading before the body is the level, and
/// the reading after it is the peak since then.
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
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] std::string caveat() const override;

private:
    void need(cudaError_t returned) const;
    [[nodiscard]] device_memory_use use_now() const;
    void restart_peak();
    [[nodiscard]] std::int64_t peak();

    const cuda_runtime& runtime_;
    bool in_sample_{};
    int device_{};
    device_memory_use level_{};
    std::atomic<std::uint64_t> most_plain_{};
    std::shared_ptr<void> watch_{};
};

}  // namespace perfspec::detail
