// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Counts floating-point operations of the calls in PyTorch's profiler hook, by its formulas. Also counts sums and
// products in place, for which PyTorch has no formula.

#include <perfspec/explain/recorders.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <ATen/DeviceAccelerator.h>
#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/csrc/profiler/util.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// One operation for each element of the first input.
inline std::int64_t operations_in_place(const at::RecordFunction& call) {
    const auto sizes =
        torch::profiler::impl::inputSizes(call);  // not inputs(), which needs a LibTorch that was built with our NDEBUG
    std::int64_t elements = 1;
    for (const std::int64_t size : sizes.front()) elements *= size;
    return elements;
}

/// The operations of a call with recorded inputs; 0 without a formula.
inline std::int64_t operations_of(const at::RecordFunction& call) {
    if (const std::string_view name = call.name(); name == "aten::add_" || name == "aten::mul_")
        return operations_in_place(call);
    auto arguments = torch::profiler::impl::saveExtraArgs(call);
    // The formula of a convolution needs a number for each dimension. Calls in C++ may pass one for both.
    for (auto& [name, value] : arguments) {
        const bool is_of_a_convolution = name == "stride" || name == "padding" || name == "dilation";
        if (is_of_a_convolution && value.isIntList() && value.toIntVector().size() == 1)
            value = std::vector<std::int64_t>(2, value.toIntVector().front());
    }
    return static_cast<std::int64_t>(torch::profiler::impl::computeFlops(call.name(), arguments));
}

/// Whether a missing formula of an operator falsifies the sum: that of a product, a convolution, or an operator of
/// another library.
inline bool is_worth_a_formula(std::string_view name) {
    constexpr std::array families{"conv", "linear", "mm",    "matmul",   "attention", "lstm", "gru",
                                  "rnn",  "dot",    "addmv", "aten::mv", "einsum",    "fft"};
    const bool is_of_another_library =
        name.find("::") != std::string_view::npos && !name.starts_with("aten::") && !name.starts_with("prim");
    return is_of_another_library || std::ranges::any_of(families, [&](const char* family) {
               return name.find(family) != std::string_view::npos;
           });
}

class torch_operations final : public operation_recorder {
public:
    void begin() override {
        {
            const std::lock_guard hold(mutex_);
            operations_ = calls_ = 0;
            uncounted_.clear();
        }
        if (!handle_)
            handle_ = at::addGlobalCallback(
                at::RecordFunctionCallback(started, ended).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
    }

    void end() noexcept override {
        if (handle_) at::removeCallback(*std::exchange(handle_, {}));
    }

    [[nodiscard]] std::int64_t operations() const override {
        const std::lock_guard hold(mutex_);
        return operations_;
    }

    [[nodiscard]] std::int64_t counted_calls() const override {
        const std::lock_guard hold(mutex_);
        return calls_;
    }

    [[nodiscard]] std::vector<std::string> uncounted() const override {
        const std::lock_guard hold(mutex_);
        return {uncounted_.begin(), uncounted_.end()};
    }

    [[nodiscard]] std::string counted_operators() const override {
        return "aten::conv2d, mm, addmm, bmm, baddbmm, mul and add (also in place)";
    }

    static torch_operations& of_this_process() {
        static torch_operations all;
        return all;
    }

private:
    struct open_call : at::ObserverContext {
        explicit open_call(const at::RecordFunction& call) : caller(innermost()) {
            is_within_counted = caller != nullptr && (caller->is_within_counted || caller->operations > 0);
            if (!is_within_counted) operations = operations_of(call);
            innermost() = this;  // after what may throw
        }

        open_call* caller;
        std::int64_t operations{};
        bool is_within_counted{};
        bool is_explained{};  ///< a call within it is counted, or is named as one without a formula
    };

    /// The open call of this thread that is inside all others.
    static open_call*& innermost() noexcept {
        thread_local open_call* call = nullptr;
        return call;
    }

    /// The inputs can only be read here.
    static std::unique_ptr<at::ObserverContext> started(const at::RecordFunction& call) {
        return std::make_unique<open_call>(call);
    }

    static void ended(const at::RecordFunction& f, at::ObserverContext* context) {
        if (context == nullptr) return;  // `started` threw
        auto& call = *static_cast<open_call*>(context);
        innermost() = call.caller;
        if (call.operations == 0 && (call.is_within_counted || call.is_explained || !is_worth_a_formula(f.name())))
            return explain(call);
        torch_operations& all = of_this_process();
        const std::lock_guard hold(all.mutex_);
        call.is_explained = true;
        explain(call);
        if (call.operations == 0) return static_cast<void>(all.uncounted_.insert(f.name()));
        all.operations_ += call.operations;
        ++all.calls_;
    }

    static void explain(const open_call& call) noexcept {
        if (call.caller != nullptr && call.is_explained) call.caller->is_explained = true;
    }

    mutable std::mutex mutex_;
    std::int64_t operations_{};
    std::int64_t calls_{};
    std::set<std::string> uncounted_;
    std::optional<at::CallbackHandle> handle_;
};

/// Runs before main, so every program that links a LibTorch subject can count its operations.
[[maybe_unused]] inline const bool operations_are_recorded =
    install_recorder<operation_recorder>(&torch_operations::of_this_process());

// Counts the memory of tensors: on the processor by an allocator around LibTorch's own, on devices by the reports of
// their allocators to PyTorch's profiler.

/// Allocated bytes now and at their peak. All threads change it.
class tensor_level {
public:
    void allocated(std::int64_t bytes) noexcept {
        count_.fetch_add(1, std::memory_order_relaxed);
        const std::int64_t level = level_.fetch_add(bytes) + bytes;
        for (std::int64_t peak = peak_.load(); peak < level && !peak_.compare_exchange_weak(peak, level);) {}
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

/// The living blocks of the processor's allocator that were allocated during counts.
class watched_blocks {
public:
    void add(void* data, std::int64_t bytes, c10::DeleterFnPtr deleter) {
        const std::lock_guard hold(mutex_);
        // A block at the same address was freed directly by LibTorch's allocator.
        if (const auto stale = blocks_.find(data); stale != blocks_.end()) level_.freed(stale->second.bytes);
        blocks_.insert_or_assign(data, block{bytes, deleter});
        level_.allocated(bytes);
    }
    /// Removes a block. Returns its deleter; null for an unknown block.
    c10::DeleterFnPtr take(void* data) {
        const std::lock_guard hold(mutex_);
        const auto found = blocks_.find(data);
        if (found == blocks_.end()) return nullptr;
        const block removed = found->second;
        blocks_.erase(found);
        level_.freed(removed.bytes);
        return removed.deleter;
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

/// An allocator of the processor that notices when its blocks are freed. It returns the addresses of the allocator
/// inside it, because oneDNN allocates by one and frees by the other.
class watched_allocator final : public c10::Allocator {
public:
    /// Replaces the processor's allocator. False if a library has installed one that cannot be replaced.
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
    /// Also frees blocks that the allocator inside allocated earlier.
    static void free_block(void* data) {
        const c10::DeleterFnPtr deleter = watched_blocks::of_this_process().take(data);
        (deleter != nullptr ? deleter : inner()->raw_deleter())(data);
    }
    static c10::Allocator*& inner() noexcept {
        static c10::Allocator* of_the_processor = nullptr;
        return of_the_processor;
    }
};

/// Receives the reports of device allocators in this thread, and in threads that LibTorch starts for it.
class reported_memory final : public c10::MemoryReportingInfoBase {
public:
    explicit reported_memory(tensor_level& level) noexcept : level_(level) {}

    void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, c10::Device device) override {
        if (device.is_cpu()) return;
        if (bytes > 0) level_.allocated(bytes);
        else level_.freed(-bytes);
    }
    /// For the processor's allocator, whose blocks are counted otherwise, and which would warn of older blocks.
    [[nodiscard]] bool memoryProfilingEnabled() const override { return false; }

private:
    tensor_level& level_;
};

class torch_tensors final : public tensor_recorder {
public:
    [[nodiscard]] std::string begin() override {
        if (users_ != 0) return ++users_, std::string{};
        if (!allocator_.install())
            return "a library of this program has replaced the allocator of CPU tensors, so perfspec cannot watch it";
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
[[maybe_unused]] inline const bool tensors_are_recorded =
    install_recorder<tensor_recorder>(&torch_tensors::of_this_process());

}  // namespace perfspec::inline v0_2::detail
