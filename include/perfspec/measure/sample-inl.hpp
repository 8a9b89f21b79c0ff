// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/kernel_times.hpp>
#include <perfspec/measure/sample.hpp>

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace perfspec {
namespace detail {

/// The text of the exception that is being handled.
inline std::string text_of_current_exception() {
    try {
        throw;
    } catch (const std::exception& e) { return e.what(); } catch (...) {
        return "an exception that is not a std::exception";
    }
}

/// Why the body must not be run; empty where it may. The first call inspects what the body will load.
inline const std::string& invalid_reason_of(const subject& x) {
    subject_state& state = x.state();
    const auto inspect = std::exchange(state.inspect, nullptr);
    if (state.invalid_reason.empty() && inspect != nullptr) state.invalid_reason = inspect(x.storage());
    return state.invalid_reason;
}

/// One run of a subject: prepared when constructed, discarded when destroyed.
class prepared_run {
public:
    prepared_run(const subject& x, std::uint64_t iterations)
        : subject_(x), functions_(*x.state().functions), self_(x.storage()), iterations_(iterations) {
        if (const std::string& reason = invalid_reason_of(x); !reason.empty())
            throw measurement_failure(failure_kind::refused,
                                      fmt::format("{} cannot be measured: {}", subject_name(x), reason));
        load();
        if (functions_.prepare != nullptr) prepare();
    }
    prepared_run(const prepared_run&) = delete;
    prepared_run& operator=(const prepared_run&) = delete;
    ~prepared_run() { discard(); }

    // Only the indirect calls are between the two readings of the clock.
    void run() const {
        try {
            functions_.run(self_, iterations_);
            if (functions_.wait != nullptr) functions_.wait(self_);
        } catch (...) { fail(failure_kind::body_threw, "threw"); }
    }

    /// What the process of a remote subject read around its run.
    [[nodiscard]] std::int64_t read_remotely(remote_reading what) const {
        if (what == remote_reading::none)
            throw measurement_failure(failure_kind::not_countable,
                                      fmt::format("{} runs in {}, and only this process is counted",
                                                  subject_name(subject_), subject_.state().remote));
        try {
            return functions_.run_remotely(self_, iterations_, what);
        } catch (...) { fail(failure_kind::body_threw, "threw"); }
    }

    [[nodiscard]] double value(double (*of)(void* self)) const {
        try {
            return of(self_);
        } catch (...) { fail(failure_kind::body_threw, "threw"); }
    }

    /// Calls what the adapter does beside the run.
    template <class Result> Result call(Result (*of)(void* self), void* self) const {
        try {
            return of(self);
        } catch (...) { fail(failure_kind::body_threw, "threw"); }
    }

private:
    void load() const {
        subject_state& state = subject_.state();
        if (state.run_load == nullptr || std::exchange(state.loaded, true)) return;
        try {
            state.run_load(state.load_step);
        } catch (...) {
            state.loaded = false;
            fail(failure_kind::load_threw, "threw while it was loaded");
        }
    }
    void prepare() const {
        try {
            functions_.prepare(self_, iterations_);
        } catch (...) {
            discard();
            fail(failure_kind::setup_threw, "threw while its input was prepared");
        }
    }
    void discard() const noexcept {
        if (functions_.discard != nullptr) functions_.discard(self_);
    }
    /// Throws what is being handled as a failure. One that an adapter threw says already what it is.
    [[noreturn, gnu::cold, gnu::noinline]] void fail(failure_kind kind, const char* did) const {
        try {
            throw;
        } catch (const measurement_failure&) { throw; } catch (...) {
        }
        const std::string thrown = text_of_current_exception();
        throw measurement_failure(speaks_of_memory(thrown) ? failure_kind::out_of_memory : kind,
                                  fmt::format("{} {}: {}", subject_name(subject_), did, thrown),
                                  std::current_exception());
    }

    const subject& subject_;
    const body_functions functions_;
    void* self_;
    std::uint64_t iterations_;
};

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
    sample taken = detail::read_run(x, iterations, c);
    while (c.needs_another_run()) taken = detail::read_run(x, iterations, c);
    return taken;
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
