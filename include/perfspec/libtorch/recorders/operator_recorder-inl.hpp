// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/explain/operator_events.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <algorithm>
#include <c10/util/ArrayRef.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <kineto/ActivityType.h>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/csrc/profiler/util.h>
#include <torch/version.h>
#include <utility>
#include <vector>

// The shapes of an operator's inputs, as text.

namespace perfspec::inline v0_2::detail {

/// "[8,3,32,32]"
inline std::string shape_text(const std::vector<std::int64_t>& sizes) {
    std::string text;
    for (const std::int64_t size : sizes) text += (text.empty() ? "[" : ",") + std::to_string(size);
    return text + "]";
}

/// The shapes of all inputs in their order: "[8,3,32,32] [16,3,3,3]". Three or more equal ones in a row are one word,
/// "[64]x4". Inputs without dimensions are left out: they are no tensors, or made of a number by LibTorch.
inline std::string shapes_text(c10::ArrayRef<std::vector<std::int64_t>> all) {
    constexpr std::size_t many = 3;
    std::vector<std::vector<std::int64_t>> shapes;
    for (const auto& shape : all)
        if (!shape.empty()) shapes.push_back(shape);
    std::string text;
    for (std::size_t i = 0; i < shapes.size();) {
        std::size_t equal = 1;
        while (i + equal < shapes.size() && shapes[i + equal] == shapes[i]) ++equal;
        if (equal < many) equal = 1;
        text += (text.empty() ? "" : " ") + shape_text(shapes[i]) + (equal == 1 ? "" : "x" + std::to_string(equal));
        i += equal;
    }
    return text;
}

/// The shapes of the inputs of a call that begins; "[?]" for a tensor without a shape, such as a nested one. Does not
/// use RecordFunction::inputs(), which needs a LibTorch that was built with the same NDEBUG as this file.
inline std::string shapes_of_inputs(const at::RecordFunction& call) {
    constexpr bool also_of_lists = true;
    try {
        return shapes_text(torch::profiler::impl::inputSizes(call, also_of_lists));
    } catch (const std::exception&) { return "[?]"; }
}

// Records the operators of LibTorch by the hook of PyTorch's profilers. Kineto would print lines to the console.

class torch_operators final : public operator_recorder {
public:
    void begin(input_shapes shapes) override {
        {
            const std::lock_guard hold(mutex_);
            events_.clear();
            outermost_ = 0;
        }
        if (!handle_)
            handle_ =
                at::addGlobalCallback(at::RecordFunctionCallback(started, ended)
                                          .needsInputs(shapes == input_shapes::recorded)
                                          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
    }

    [[nodiscard]] std::vector<operator_event> end() override {
        if (handle_) at::removeCallback(*std::exchange(handle_, {}));
        const std::lock_guard hold(mutex_);
        return std::exchange(events_, {});
    }

    [[nodiscard]] std::int64_t seen() const override {
        const std::lock_guard hold(mutex_);
        return static_cast<std::int64_t>(events_.size());
    }

    [[nodiscard]] std::int64_t called(std::string_view name) const override {
        const std::lock_guard hold(mutex_);
        return std::ranges::count(events_, name, &operator_event::name);
    }

    [[nodiscard]] std::int64_t outermost() const override {
        const std::lock_guard hold(mutex_);
        return outermost_;
    }

    /// The names that the dispatcher has now, including those of loaded libraries.
    [[nodiscard]] part_library known() const override {
        std::map<std::string, std::set<std::string>> by_namespace;
        for (const c10::OperatorName& each : c10::Dispatcher::singleton().getAllOpNames()) {
            const auto colons = each.name.find("::");
            if (colons != std::string::npos)
                by_namespace[each.name.substr(0, colons)].insert(each.name.substr(colons + 2));
        }
        part_library all{std::string{"LibTorch "} + TORCH_VERSION};
        for (const auto& [name, operators] : by_namespace)
            all.namespaces.push_back({name, {operators.begin(), operators.end()}});
        return all;
    }

    [[nodiscard]] std::string settings() const override {
        const int threads = at::get_num_threads();
        return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    }

    static torch_operators& of_this_process() {
        static torch_operators all;
        return all;
    }

private:
    struct open_call : at::ObserverContext {
        explicit open_call(std::string shapes_of_inputs) : shapes(std::move(shapes_of_inputs)) {}

        std::string shapes;
        std::int64_t start_ns{now()};  // after the text of the shapes, which takes time
        bool outermost{open_calls()++ == 0};
    };

    /// The open calls of this thread.
    static std::int64_t& open_calls() noexcept {
        thread_local std::int64_t open = 0;
        return open;
    }

    static std::int64_t now() noexcept {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }

    /// The inputs can only be read here.
    static std::unique_ptr<at::ObserverContext> started(const at::RecordFunction& f) {
        return std::make_unique<open_call>(f.needsInputs() ? shapes_of_inputs(f) : std::string{});
    }

    static void ended(const at::RecordFunction& f, at::ObserverContext* call) {
        const std::int64_t end = now();
        auto* const opened = static_cast<open_call*>(call);
        --open_calls();
        torch_operators& all = of_this_process();
        const std::lock_guard hold(all.mutex_);
        all.events_.push_back(
            {f.name(), opened->start_ns, end, at::RecordFunction::currentThreadId(), 0.0, std::move(opened->shapes)});
        if (opened->outermost) ++all.outermost_;
    }

    mutable std::mutex mutex_;
    std::vector<operator_event> events_;
    std::int64_t outermost_{};
    std::optional<at::CallbackHandle> handle_;
};

/// Runs before main, so every program that links a LibTorch subject can count its operators.
inline bool record_and_explain() {
    explain();
    return install_recorder<operator_recorder>(&torch_operators::of_this_process());
}
[[maybe_unused]] inline const bool operators_are_recorded = record_and_explain();

// Records the work that LibTorch's operators start on a device, by Kineto, which uses the device's profiler.

/// The kind of an entry of Kineto's trace; none for calls of the driver, marks and the profiler's own cost.
///
/// kind  libkineto::ActivityType of the entry
inline std::optional<traced_work> traced_work_of(std::uint8_t kind) noexcept {
    using libkineto::ActivityType;
    switch (static_cast<ActivityType>(kind)) {
    case ActivityType::CPU_OP: return traced_work::call;
    case ActivityType::CONCURRENT_KERNEL: return traced_work::kernel;
    case ActivityType::GPU_MEMCPY:
    case ActivityType::GPU_MEMSET: return traced_work::transfer;
    default: return std::nullopt;
    }
}

/// Keeps Kineto from writing two lines to the console for each trace. Kineto reads its log level from the environment
/// at its first start, and keeps it for the rest of the process. A level in the environment has precedence.
///
/// Only the first call changes the environment, and restores it, because a change is a race with threads that read it.
class quiet_start {
public:
    template <class Start> void operator()(const Start& start) {
        if (std::exchange(done_, true) || std::getenv(name) != nullptr) return start();
        ::setenv(name, "6", 0);
        const struct restore {
            ~restore() { ::unsetenv(name); }
        } at_end;
        start();
    }

private:
    static constexpr const char* name = "KINETO_LOG_LEVEL";
    bool done_{};
};

class kineto_recorder final : public device_recorder {
public:
    [[nodiscard]] std::string begin(input_shapes shapes) override {
        namespace impl = torch::profiler::impl;
        const std::set activities{impl::ActivityType::CPU, impl::ActivityType::CUDA, impl::ActivityType::XPU};
        const impl::ProfilerConfig config(impl::ProfilerState::KINETO, shapes == input_shapes::recorded);
        // Kineto itself does not refuse a second trace.
        if (impl::profilerEnabled())
            return "Kineto cannot record, because another profiler of LibTorch already records in this thread";
        try {
            quietly_([&] { torch::autograd::profiler::prepareProfiler(config, activities); });
            torch::autograd::profiler::enableProfiler(config, activities,
                                                      {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION});
        } catch (const std::exception& error) { return "Kineto cannot record: " + first_line(error.what()); }
        records_ = true;
        return {};
    }

    [[nodiscard]] std::vector<device_event> end() override {
        if (!std::exchange(records_, false)) return {};
        std::vector<device_event> all;
        const auto trace = torch::autograd::profiler::disableProfiler();
        for (const auto& e : trace->events()) {
            const auto what = traced_work_of(e.activityType());
            if (!what) continue;
            const bool is_call = *what == traced_work::call;
            all.push_back({e.name(), *what, static_cast<std::int64_t>(e.startNs()),
                           static_cast<std::int64_t>(e.endNs()), e.startThreadId(),
                           is_call ? e.correlationId() : e.linkedCorrelationId(),
                           is_call ? shapes_text(e.shapes()) : std::string{}});
        }
        return all;
    }

    static kineto_recorder& of_this_process() {
        static kineto_recorder all;
        return all;
    }

private:
    quiet_start quietly_;
    bool records_{};
};

/// Runs before main, like operators_are_recorded.
[[maybe_unused]] inline const bool devices_are_recorded =
    install_recorder<device_recorder>(&kineto_recorder::of_this_process());

}  // namespace perfspec::inline v0_2::detail
