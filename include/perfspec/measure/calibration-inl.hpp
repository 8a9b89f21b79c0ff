// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/body_checks-inl.hpp>
#include <perfspec/measure/body_checks.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample-inl.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace perfspec::inline v0_2 {
namespace detail {

/// The time that reading the value of a call adds to it.
inline double reading_ns(const subject& x, const call_reading& how, clock& wall) {
    return how.reader != nullptr ? how.reader->cost_ns(x, *how.all, wall) : 0.0;
}

/// Chooses the iterations of a sample: the requested number, or as many as last the target time.
inline subject_calibration calibrate(const subject& x, const measuring_settings& settings, const clocks& time) {
    clock& wall = time.wall;
    const double target_ns = settings.sample_target_ns();
    const call_cost cost = time_calls(x, settings, time);
    const bool one_input = takes_one_input(x, cost, settings, time);
    const std::uint64_t most = one_input ? 1 : max_iterations(x, cost.untimed_ns);
    const std::uint64_t iterations = iterations_lasting(target_ns, cost.body_ns, most);
    if (cost.body_ns <= longest_empty_iteration_ns && settings.samples != sample_kind::values)
        require_work(x, iterations, wall);
    const std::uint64_t in_a_sample =
        settings.iterations ? std::max<std::uint64_t>(*settings.iterations, 1) : iterations;
    if (in_a_sample > 1 && settings.samples != sample_kind::values) require_work_in_each(x, cost.body_ns, wall);
    return {.call_ns = one_input ? cost.alone_ns : cost.body_ns,
            .untimed_ns = cost.untimed_ns + reading_ns(x, settings.values, wall),
            .iterations = in_a_sample,
            .most_iterations = most,
            .computes = cost.computes,
            .elapsed_ns = cost.elapsed_ns > cost.body_ns ? cost.elapsed_ns : 0.0};
}

/// No warm calls between single iterations: otherwise a body that pauses on every second call would always or never
/// show its pause.
inline warm_call warm_for(double call_ns, const measuring_settings& settings) {
    if (settings.samples == sample_kind::single) return warm_call::no;
    return call_ns <= settings.longest_warm_call_ns() ? warm_call::yes : warm_call::no;
}

/// Whether samples are times, which the clock must resolve; not counts, or numbers that bodies report.
inline bool are_timed(const measuring_settings& settings, const clocks& time) {
    return settings.samples != sample_kind::values && !time.metric.may_stand_still();
}

/// A sample without a clock.
struct untimed_batch {
    const subject& x;
    std::uint64_t iterations{};
};

/// Whether a sample of this length is long enough for the clock. Inspects the clock again before it says no, because
/// the first inspection may have been disturbed.
inline bool is_long_enough(double sample_ns, measuring_settings& settings, clock& metric) {
    if (sample_ns >= settings.shortest_sample_ns()) return true;
    settings.metric_clock = inspect_again(metric, settings.metric_clock);
    return sample_ns >= settings.shortest_sample_ns();
}

/// For percentiles: makes each sample one iteration. Throws measurement_failure (too_short) if the clock cannot measure
/// that.
inline void take_singly(subject_calibration& c, const subject& x, measuring_settings settings, clock& metric) {
    if (settings.samples != sample_kind::single) return;
    c.iterations = 1;
    if (is_long_enough(c.call_ns, settings, metric)) return;
    throw measurement_failure(
        failure_kind::too_short,
        fmt::format(
            "{} is too short for a percentile of single iterations: an iteration takes {}, and the clock needs at "
            "least {}. Do more work in an iteration, or claim latency(x), which times batches of iterations",
            subject_name(x), format_seconds(c.call_ns), format_seconds(settings.shortest_sample_ns())));
}

/// Runs three untimed samples of each batch, while there is time to warm up.
inline void warm_up(std::int64_t started_ns, const measuring_settings& settings, clock& wall,
                    std::initializer_list<untimed_batch> batches) {
    for (int i = 0; i < 3 && wall.now() - started_ns < settings.warmup.count(); ++i) {
        for (const untimed_batch& batch : batches) run_untimed(batch.x, batch.iterations);
    }
}

/// The required rounds: their name, the time of each, and how many must and should fit into the budget.
struct demand {
    std::string what;
    double each_ns{};
    int minimum{};
    int target{};
};

/// Judging takes `minimum` rounds, and a violation takes `min_rounds` of the settings.
inline demand demand_for(std::string what, int minimum, int target, const measuring_settings& settings) {
    const int needed = std::max(minimum, static_cast<int>(settings.min_rounds));
    return {std::move(what), 0.0, needed, std::max(target, needed)};
}

inline demand demand_for_pairs(const measuring_settings& settings) {
    if (settings.samples != sample_kind::single) return demand_for("pairs", min_pairs, target_pairs, settings);
    return demand_for("pairs of single iterations", min_single_pairs, target_single_pairs, settings);
}

inline demand demand_for_blocks(const measuring_settings& settings) {
    const bool single = settings.samples == sample_kind::single;
    const std::string what =
        single ? fmt::format("blocks of {} iterations", settings.block_iterations) : std::string("blocks");
    return demand_for(what, min_blocks, target_blocks, settings);
}

[[noreturn]] inline void fail_too_slow(double elapsed_ns, const demand& d, const measuring_settings& settings) {
    const double few_ns = elapsed_ns + d.minimum * d.each_ns;
    const double target_ns = elapsed_ns + d.target * d.each_ns;
    throw measurement_failure(
        failure_kind::too_slow,
        fmt::format(
            "too slow for the cap of {}: {} {} need {}. Raise the cap to {:.0f}s, which is enough for {}, or do less "
            "work in an iteration",
            format_seconds(static_cast<double>(settings.cap.count())), d.minimum, d.what, format_seconds(few_ns),
            std::ceil(1.1 * target_ns / 1e9), d.target));
}

inline bool fits(std::int64_t elapsed, const demand& d, const measuring_settings& settings) {
    return static_cast<double>(elapsed) + d.minimum * d.each_ns <= static_cast<double>(settings.cap.count());
}

inline time_budget budget_for(std::int64_t started_ns, std::int64_t now_ns, const demand& d,
                              const measuring_settings& settings) {
    const std::int64_t elapsed = now_ns - started_ns;
    if (!fits(elapsed, d, settings)) fail_too_slow(static_cast<double>(elapsed), d, settings);
    const std::int64_t wanted = elapsed + std::llround(d.target * d.each_ns);
    return {started_ns, elapsed,
            std::min<std::int64_t>(settings.cap.count(), std::max<std::int64_t>(settings.budget.count(), wanted))};
}

/// Times a slow call again: it was timed only once, and one disturbance spoils that.
inline void time_again(subject_calibration& c, const subject& x, const clocks& time) {
    if (c.call_ns + c.untimed_ns < slow_call_ns) return;
    const call_cost again = time_once(x, 1, time);
    c.call_ns = std::min(c.call_ns, again.body_ns);
    c.elapsed_ns = std::min(c.elapsed_ns, again.elapsed_ns);
    c.untimed_ns = std::min(c.untimed_ns, again.untimed_ns);
}

/// The budget. If rounds look too slow, and there is time, it first measures them again: `again` returns the new time
/// of a round.
template <class Again>
time_budget confirmed_budget(std::int64_t started_ns, clock& wall, demand d, const measuring_settings& settings,
                             Again again) {
    std::int64_t now = wall.now();
    if (!fits(now - started_ns, d, settings) && now - started_ns < settings.cap.count()) {
        d.each_ns = again();
        now = wall.now();
    }
    return budget_for(started_ns, now, d, settings);
}

inline double pair_ns_of(const pair_calibration& c) {
    const double samples = c.a.sample_ns() + c.b.sample_ns();
    return c.warm == warm_call::yes ? samples + c.a.call_ns + c.a.untimed_ns + c.b.call_ns + c.b.untimed_ns : samples;
}

inline double block_ns_of(const block_calibration& c) {
    return c.readings > 0 ? c.readings * c.x.sample_ns() : std::max(block_length_ns, c.x.sample_ns());
}

/// Fails early if samples of the requested number of iterations cannot fit, by an estimate from the first calls.
inline void require_requested_iterations_fit(std::int64_t started_ns, clock& wall, demand d, double each_ns,
                                             const measuring_settings& settings) {
    if (!settings.iterations) return;
    d.each_ns = each_ns;
    const std::int64_t elapsed = wall.now() - started_ns;
    if (!fits(elapsed, d, settings)) fail_too_slow(static_cast<double>(elapsed), d, settings);
}

/// The start of the budget: before the first calls. In a worker these include its start, imports and compilation, so
/// the budget begins after them.
inline std::int64_t start_of_budget(std::int64_t before_first_calls, const measuring_settings& settings, clock& wall) {
    return settings.samples_remotely ? wall.now() : before_first_calls;
}

/// Fails early if the first calls alone took all the time.
inline void require_time_left(std::int64_t started_ns, clock& wall, demand d, const measuring_settings& settings) {
    d.each_ns = static_cast<double>(wall.now() - started_ns);
    if (d.each_ns > static_cast<double>(settings.cap.count())) fail_too_slow(d.each_ns, d, settings);
}

}  // namespace detail

time_budget budget_of_rounds(std::int64_t started_ns, std::int64_t now_ns, double round_ns,
                             const measuring_settings& settings) {
    detail::demand wanted = detail::demand_for("rounds", min_pairs, target_pairs, settings);
    wanted.each_ns = round_ns;
    return detail::budget_for(started_ns, now_ns, wanted, settings);
}

subject_calibration calibrate_calls(const subject& x, const measuring_settings& settings, const clocks& time) {
    run_untimed(x, 1);
    return detail::calibrate(x, settings, time);
}

void require_long_samples(const subject& x, const subject_calibration& c, measuring_settings settings, clock& metric) {
    constexpr double reserve = 1.2;  // the cost of a call is an estimate
    const double sample = c.call_ns * static_cast<double>(c.iterations);
    if (detail::is_long_enough(sample, settings, metric)) return;
    const double shortest = settings.shortest_sample_ns();
    const std::string remedy = settings.iterations
                                   ? "Leave iterations out, or write "
                                   : "Make its input in less time, do more work in an iteration, or write ";
    throw measurement_failure(
        failure_kind::too_short,
        fmt::format(
            "a sample of {} is too short for the clock: {} iteration{} take{} {}, and the clock needs at least {}. "
            "{}iterations({:.0f})",
            detail::subject_name(x), c.iterations, c.iterations == 1 ? "" : "s", c.iterations == 1 ? "s" : "",
            format_seconds(sample), format_seconds(shortest), remedy, std::ceil(reserve * shortest / c.call_ns)));
}

void equalize(subject_calibration& a, subject_calibration& b, std::uint64_t maximum) {
    if (!are_within(1.5, a, b) || std::min(a.most_iterations, b.most_iterations) == 1) return;
    a.iterations = b.iterations =
        std::min({std::max(a.iterations, b.iterations), a.most_iterations, b.most_iterations, maximum});
}

void equalize_lengths(subject_calibration& a, subject_calibration& b) {
    const auto length_ns = [](const subject_calibration& c) { return c.call_ns * static_cast<double>(c.iterations); };
    const double longer_ns = std::max(length_ns(a), length_ns(b));
    const auto fit = [&](double call_ns) { return static_cast<std::uint64_t>(std::llround(longer_ns / call_ns)); };
    for (subject_calibration* const c : {&a, &b})
        c->iterations = std::clamp(fit(c->call_ns), std::uint64_t{1}, c->most_iterations);
}

namespace detail {

/// Makes the two slots of a pair similar. In another process the longer sample has the usual length: a process runs for
/// a few milliseconds after it wakes up, and on a busy machine only a sample beyond that would wait.
inline void equalize_pair(pair_calibration& c, const measuring_settings& settings, const clocks& time) {
    if (settings.iterations) return;
    if (&time.metric == &time.wall && !(c.a.computes && c.b.computes)) return equalize_lengths(c.a, c.b);
    if (settings.samples_remotely) return equalize(c.a, c.b, std::min(c.a.iterations, c.b.iterations));
    equalize(c.a, c.b);
}

}  // namespace detail

pair_calibration calibrate_pair(const subject& a, const subject& b, const measuring_settings& settings,
                                const clocks& time) {
    pair_calibration c;
    const std::int64_t before = time.wall.now();
    const auto first_of_a = usage_of_call(a, time.usage);
    const auto first_of_b = usage_of_call(b, time.usage);
    const std::int64_t started = detail::start_of_budget(before, settings, time.wall);
    detail::demand wanted = detail::demand_for_pairs(settings);
    detail::require_time_left(started, time.wall, wanted, settings);
    c.a = detail::calibrate(a, settings, time);
    c.b = detail::calibrate(b, settings, time);
    c.a.first = look_at_first_call(a, first_of_a, c.a.call_ns, time.usage);
    c.b.first = look_at_first_call(b, first_of_b, c.b.call_ns, time.usage);
    detail::equalize_pair(c, settings, time);
    c.warm = detail::warm_for(std::max(c.a.call_ns, c.b.call_ns), settings);
    detail::require_requested_iterations_fit(started, time.wall, wanted, detail::pair_ns_of(c), settings);
    detail::warm_up(started, settings, time.wall, {{a, c.a.iterations}, {b, c.b.iterations}});
    detail::take_singly(c.a, a, settings, time.metric);
    detail::take_singly(c.b, b, settings, time.metric);
    if (settings.samples == sample_kind::values) c.a.iterations = c.b.iterations = 1;
    if (detail::are_timed(settings, time)) {
        require_long_samples(a, c.a, settings, time.metric);
        require_long_samples(b, c.b, settings, time.metric);
    }
    wanted.each_ns = c.pair_ns = detail::pair_ns_of(c);
    c.time = detail::confirmed_budget(started, time.wall, wanted, settings, [&] {
        detail::time_again(c.a, a, time);
        detail::time_again(c.b, b, time);
        return c.pair_ns = detail::pair_ns_of(c);
    });
    c.time.starting_ns = started - before;
    return c;
}

block_calibration calibrate_blocks(const subject& x, const measuring_settings& settings, const clocks& time) {
    block_calibration c;
    const std::int64_t before = time.wall.now();
    const auto first = usage_of_call(x, time.usage);
    const std::int64_t started = detail::start_of_budget(before, settings, time.wall);
    detail::demand wanted = detail::demand_for_blocks(settings);
    detail::require_time_left(started, time.wall, wanted, settings);
    c.x = detail::calibrate(x, settings, time);
    c.x.first = look_at_first_call(x, first, c.x.call_ns, time.usage);
    detail::require_requested_iterations_fit(started, time.wall, wanted, c.x.sample_ns(), settings);
    detail::warm_up(started, settings, time.wall, {{x, c.x.iterations}});
    detail::take_singly(c.x, x, settings, time.metric);
    const double alone_ns = settings.samples_remotely ? settings.sample_target_ns() : settings.shortest_sample_ns();
    if (!settings.iterations && c.x.call_ns >= alone_ns) c.x.iterations = 1;
    if (settings.samples == sample_kind::values) c.x.iterations = 1;
    if (detail::are_timed(settings, time)) require_long_samples(x, c.x, settings, time.metric);
    c.samples = settings.samples;
    c.values = settings.values;
    c.readings = settings.samples == sample_kind::single ? settings.block_iterations : 0;
    wanted.each_ns = c.block_ns = detail::block_ns_of(c);
    c.time = detail::confirmed_budget(started, time.wall, wanted, settings, [&] {
        detail::time_again(c.x, x, time);
        return c.block_ns = detail::block_ns_of(c);
    });
    c.time.starting_ns = started - before;
    // Rounding must not reduce them below the minimum.
    const auto fit = static_cast<int>(
        std::min<double>(wanted.target, static_cast<double>(c.time.budget_ns - c.time.calibrated_ns) / c.block_ns));
    c.blocks = std::max(fit, wanted.minimum);
    return c;
}

sample_calibration calibrate_samples(const subject& x, const measuring_settings& settings, const clocks& time) {
    sample_calibration c;
    const std::int64_t before = time.wall.now();
    const auto first = usage_of_call(x, time.usage);
    c.started_ns = detail::start_of_budget(before, settings, time.wall);
    c.x = detail::calibrate(x, settings, time);
    c.x.first = look_at_first_call(x, first, c.x.call_ns, time.usage);
    c.warm = detail::warm_for(c.x.call_ns, settings);
    detail::warm_up(c.started_ns, settings, time.wall, {{x, c.x.iterations}});
    detail::take_singly(c.x, x, settings, time.metric);
    if (detail::are_timed(settings, time)) require_long_samples(x, c.x, settings, time.metric);
    return c;
}

}  // namespace perfspec::inline v0_2
