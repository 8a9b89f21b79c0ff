// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/measure/loaded_memory.hpp>
#include <perfspec/measure/sample-inl.hpp>
#include <perfspec/measure/sample.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace perfspec {
namespace detail {

/// Runs a reading while the counter counts. Each reading begins anew, because the counter gives levels and peaks in
/// turn.
template <class Read> auto while_counting(counter& memory, const Read& read) {
    const counting begun(memory);
    if (!begun.fault().empty()) throw measurement_failure(failure_kind::not_countable, begun.fault());
    return read();
}

inline memory_of_load memory_of_loading(const subject& x, counter& memory) {
    require_not_loaded(x);
    static_cast<void>(invalid_reason_of(x));  // inspecting is no part of loading
    std::int64_t before = 0;
    const std::int64_t peak = while_counting(memory, [&] {
        before = memory.now();
        ensure_loaded(x);
        return memory.now();
    });
    const std::int64_t after = while_counting(memory, [&] { return memory.now(); });
    return {static_cast<double>(peak - before), static_cast<double>(after - before)};
}

}  // namespace detail

void require_model(const subject& x) {
    if (x.state().run_load != nullptr || (x.state().held_bytes != nullptr && x.state().held_bytes(x.storage()) > 0.0))
        return;
    throw measurement_failure(
        failure_kind::no_value,
        fmt::format(
            "{} has nothing to load, so including_load adds nothing: declare what it loads, .load([&] {{ model = "
            "read(file); }}), or write peak_memory(x)",
            detail::subject_name(x)));
}

loaded_memory take_loaded_memory(const subject& x, counter& memory) {
    require_model(x);
    loaded_memory taken;
    if (x.state().held_bytes != nullptr) taken.held = x.state().held_bytes(x.storage());
    if (x.state().run_load != nullptr) taken.load = detail::memory_of_loading(x, memory);
    taken.call = static_cast<double>(
        detail::while_counting(memory, [&] { return take_sample(x, 1, warm_call::no, memory).elapsed_ns; }));
    return taken;
}

}  // namespace perfspec
