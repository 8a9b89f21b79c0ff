// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Sees the memory of tensors: on the processor by an allocator around LibTorch's own, on devices by what their
// allocators report to PyTorch's profiler.

#include <perfspec/measure/counters/counter.hpp>

#include <ATen/DeviceAccelerator.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

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
    [[nodiscard]] std::int64_t now() const noexcept { return level_.load(); }

private:
    std::atomic<std::int64_t> count_{0};
    std::atomic<std::int64_t> level_{0};
    std::atomic<std::int64_t> peak_{0};
    std::int64_t start_{};
};

/// The blocks of the processor's allocator that were allocated while we watched, and are not freed yet.
class watched_blocks {
public:
    void add(void* data, std::int64_t bytes, c10::DeleterFnPtr deleter) {
        const std::lock_guard hold(mutex_);
        // Something that knows the allocator has freed a block there without telling.
        if (const auto stale = blocks_.find(data); stale != blocks_.end()) level_.freed(stale->second.bytes);
        blocks_.insert_or_assign(data, block{bytes, deleter});
        level_.allocated(bytes);
    }
    /// Returns what frees a block; null for one that it does not know.
    c10::DeleterFnPtr take(void* data) {
        const std::lock_guard hold(mutex_);
        const auto found = blocks_.find(data);
        if (found == blocks_.end()) return nullptr;
        const block taken = found->second;
        blocks_.erase(found);
        level_.freed(taken.bytes);
        return taken.deleter;
    }
    [[nodiscard]] tensor_level& level() noexcept { return level_; }

    /// Lives as long as the process, because blocks outlive every count.
    static watched_blocks& of_this_process() {
        static auto* const all = new watched_blocks;
        return *all;
    }

private:
    struct block {
        std::int64_t bytes;
        c10::DeleterFnPtr deleter;
    };
    std::mutex mutex_;
    std::unordered_map<void*, block> blocks_;
    tensor_level level_;
};

/// The processor's allocator, whose blocks tell when they are freed. It hands on the addresses of the allocator inside
/// it, because oneDNN allocates by one and frees by another.
class watched_allocator final : public c10::Allocator {
public:
    /// Takes the place of the processor's allocator. False where a library has installed one that cannot be replaced.
    [[nodiscard]] bool install() {
        inner() = c10::GetCPUAllocator();
        const c10::DataPtr probe = inner()->allocate(1);
        if (inner()->raw_deleter() == nullptr || probe.get() != probe.get_context()) return false;
        c10::SetCPUAllocator(this);
        return c10::GetCPUAllocator() == this;
    }
    void remove() const { c10::SetCPUAllocator(inner()); }

    c10::DataPtr allocate(std::size_t bytes) override {
        c10::DataPtr block = inner()->allocate(bytes);
        if (bytes == 0) return block;
        const c10::DeleterFnPtr deleter = block.get_deleter();
        const c10::Device device = block.device();
        void* const data = block.release_context();
        watched_blocks::of_this_process().add(data, static_cast<std::int64_t>(bytes), deleter);
        return {data, data, free_block, device};
    }
    [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return free_block; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override {
        inner()->copy_data(to, from, bytes);
    }

private:
    /// Also frees a block that the allocator inside made before.
    static void free_block(void* data) {
        const c10::DeleterFnPtr deleter = watched_blocks::of_this_process().take(data);
        (deleter != nullptr ? deleter : inner()->raw_deleter())(data);
    }
    static c10::Allocator*& inner() noexcept {
        static c10::Allocator* of_the_processor = nullptr;
        return of_the_processor;
    }
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
    /// The processor's allocator asks this. It must not report what we see already, and would warn of blocks that are
    /// older.
    [[nodiscard]] bool memoryProfilingEnabled() const override { return false; }

private:
    tensor_level& level_;
};

class torch_tensors final : public tensor_recorder {
public:
    [[nodiscard]] std::string begin() override {
        if (users_ != 0) return ++users_, std::string{};
        if (!allocator_.install())
            return "a library of this program has installed an allocator of its own for the processor, which cannot be watched";
        users_ = 1;
        if (at::getAccelerator())
            reporting_.emplace(c10::DebugInfoKind::PROFILER_STATE, std::make_shared<reported_memory>(level_));
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
    [[nodiscard]] std::int64_t level() const override { return level_.now(); }

    /// Lives as long as the process, because tensors keep a pointer to the allocator that they come from.
    static torch_tensors& of_this_process() {
        static auto* const all = new torch_tensors;
        return *all;
    }

private:
    tensor_level& level_{watched_blocks::of_this_process().level()};
    watched_allocator allocator_;
    int users_{};
    std::optional<c10::DebugInfoGuard> reporting_;
};

/// Runs before main, so every program that links a LibTorch subject can count its tensors.
[[maybe_unused]] inline const bool tensors_are_recorded = use_tensor_recorder(torch_tensors::of_this_process());

}  // namespace perfspec::detail
