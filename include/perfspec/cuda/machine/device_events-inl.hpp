// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/device_events.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>

namespace perfspec {
std::uint64_t count_kernels(std::span<const device_event> trace) {
    return static_cast<std::uint64_t>(std::ranges::count(trace, traced_work::kernel, &device_event::what));
}

std::string device_kernel_counter::begin() {
    device_recorder* const recorder = recorder_();
    if (recorder == nullptr) return std::string(detail::no_device_recorder);
    if (counts_) return {};
    kernels_ = 0;
    std::string fault = recorder->begin(input_shapes::ignored);
    counts_ = fault.empty();
    return fault;
}

void device_kernel_counter::end() noexcept {
    if (!counts_) return;
    counts_ = false;
    detail::stop(*recorder_());
}

std::int64_t device_kernel_counter::now() {
    if (!counts_) return kernels_;
    device_recorder& recorder = *recorder_();
    counts_ = false;
    kernels_ += static_cast<std::int64_t>(count_kernels(detail::trace_of(recorder)));
    const std::string fault = recorder.begin(input_shapes::ignored);
    counts_ = fault.empty();
    if (!counts_) throw measurement_failure(failure_kind::not_countable, fault);
    return kernels_;
}

static device_kernel_counter kernels_of_devices([]() noexcept { return known_device_recorder(); });
/// Runs before main.
[[maybe_unused]] static const bool kernels_of_devices_are_counted =
    use_counter(metric_kind::kernel_count, kernels_of_devices);

}  // namespace perfspec
