// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/device_events.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <map>

namespace perfspec {
namespace detail {

inline device_recorder*& installed_device_recorder() noexcept {
    static device_recorder* installed = nullptr;
    return installed;
}

constexpr std::string_view no_device_recorder =
    "this program records no work on devices: link perfspec::cuda for subjects of <perfspec/cuda.hpp>, or perfspec::libtorch for those of "
    "<perfspec/libtorch.hpp>";

/// Stops the recorder and returns what it recorded. Throws measurement_failure where that cannot be read.
inline std::vector<device_event> trace_of(device_recorder& recorder) {
    try {
        return recorder.end();
    } catch (const std::exception& error) {
        throw measurement_failure(failure_kind::not_countable,
                                  std::string("the record of the device's work cannot be read: ") + error.what());
    }
}

/// Stops a recorder when nobody needs the recorded data any more, so nobody needs to know why it cannot be read.
inline void stop(device_recorder& recorder) noexcept {
    try {
        static_cast<void>(recorder.end());
    } catch (const std::exception&) {}  // NOLINT(bugprone-empty-catch)
}

}  // namespace detail

std::uint64_t count_kernels(std::span<const device_event> trace) {
    return static_cast<std::uint64_t>(std::ranges::count(trace, traced_work::kernel, &device_event::what));
}

std::vector<operator_event> calls_with_device_times(std::span<const device_event> trace) {
    constexpr std::uint64_t no_thread = std::numeric_limits<std::uint64_t>::max();
    std::vector<operator_event> calls;
    std::map<std::uint64_t, std::size_t> by_number;
    for (const device_event& e : trace) {
        if (e.what != traced_work::call) continue;
        if (e.call != 0) by_number.emplace(e.call, calls.size());
        calls.push_back({e.name, e.start_ns, e.end_ns, e.thread, 0.0, e.shapes});
    }
    for (const device_event& e : trace) {
        if (e.what == traced_work::call) continue;
        const auto time = static_cast<double>(e.end_ns - e.start_ns);
        const auto known = by_number.find(e.call);
        if (known == by_number.end()) calls.push_back({"(no operator)", e.start_ns, e.start_ns, no_thread});
        operator_event& call = known == by_number.end() ? calls.back() : calls[known->second];
        call.device_ns += time;
        call.work.push_back({e.name, time});
    }
    return calls;
}

std::vector<operator_event> record_operators(device_recorder& recorder, const subject& x, input_shapes shapes) {
    if (const std::string fault = recorder.begin(shapes); !fault.empty())
        throw measurement_failure(failure_kind::not_countable, fault);
    try {
        run_untimed(x, 1);
    } catch (...) {
        detail::stop(recorder);
        throw;
    }
    return calls_with_device_times(detail::trace_of(recorder));
}

bool use_device_recorder(device_recorder& r) noexcept {
    detail::installed_device_recorder() = &r;
    return true;
}

device_recorder* known_device_recorder() noexcept { return detail::installed_device_recorder(); }

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

}  // namespace perfspec
