// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/prepared_run-inl.hpp>
#include <perfspec/measure/sample.hpp>

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace perfspec {
namespace detail {

/// One run between two readings.
inline sample read_run(const subject& x, std::uint64_t iterations, clock& c) {
    const prepared_run prepared(x, iterations);
    if (x.state().functions->run_remotely != nullptr) return {prepared.read_remotely(c.there()), iterations};
    const std::int64_t start = c.now();
    prepared.run();
    const std::int64_t elapsed = c.now() - start;
    if (elapsed < 0)
        throw measurement_failure(
            failure_kind::clock_went_backwards,
            fmt::format(
                "the clock went backwards by {} ns while {} was measured: it was set, or two processors disagree; run again",
                -elapsed, subject_name(x)));
    return {elapsed, iterations};
}

}  // namespace detail

std::string detail::subject_name(const subject& x) {
    return x.name().empty() ? std::string("the body") : fmt::format("\"{}\"", x.name());
}

void run_untimed(const subject& x, std::uint64_t iterations) { detail::prepared_run(x, iterations).run(); }

sample take_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c) {
    if (warm == warm_call::yes) run_untimed(x, 1);
    return detail::read_run(x, iterations, c);
}

void require_value(const subject& x) {
    if (x.state().functions->value != nullptr) return;
    throw measurement_failure(
        failure_kind::no_value,
        fmt::format("{} returns no number: the body of your own metric returns one, such as a double",
                    detail::subject_name(x)));
}

double take_value(const subject& x) {
    require_value(x);
    const detail::prepared_run prepared(x, 1);
    const double value = prepared.value(x.state().functions->value);
    if (std::isfinite(value) && value >= 0.0) return value;
    throw measurement_failure(failure_kind::no_value,
                              fmt::format("{} returned {}: the value of a metric is a finite number from 0 up",
                                          detail::subject_name(x), value));
}

double take_device_time(const subject& x) { return detail::prepared_run(x, 1).value(x.state().functions->device_ns); }

kernel_timer& known_kernel_timer() noexcept {
    static kernel_timer known = nullptr;
    return known;
}

double take_kernel_time(const subject& x, const kernel_request& kernels) {
    if (const kernel_timer time = known_kernel_timer(); time != nullptr) return time(x, kernels);
    throw measurement_failure(failure_kind::not_countable, detail::no_device_recorder);
}

double take_reported(const subject& x, sample_kind what, const kernel_request& kernels) {
    if (what == sample_kind::kernel_times) return take_kernel_time(x, kernels);
    return what == sample_kind::device_times ? take_device_time(x) : take_value(x);
}

void ensure_loaded(const subject& x) { static_cast<void>(detail::prepared_run(x, 0)); }

sample take_positive_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c) {
    // Linux subtracts stolen time from the CPU clocks of a virtual machine, also later than it was stolen: a sample may
    // seem to take none.
    constexpr int attempts = 3;
    for (int i = 0; i < attempts; ++i) {
        const sample taken = take_sample(x, iterations, warm, c);
        if (taken.elapsed_ns != 0 || c.may_stand_still()) return taken;
    }
    throw measurement_failure(
        failure_kind::zero_duration,
        fmt::format("the clock did not advance during {} samples of {} iterations of {}: give more iterations",
                    attempts, iterations, detail::subject_name(x)));
}

}  // namespace perfspec
