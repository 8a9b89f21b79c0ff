// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What a call costs, by batches that grow until the clock can tell.

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace perfspec::detail {

/// What one iteration costs: the body, and its input.
struct call_cost {
    double body_ns{};
    double untimed_ns{};
};

inline bool has_setup(const subject& x) {
    const body_functions& f = *x.state().functions;
    return f.prepare != nullptr || f.discard != nullptr;
}

inline call_cost time_once(const subject& x, std::uint64_t iterations, clock& wall) {
    if (!has_setup(x)) return {take_sample(x, iterations, warm_call::no, wall).per_iteration(), 0.0};
    const std::int64_t begin = wall.now();
    const sample timed = take_sample(x, iterations, warm_call::no, wall);
    const std::int64_t untimed = wall.now() - begin - timed.elapsed_ns;
    return {timed.per_iteration(), sample{untimed, iterations}.per_iteration()};
}

/// A call that takes this long or longer is timed only once.
inline constexpr double slow_call_ns = 50e6;

inline call_cost fastest_of_three(const subject& x, std::uint64_t iterations, clock& wall) {
    call_cost best = time_once(x, iterations, wall);
    if ((best.body_ns + best.untimed_ns) * static_cast<double>(iterations) >= slow_call_ns) return best;
    for (int i = 1; i < 3; ++i) {
        const call_cost next = time_once(x, iterations, wall);
        best = {std::min(best.body_ns, next.body_ns), std::min(best.untimed_ns, next.untimed_ns)};
    }
    return best;
}

/// The most iterations that a sample may have.
inline std::uint64_t max_iterations(const subject& x, const call_cost& cost) {
    constexpr std::uint64_t endless = 1'000'000'000;
    if (!has_setup(x)) return endless;
    const double preparable = input_preparation_ns / std::max(cost.untimed_ns, 1.0);
    return std::clamp(static_cast<std::uint64_t>(preparable), std::uint64_t{1}, max_inputs_held);
}

inline std::uint64_t iterations_lasting(double target_ns, double call_ns, std::uint64_t maximum) {
    const double wanted = std::ceil(target_ns / call_ns);
    return wanted < static_cast<double>(maximum) ? std::max(static_cast<std::uint64_t>(wanted), std::uint64_t{1})
                                                 : maximum;
}

/// How long a batch of calls has to last so that one call's time can be told from it. A shorter one would mostly be the
/// cost of the clock, or the time in which another process wakes up.
inline double telling_batch_ns(const measuring_settings& settings) {
    const double target_ns = settings.sample_target_ns();
    return settings.asks_processes ? target_ns / 4.0 : std::max(1000.0, target_ns / 100.0);
}

/// Throws measurement_failure (zero_duration) if the process works and its clock shows no time: longer batches would
/// take for ever.
inline void require_running_clock(const subject& x, std::uint64_t iterations, std::int64_t worked_ns,
                                  const measuring_settings& settings) {
    constexpr double long_ns = 50e6;
    if (static_cast<double>(worked_ns) < std::max(long_ns, 100.0 * settings.metric_clock.resolution_ns)) return;
    throw measurement_failure(
        failure_kind::zero_duration,
        fmt::format(
            "the clock stands still: {} iterations of {} took no time by it, while the processor worked for {}; "
            "run again, and look at what the machine says of its clock source",
            iterations, subject_name(x), format_seconds(static_cast<double>(worked_ns))));
}

/// Times calls in batches. Each batch is ten times longer than the one before, until one is long enough.
inline call_cost time_calls(const subject& x, const measuring_settings& settings, const clocks& time) {
    const auto worked_ns = [&] { return time.usage != nullptr ? time.usage->now().cpu_ns : 0; };
    const double long_enough_ns = telling_batch_ns(settings);
    const std::int64_t started_ns = worked_ns();
    std::uint64_t iterations = 1;
    for (;;) {
        const call_cost cost = fastest_of_three(x, iterations, time.wall);
        if (cost.body_ns <= 0.0) require_running_clock(x, iterations, worked_ns() - started_ns, settings);
        const std::uint64_t maximum = std::min(max_iterations(x, cost), std::uint64_t{10'000'000});
        if (cost.body_ns * static_cast<double>(iterations) >= long_enough_ns || iterations >= maximum) {
            if (cost.body_ns > 0.0) return cost;
            throw measurement_failure(
                failure_kind::zero_duration,
                fmt::format("{} is too short for the clock: {} iterations took no time", subject_name(x), iterations));
        }
        iterations = std::min(iterations * 10, maximum);
    }
}

}  // namespace perfspec::detail
