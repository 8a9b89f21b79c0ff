// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/prepared_run-inl.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace perfspec::inline v0_2 {

double measuring_settings::sample_target_ns() const noexcept {
    constexpr double shortest_of_process_ns = 2e6;
    const double wanted = std::max(static_cast<double>(sample_time.count()), shortest_sample_ns());
    return samples_remotely ? std::max(wanted, shortest_of_process_ns) : wanted;
}

double measuring_settings::longest_warm_call_ns() const noexcept {
    constexpr double longest_where_processes_take_turns_ns = 10e6;
    const double half_a_sample = sample_target_ns() / 2.0;
    return processes_take_turns ? std::max(half_a_sample, longest_where_processes_take_turns_ns) : half_a_sample;
}

double measuring_settings::shortest_sample_ns() const noexcept {
    return std::max(100.0 * metric_clock.cost_ns, 1000.0 * metric_clock.resolution_ns);
}

measuring_settings settings_for(const plan& p, const clock_facts& metric_clock) {
    measuring_settings s;
    s.iterations = p.iterations;
    s.budget = p.budget;
    s.cap = p.cap;
    s.metric_clock = metric_clock;
    return s;
}

// The cost of a call, from batches that grow until they are long enough for the clock.

namespace detail {

/// Also meters a process: before the first reading of each two, and after the second.
class metered_clock final : public clock {
public:
    metered_clock(clock& time, usage_meter& meter, metered_waiting which) : time_(time), meter_(meter), which_(which) {}

    [[nodiscard]] std::int64_t now() override {
        is_start_ = !is_start_;
        if (is_start_) before_ = meter_.use_of_processors(which_, reading_place::before);
        const std::int64_t ns = time_.now();
        if (!is_start_)
            use_ = difference(before_, meter_.use_of_processors(which_, reading_place::after), meter_.use_of_reading());
        return ns;
    }
    /// Between the last two readings.
    [[nodiscard]] const processor_use& use() const noexcept { return use_; }

private:
    clock& time_;
    usage_meter& meter_;
    metered_waiting which_;
    bool is_start_{};
    processor_use before_{};
    processor_use use_{};
};

/// The sample that `take(warm, clock)` takes of x, with the use of the processors. Another process meters its own
/// samples.
template <class Take>
sample take_metered(const subject& x, warm_call warm, const clocks& time, metered_waiting which, Take take) {
    usage_meter* const meter = meter_of(x, time.usage);
    if (meter == nullptr || &time.metric != &time.wall) return take(warm, time.metric);
    if (runs_elsewhere(x)) {
        if (warm == warm_call::yes) run_untimed(x, 1);
        const processor_use before = meter->use_of_processors(which, reading_place::before);
        sample taken = take(warm_call::no, time.metric);
        taken.use = difference(before, meter->use_of_processors(which, reading_place::after));
        return taken;
    }
    metered_clock metered(time.metric, *meter, which);
    sample taken = take(warm, metered);
    taken.use = metered.use();
    if (x.state().functions->wait != nullptr) ++taken.use.blocks;  // for a device, which goes on in an interruption
    return taken;
}

/// The cost of one iteration: the body, and its input.
struct call_cost {
    double body_ns{};  ///< without interruptions, as far as is known
    double untimed_ns{};
    double elapsed_ns{};  ///< the body, with interruptions
    bool computes{true};  ///< in one thread, without blocking
    double alone_ns{};    ///< of a call that is a batch of its own
};

inline bool has_setup(const subject& x) {
    const body_functions& f = *x.state().functions;
    return f.prepare != nullptr || f.discard != nullptr;
}

/// The wall time that a metered sample takes to read the meter.
inline std::int64_t metering_ns(const subject& x, const clocks& time) {
    usage_meter* const meter = meter_of(x, time.usage);
    if (meter == nullptr) return 0;
    const std::int64_t begin = time.wall.now();
    for (const reading_place where : {reading_place::before, reading_place::after})
        static_cast<void>(meter->use_of_processors(metered_waiting::of_all_threads, where));
    return time.wall.now() - begin;
}

inline call_cost time_once(const subject& x, std::uint64_t iterations, const clocks& time) {
    const std::int64_t metering = has_setup(x) ? metering_ns(x, time) : 0;
    const std::int64_t begin = has_setup(x) ? time.wall.now() : 0;
    const sample timed =
        take_metered(x, warm_call::no, {time.wall, time.wall, time.usage}, metered_waiting::of_all_threads,
                     [&](warm_call warm, clock& wall) { return take_sample(x, iterations, warm, wall); });
    const std::int64_t untimed =
        has_setup(x) ? std::max(time.wall.now() - begin - timed.elapsed_ns - metering, std::int64_t{0}) : 0;
    const working_time working = timed.working();
    const double body_ns = working.is_exact && working.ns > 0.0 ? working.ns : timed.per_iteration();
    return {body_ns, sample{untimed, iterations}.per_iteration(), timed.per_iteration(),
            timed.use.is_of_one_computing_thread()};
}

/// A call that takes this long or longer is timed only once.
inline constexpr double slow_call_ns = 50e6;

inline call_cost fastest_of_three(const subject& x, std::uint64_t iterations, const clocks& time) {
    call_cost best = time_once(x, iterations, time);
    if ((best.elapsed_ns + best.untimed_ns) * static_cast<double>(iterations) >= slow_call_ns) return best;
    for (int i = 1; i < 3; ++i) {
        const call_cost next = time_once(x, iterations, time);
        best = {std::min(best.body_ns, next.body_ns), std::min(best.untimed_ns, next.untimed_ns),
                std::min(best.elapsed_ns, next.elapsed_ns), best.computes && next.computes};
    }
    return best;
}

}  // namespace detail

std::uint64_t max_iterations(const subject& x, double untimed_ns) {
    if (!detail::has_setup(x)) return unlimited_iterations;
    const double preparable = input_preparation_ns / std::max(untimed_ns, 1.0);
    return std::clamp(static_cast<std::uint64_t>(preparable), std::uint64_t{1}, max_inputs);
}

namespace detail {

inline std::uint64_t iterations_lasting(double target_ns, double call_ns, std::uint64_t maximum) {
    const double wanted = std::ceil(target_ns / call_ns);
    return wanted < static_cast<double>(maximum) ? std::max(static_cast<std::uint64_t>(wanted), std::uint64_t{1})
                                                 : maximum;
}

/// The shortest batch of calls that shows the time of one. Shorter ones would mostly show the cost of the clock, or the
/// time in which another process wakes up.
inline double shortest_batch_ns(const measuring_settings& settings) {
    const double target_ns = settings.sample_target_ns();
    return settings.samples_remotely ? target_ns / 4.0 : std::max(1000.0, target_ns / 100.0);
}

/// Throws measurement_failure (zero_duration) if the process works but the clock stands still: the batches would grow
/// for ever.
inline void require_running_clock(const subject& x, std::uint64_t iterations, std::int64_t worked_ns,
                                  const measuring_settings& settings) {
    constexpr double long_ns = 50e6;
    if (static_cast<double>(worked_ns) < std::max(long_ns, 100.0 * settings.metric_clock.resolution_ns)) return;
    throw measurement_failure(
        failure_kind::zero_duration,
        fmt::format(
            "the clock stands still: it shows no time for {} iterations of {}, although the processor worked for {}. "
            "Run again, and check /sys/devices/system/clocksource/clocksource0/current_clocksource",
            iterations, subject_name(x), format_seconds(static_cast<double>(worked_ns))));
}

/// The most calls of a batch. A setup may have an effect that allows no more than the requested iterations.
inline std::uint64_t largest_batch(const subject& x, const measuring_settings& settings) {
    constexpr std::uint64_t largest = 10'000'000;
    if (!has_setup(x) || !settings.iterations) return largest;
    return std::clamp<std::uint64_t>(*settings.iterations, 1, largest);
}

/// Times calls in batches. Each batch is ten times longer than the one before, until one is long enough.
inline call_cost time_calls(const subject& x, const measuring_settings& settings, const clocks& time) {
    const auto worked_ns = [&] { return time.usage != nullptr ? time.usage->now().cpu_ns : 0; };
    const double long_enough_ns = shortest_batch_ns(settings);
    const std::int64_t started_ns = worked_ns();
    const std::uint64_t largest = largest_batch(x, settings);
    double alone_ns = 0.0;
    std::uint64_t iterations = 1;
    for (;;) {
        call_cost cost = fastest_of_three(x, iterations, time);
        if (iterations == 1) alone_ns = cost.body_ns;
        cost.alone_ns = alone_ns;
        if (cost.body_ns <= 0.0) require_running_clock(x, iterations, worked_ns() - started_ns, settings);
        const std::uint64_t maximum = std::min(max_iterations(x, cost.untimed_ns), largest);
        if (cost.body_ns * static_cast<double>(iterations) >= long_enough_ns || iterations >= maximum) {
            if (cost.body_ns > 0.0) return cost;
            throw measurement_failure(
                failure_kind::zero_duration,
                fmt::format("{} is too short for the clock: {} iterations took no time. Do more work in an iteration",
                            subject_name(x), iterations));
        }
        iterations = std::min(iterations * 10, maximum);
    }
}

/// One run between two readings.
inline sample read_run(const subject& x, std::uint64_t iterations, clock& c) {
    const prepared_run prepared(x, iterations);
    if (runs_elsewhere(x)) return {prepared.read_remotely(c.remote_kind()), iterations};
    const std::int64_t start = c.now();
    prepared.run();
    const std::int64_t elapsed = c.now() - start;
    if (elapsed < 0)
        throw measurement_failure(
            failure_kind::clock_went_backwards,
            fmt::format(
                "the clock went backwards by {} ns while {} was measured, because it was set or the clocks of two "
                "processors differ. Run again",
                -elapsed, subject_name(x)));
    return {elapsed, iterations};
}

}  // namespace detail

std::string detail::subject_name(const subject& x) {
    return x.name().empty() ? std::string("the body") : fmt::format("\"{}\"", x.name());
}

current_run run_of_now() noexcept {
    detail::running_body& running = detail::body_of_this_process();
    const std::lock_guard hold(running.mutex);  // so that the thread is alive
    clockid_t clock{};
    timespec used{};
    if (running.number == 0 || ::pthread_getcpuclockid(running.thread, &clock) != 0 ||
        ::clock_gettime(clock, &used) != 0)
        return {};
    return {running.number, std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec};
}

void run_untimed(const subject& x, std::uint64_t iterations) { detail::prepared_run(x, iterations).run(); }

sample take_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c) {
    if (warm == warm_call::yes) run_untimed(x, 1);
    return detail::read_run(x, iterations, c);
}

sample take_metered_sample(const subject& x, std::uint64_t iterations, warm_call warm, const clocks& time,
                           metered_waiting which) {
    return detail::take_metered(x, warm, time, which, [&](warm_call before, clock& c) {
        return take_positive_sample(x, iterations, before, c);
    });
}

void require_value(const subject& x) {
    if (x.state().functions->value != nullptr) return;
    throw measurement_failure(
        failure_kind::no_value,
        fmt::format("{} returns no number. The body of a metric must return one, such as a double",
                    detail::subject_name(x)));
}

double take_value(const subject& x) {
    require_value(x);
    const detail::prepared_run prepared(x, 1);
    const double value = prepared.call(x.state().functions->value, x.storage());
    if (std::isfinite(value) && value >= 0.0) return value;
    throw measurement_failure(failure_kind::no_value,
                              fmt::format("{} returned {}, but the value of a metric must be finite and not negative",
                                          detail::subject_name(x), value));
}

double take_value(const subject& x, const call_reading& how) {
    return how.reader != nullptr ? how.reader->read(x, *how.all) : take_value(x);
}

void ensure_loaded(const subject& x) { static_cast<void>(detail::prepared_run(x, 0)); }

sample take_positive_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c) {
    // Linux subtracts stolen time from the CPU clocks of a virtual machine, sometimes late: a sample may seem to take
    // no time.
    constexpr int attempts = 3;
    for (int i = 0; i < attempts; ++i) {
        const sample taken = take_sample(x, iterations, warm, c);
        if (taken.elapsed_ns != 0 || c.may_stand_still()) return taken;
    }
    throw measurement_failure(
        failure_kind::zero_duration,
        fmt::format("the clock did not advance during {} samples of {} iterations of {}. Raise iterations(n)", attempts,
                    iterations, detail::subject_name(x)));
}

}  // namespace perfspec::inline v0_2
