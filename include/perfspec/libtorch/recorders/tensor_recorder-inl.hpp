// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Sees the memory of tensors: on the processor by an allocator around LibTorch's own, on devices by what their allocators report to PyTorch's
// profiler.

#include <perfspec/measure/counters/tensor_events.hpp>

#include <ATen/DeviceAccelerator.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace perfspec::detail {

/// Bytes that are allocated, and the highest they have been. All threads change it.
class tensor_level {
public:
    void allocated(std::int64_t bytes) noexcept {
        count_.fetch_add(1, std::memory_order_relaxed);
        const std::int64_t level = level_.fetch_add(bytes) + bytes;
        for (std::int64_t known = peak_.load(); known < level && !peak_.compare_exchange_weak(known, level);) {}
    }
    void freed(std::int64_t bytes) noexcept { level_.fetch_sub(bytes); }
    void restart_peak() noexcept {
        start_ = level_.load();
        peak_.store(start_);
    }

    [[nodiscard]] std::int64_t count() const noexcept { return count_.load(); }
    [[nodiscard]] std::int64_t peak() const noexcept { return peak_.load() - start_; }

private:
    std::atomic<std::int64_t> count_{0};
    std::atomic<std::int64_t> level_{0};
    std::atomic<std::int64_t> peak_{0};
    std::int64_t start_{};
};

/// The processor's allocator, whose blocks tell when they are freed, also long after it was removed.
class watched_allocator final : public c10::Allocator {
public:
    explicit watched_allocator(tensor_level& level) noexcept : level_(level) {}

    /// Takes the place of the processor's allocator. False where a library has installed one that must not be replaced.
    [[nodiscard]] bool install() {
        inner_ = c10::GetCPUAllocator();
        c10::SetCPUAllocator(this);
        return c10::GetCPUAllocator() == this;
    }
    void remove() const { c10::SetCPUAllocator(inner_); }

    c10::DataPtr allocate(std::size_t bytes) override {
        c10::DataPtr block = inner_->allocate(bytes);
        if (bytes == 0) return block;
        void* const data = block.get();
        const c10::Device device = block.device();
        auto watched = std::make_unique<watched_block>(watched_block{std::move(block), static_cast<std::int64_t>(bytes), level_});
        level_.allocated(watched->bytes);
        return {data, watched.release(), free_block, device};
    }
    void copy_data(void* to, const void* from, std::size_t bytes) const override { inner_->copy_data(to, from, bytes); }

private:
    struct watched_block {
        c10::DataPtr data;
        std::int64_t bytes;
        tensor_level& level;
    };
    static void free_block(void* block) {
        const std::unique_ptr<watched_block> owned{static_cast<watched_block*>(block)};
        owned->level.freed(owned->bytes);
    }

    tensor_level& level_;
    c10::Allocator* inner_{};
};

/// What the allocators of devices report to this thread, and to those that LibTorch starts for it.
class reported_memory final : public c10::MemoryReportingInfoBase {
public:
    explicit reported_memory(tensor_level& level) noexcept : level_(level) {}

    void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, c10::Device device) override {
        if (device.is_cpu()) return;
        if (bytes > 0) level_.allocated(bytes);
        else level_.freed(-bytes);
    }
    /// The processor's allocator asks this. It must not report what we see already, and would warn of blocks that are older.
    [[nodiscard]] bool memoryProfilingEnabled() const override { return false; }

private:
    tensor_level& level_;
};

class torch_tensors final : public tensor_recorder {
public:
    [[nodiscard]] std::string begin() override {
        if (users_ != 0) return ++users_, std::string{};
        if (!allocator_.install())
            return "a library of this program has installed an allocator of its own for the processor, which must not be replaced";
        users_ = 1;
        if (at::getAccelerator()) reporting_.emplace(c10::DebugInfoKind::PROFILER_STATE, std::make_shared<reported_memory>(level_));
        return {};
    }
    void end() noexcept override {
        if (users_ == 0 || --users_ != 0) return;
        reporting_.reset();
        allocator_.remove();
    }
    [[nodiscard]] std::int64_t allocations() const override { return level_.count(); }
    void restart_peak() override { level_.restart_peak(); }
    [[nodiscard]] std::int64_t peak() const override { return level_.peak(); }

    /// Lives as long as the process, because tensors keep a pointer to the allocator that they come from.
    static torch_tensors& of_this_process() {
        static auto* const all = new torch_tensors;
        return *all;
    }

private:
    tensor_level level_;
    watched_allocator allocator_{level_};
    int users_{};
    std::optional<c10::DebugInfoGuard> reporting_;
};

/// Runs before main, so every program that links a LibTorch subject can count its tensors.
[[maybe_unused]] inline const bool tensors_are_recorded = use_tensor_recorder(torch_tensors::of_this_process());

}  // namespace perfspec::detail
