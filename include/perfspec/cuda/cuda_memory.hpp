// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/measure/counters/device_memory.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace perfspec::detail {

/// Sees the memory of the current CUDA device.
///
/// Source: CUDA Runtime API, "Stream Ordered Memory Allocator" (cudaMemPoolAttrUsedMemHigh), "Graph Management"
/// (cudaGraphMemAttrUsedMemHigh), and cudaMemGetInfo.
class cuda_memory_recorder final : public device_memory_recorder {
public:
    explicit cuda_memory_recorder(const cuda_runtime& runtime) noexcept : runtime_(runtime) {}

    [[nodiscard]] std::string begin() override { return reason_without_device(runtime_); }
    void end() noexcept override { watch_.reset(); }
    void restart_peak() override;
    [[nodiscard]] std::int64_t peak() override;
    [[nodiscard]] std::string caveat() const override;

private:
    void need(cudaError_t returned) const;
    [[nodiscard]] device_memory_use use_now() const;

    const cuda_runtime& runtime_;
    int device_{};
    device_memory_use level_{};
    std::unique_ptr<plain_memory_watch> watch_{};
};

}  // namespace perfspec::detail
