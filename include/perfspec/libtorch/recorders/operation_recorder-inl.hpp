// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Counts floating-point operations by the formulas of PyTorch's profiler, from the calls that its own hook sees; and
// sums and products in place, which PyTorch's own sum leaves out.

#include <perfspec/measure/counters/counter.hpp>

#include <ATen/record_function.h>
#include <torch/csrc/profiler/util.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// One for each element of the first input. PyTorch's formula knows a sum and a product by name, and not the same in
/// place.
inline std::int64_t operations_in_place(const at::RecordFunction& call) {
    const auto sizes =
        torch::profiler::impl::inputSizes(call);  // not inputs(), which needs a LibTorch that was built with our NDEBUG
    std::int64_t elements = 1;
    for (const std::int64_t size : sizes.front()) elements *= size;
    return elements;
}

/// The operations of a call, which has its inputs; 0 where nobody has a formula.
inline std::int64_t operations_of(const at::RecordFunction& call) {
    if (const std::string_view name = call.name(); name == "aten::add_" || name == "aten::mul_")
        return operations_in_place(call);
    auto arguments = torch::profiler::impl::saveExtraArgs(call);
    // The formula of a convolution wants a number for each dimension. Calls in C++ may give one for both: at::conv2d(x,
    // weight).
    for (auto& [name, value] : arguments) {
        const bool is_of_a_convolution = name == "stride" || name == "padding" || name == "dilation";
        if (is_of_a_convolution && value.isIntList() && value.toIntVector().size() == 1)
            value = std::vector<std::int64_t>(2, value.toIntVector().front());
    }
    return static_cast<std::int64_t>(torch::profiler::impl::computeFlops(call.name(), arguments));
}

/// Whether an operator without a formula computes something that nobody may overlook: a product, a convolution, or what
/// another library does.
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
    use_operation_recorder(torch_operations::of_this_process());

}  // namespace perfspec::detail
