// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/block_source-inl.hpp>
#include <perfspec/measure/calibration-inl.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/measure/sample-inl.hpp>
#include <perfspec/measure/sample.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace perfspec::inline v0_2 {
namespace detail {

/// Runs a reading while the counter counts. Each reading restarts the counter, which alternates levels and peaks.
template <class Read> auto while_counting(counter& memory, const Read& read) {
    const counting begun(memory);
    if (!begun.fault().empty()) throw measurement_failure(failure_kind::not_countable, begun.fault());
    return read();
}

/// Throws measurement_failure (no_value) for a subject that is already loaded.
inline void require_not_loaded(const subject& x) {
    if (!x.state().loaded) return;
    throw measurement_failure(
        failure_kind::no_value,
        fmt::format("{} was already loaded in this process before the claim. Give the claim its own test case",
                    subject_name(x)));
}

inline memory_of_load memory_of_loading(const subject& x, counter& memory) {
    require_not_loaded(x);
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
        fmt::format("{} has nothing to load, so including_load adds nothing. Declare what it loads, "
                    ".load([&] {{ model = read(file); }}), or write peak_memory(x)",
                    detail::subject_name(x)));
}

loaded_memory take_loaded_memory(const subject& x, counter& memory) {
    require_model(x);
    loaded_memory result;
    if (x.state().held_bytes != nullptr) result.held = x.state().held_bytes(x.storage());
    if (x.state().run_load != nullptr) result.load = detail::memory_of_loading(x, memory);
    result.call = static_cast<double>(
        detail::while_counting(memory, [&] { return take_sample(x, 1, warm_call::no, memory).elapsed_ns; }));
    return result;
}

namespace detail {

inline double time_loading(const subject& x, clock& wall) {
    const std::int64_t start = wall.now();
    ensure_loaded(x);
    return static_cast<double>(wall.now() - start);
}

inline double time_call(const subject& x, clock& wall) {
    return take_sample(x, 1, warm_call::no, wall).per_iteration();
}

}  // namespace detail

void require_load(const subject& x) {
    if (x.state().run_load != nullptr) return;
    throw measurement_failure(
        failure_kind::no_value,
        fmt::format("{} has no load step. Declare one: .load([&] {{ model = read(file); }})", detail::subject_name(x)));
}

double time_load(const subject& x, clock& wall) {
    require_load(x);
    detail::require_not_loaded(x);
    return detail::time_loading(x, wall);
}

double time_first_call(const subject& x, clock& wall) {
    ensure_loaded(x);
    return detail::time_call(x, wall);
}

std::size_t cold_start_times::calls_until_steady() const noexcept {
    constexpr double about = 1.1;
    std::size_t calls = 1;
    while (calls < calls_ns.size() && calls_ns[calls] > about * steady_ns) ++calls;
    return calls;
}

double cold_start_times::total_ns() const noexcept {
    return std::accumulate(calls_ns.begin(), calls_ns.begin() + static_cast<std::ptrdiff_t>(calls_until_steady()),
                           load_ns);
}

cold_start_times time_cold_start(const subject& x, clock& wall) {
    constexpr std::size_t enough_calls = 11;
    constexpr std::size_t min_calls = 3;
    constexpr double enough_ns = 1e8;
    constexpr std::int64_t patient_ns = 1'000'000'000, longest_ns = 10 * patient_ns;
    cold_start_times cold{.load_ns = detail::time_loading(x, wall)};
    double called_ns = 0.0;  // a worker's request may take a hundred times as long as its call
    const std::int64_t start = wall.now();
    for (std::int64_t spent_ns = 0; cold.calls_ns.size() < min_calls ||
                                    (spent_ns < longest_ns && (cold.calls_ns.size() < enough_calls ||
                                                               (called_ns < enough_ns && spent_ns < patient_ns)));
         spent_ns = wall.now() - start) {
        cold.calls_ns.push_back(detail::time_call(x, wall));
        called_ns += cold.calls_ns.back();
    }
    const auto later = static_cast<std::ptrdiff_t>(cold.calls_ns.size() / 2);
    cold.steady_ns = detail::median_reading({cold.calls_ns.begin() + later, cold.calls_ns.end()});
    return cold;
}

namespace detail {

double median_reading(std::vector<double> readings) {
    const auto middle = readings.begin() + std::ssize(readings) / 2;
    std::nth_element(readings.begin(), middle, readings.end());
    if (readings.size() % 2 != 0) return *middle;
    return (*std::max_element(readings.begin(), middle) + *middle) / 2.0;
}

/// Throws measurement_failure (too_slow) early, if `min_samples` do not fit.
inline void require_room(const sample_calibration& c, std::int64_t now_ns, const process_limits& limits,
                         const measuring_settings& settings) {
    if (limits.min_samples <= 1) return;
    const demand wanted{"single iterations", c.x.sample_ns(), static_cast<int>(limits.min_samples),
                        static_cast<int>(limits.min_samples)};
    static_cast<void>(budget_for(c.started_ns, now_ns, wanted, settings));
}

}  // namespace detail

process_times measure_process(const subject& x, const measuring_settings& settings, const clocks& time,
                              const process_limits& limits) {
    process_times process{.calibration = calibrate_samples(x, settings, time)};
    detail::require_room(process.calibration, time.wall.now(), limits, settings);
    const auto is_full = [&](std::size_t samples, std::int64_t elapsed_ns) {
        const bool is_over = elapsed_ns >= limits.at_most.count() && samples >= limits.min_samples;
        return is_over || (samples >= limits.samples && elapsed_ns >= limits.at_least.count());
    };
    process.samples = detail::take_readings(x, process.calibration.x, process.calibration.warm, time, {}, is_full);
    return process;
}

}  // namespace perfspec::inline v0_2
