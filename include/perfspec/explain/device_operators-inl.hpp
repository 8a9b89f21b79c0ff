// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/device_operators.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <cstddef>
#include <limits>
#include <map>

namespace perfspec {

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

}  // namespace perfspec
