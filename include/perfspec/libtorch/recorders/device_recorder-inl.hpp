// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Records the work that LibTorch's operators start on a device, by Kineto, which asks the device's own profiler.

#include <perfspec/cuda/machine/device_events.hpp>
#include <perfspec/libtorch/recorders/device_recorder.hpp>
#include <perfspec/libtorch/recorders/operator_recorder-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <kineto/ActivityType.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <exception>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// What an entry of Kineto's trace is for perfspec; nothing for calls of the driver, marks and the profiler's own cost.
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

class kineto_recorder final : public device_recorder {
public:
    [[nodiscard]] std::string begin(input_shapes shapes) override {
        namespace impl = torch::profiler::impl;
        const std::set activities{impl::ActivityType::CPU, impl::ActivityType::CUDA, impl::ActivityType::XPU};
        const impl::ProfilerConfig config(impl::ProfilerState::KINETO, shapes == input_shapes::recorded);
        // Kineto itself does not refuse a second trace.
        if (impl::profilerEnabled())
            return "Kineto cannot record: a profiler of LibTorch's records in this thread already";
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
[[maybe_unused]] inline const bool devices_are_recorded = use_device_recorder(kineto_recorder::of_this_process());

}  // namespace perfspec::detail
