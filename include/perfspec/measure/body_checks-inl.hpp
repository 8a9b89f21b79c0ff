// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/body_result.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/body_checks.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample-inl.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace perfspec::inline v0_2 {
namespace detail {

inline bool is_much_more(std::int64_t first_ns, std::int64_t later_ns) noexcept {
    constexpr std::int64_t several = 3;
    constexpr std::int64_t significant_ns = 300'000;
    return first_ns >= several * later_ns && first_ns - later_ns >= significant_ns;
}

/// The time without the cost of touching new memory: page faults, zeroing of pages, and caches that do not hold it yet.
inline std::int64_t without_new_memory(std::int64_t ns, const call_usage& call) noexcept {
    constexpr std::int64_t fault_ns =
        25'000;  // 5 to 7 us beside busy loops, 18 us on a virtual machine whose host has to find the page
    return ns - std::max(call.grown_bytes, fault_ns * call.page_faults);
}

inline std::int64_t median_of_three(std::array<call_usage, 3> calls, std::int64_t call_usage::*what) {
    std::ranges::sort(calls, {}, what);
    return calls[1].*what;
}

}  // namespace detail

std::optional<call_usage> usage_of_call(const subject& x, usage_meter* own) {
    usage_meter* const meter = detail::meter_of(x, own);
    if (meter == nullptr) {
        run_untimed(x, 1);
        return {};
    }
    const usage before = meter->now();
    run_untimed(x, 1);
    const usage after = meter->now();
    return call_usage{after.wall_ns - before.wall_ns,
                      after.cpu_ns - before.cpu_ns,
                      after.memory_bytes - before.memory_bytes,
                      after.page_faults - before.page_faults,
                      after.threads,
                      after.others_cpu_ns() - before.others_cpu_ns()};
}

bool is_first_call_alone(const call_usage& first, const call_usage& later) noexcept {
    constexpr std::int64_t reading_ns = 3'000;  // the time between the two readings of processor time
    return first.threads <= 1 && first.others_cpu_ns <= reading_ns &&
           detail::is_much_more(detail::without_new_memory(first.wall_ns, first), later.wall_ns) &&
           detail::is_much_more(detail::without_new_memory(first.cpu_ns, first), later.cpu_ns);
}

first_call_times look_at_first_call(const subject& x, const std::optional<call_usage>& first, double later_ns,
                                    usage_meter* own) {
    if (!first || detail::runs_elsewhere(x) ||
        !is_first_call_alone(*first, {.wall_ns = static_cast<std::int64_t>(later_ns)}))
        return {};
    std::array<call_usage, 3> later;
    for (call_usage& use : later) use = usage_of_call(x, own).value_or(*first);
    const call_usage middle{.wall_ns = detail::median_of_three(later, &call_usage::wall_ns),
                            .cpu_ns = detail::median_of_three(later, &call_usage::cpu_ns)};
    if (!is_first_call_alone(*first, middle)) return {};
    return {static_cast<double>(std::min(first->wall_ns, first->cpu_ns)), later_ns};
}

namespace detail {

/// Counts down from n, which is not zero. It is assembly because the test may be compiled with more optimization than
/// this file. An unoptimized empty loop costs several nanoseconds, and would flag honest bodies.
inline void run_empty_loop(std::uint64_t n) noexcept {
#if defined(__x86_64__)
    asm volatile(".p2align 5\n"
                 "1:\n\t"
                 "dec %0\n\t"
                 "jnz 1b"
                 : "+r"(n)
                 :
                 : "cc");
#elif defined(__aarch64__)
    asm volatile(".p2align 5\n"
                 "1:\n\t"
                 "subs %0, %0, #1\n\t"
                 "b.ne 1b"
                 : "+r"(n)
                 :
                 : "cc");
#else
    for (; n != 0; --n) clobber_memory();
#endif
}

inline std::int64_t time_empty_loop(std::uint64_t n, clock& wall) {
    const std::int64_t start = wall.now();
    run_empty_loop(n);
    return wall.now() - start;
}

}  // namespace detail

void require_work(const subject& x, std::uint64_t iterations, clock& wall) {
    constexpr int runs = 20;  // a neighbor process can slow several runs in a row
    constexpr int enough = 5;
    constexpr double clear = 3.0;
    // Beside a neighbor on the same core, the loop around a body that does nothing took 1.23 times as long as an empty
    // one. At some addresses it takes twice as long, hence the larger factor for a known result.
    if (x.state().may_be_optimized_away) return;
    const auto has_known_result = x.state().functions->has_known_result;
    const bool is_known = has_known_result != nullptr && has_known_result(x.storage());
    const double tolerance = is_known ? clear : 1.5;
    std::int64_t body = std::numeric_limits<std::int64_t>::max();
    std::int64_t empty = body;
    const auto takes = [&](double times) { return static_cast<double>(body) > times * static_cast<double>(empty); };
    for (int i = 1; i <= runs; ++i) {
        body = std::min(body, take_sample(x, iterations, warm_call::no, wall).elapsed_ns);
        empty = std::min(empty, detail::time_empty_loop(iterations, wall));
        if (i >= enough && takes(clear)) return;
    }
    if (takes(tolerance)) return;
    throw measurement_failure(
        failure_kind::optimized_away,
        fmt::format(
            "{} looks optimized away: {}an iteration takes {:.2f} ns, and one of an empty loop {:.2f} ns. Return the "
            "result or pass it to do_not_optimize(), and hide literal inputs with black_box(). If nothing is optimized "
            "away, the body is too short, so do more work in an iteration. To claim that it costs nothing, write "
            ".may_be_optimized_away() on the subject",
            detail::subject_name(x), is_known ? "the compiler knows its result, " : "",
            sample{body, iterations}.per_iteration(), sample{empty, iterations}.per_iteration()));
}

namespace detail {

/// The time of an iteration, from `runs` runs of a prepared body with `in_a_run` iterations each.
inline double time_iterations(const subject& x, std::uint64_t in_a_run, std::uint64_t runs, clock& wall) {
    const prepared_run run(x, in_a_run);
    const std::int64_t start = wall.now();
    for (std::uint64_t i = 0; i < runs; ++i) run.run();
    return sample{wall.now() - start, in_a_run * runs}.per_iteration();
}

/// Whether the compiler sees what an iteration of this body does. It does not for pointers to functions and for the
/// bodies of adapters (which wait, or compare outputs). A body with a setup has its input in memory.
inline bool may_lose_iterations(const subject& x) {
    const body_functions& functions = *x.state().functions;
    return functions.identity != body_identity::function && functions.prepare == nullptr && functions.wait == nullptr &&
           functions.same_output == nullptr;
}

}  // namespace detail

void require_work_in_each(const subject& x, double call_ns, clock& wall) {
    constexpr double long_enough_ns = 10'000.0;
    constexpr double timed_alone_ns = 1000.0;  // shorter calls were timed in batches
    constexpr double shortest_ns = 20.0;       // starting a run costs a few nanoseconds itself
    constexpr std::uint64_t minimum = 5;
    constexpr std::uint64_t maximum = 1000;
    constexpr int looks = 4;
    constexpr double much = 3.0;
    if (x.state().may_be_optimized_away || !detail::may_lose_iterations(x)) return;
    const auto n = std::clamp(static_cast<std::uint64_t>(long_enough_ns / call_ns), minimum, maximum);
    double alone = call_ns >= timed_alone_ns ? call_ns : detail::time_iterations(x, 1, n, wall);
    double in_a_row = std::numeric_limits<double>::max();
    for (int i = 0; i < looks; ++i) {
        if (i > 0) alone = std::min(alone, detail::time_iterations(x, 1, n, wall));
        in_a_row = std::min(in_a_row, detail::time_iterations(x, n, 1, wall));
        if (alone < shortest_ns || alone < much * in_a_row) return;
    }
    throw measurement_failure(
        failure_kind::optimized_away,
        fmt::format(
            "the compiler moved work of {} out of the loop that repeats it: an iteration takes {} alone, but {} if it "
            "is one of {} in a row. Hide its literal inputs with black_box(), or read them from variables that the "
            "body captures by reference",
            detail::subject_name(x), format_seconds(alone), format_seconds(in_a_row), n));
}

namespace detail {

/// Throws measurement_failure (refused) when a call right after its own setup takes three times as long as a call in a
/// batch, whose inputs were all made before: then the setup has an effect that the first call undoes, such as an
/// emptied cache. A setup also empties the processor's caches, which takes longer than a body needs to refill them. So
/// a call that takes longer by less than the setup is not refused, nor is one if the clock may explain the difference.
inline void require_lasting_setup(const subject& x, const call_cost& cost, const measuring_settings& settings,
                                  const clocks& time) {
    constexpr std::uint64_t in_a_batch = 10, looks = 4;
    constexpr double times = 3.0, clear_ns = 500.0;
    const double by_other_causes = std::max({clear_ns, cost.untimed_ns, 10.0 * settings.metric_clock.cost_ns});
    double alone = cost.alone_ns;
    double in_batch = cost.body_ns;
    for (std::uint64_t i = 0; i <= looks; ++i) {
        // A longer call was timed only alone.
        if (i > 0 || alone == in_batch) in_batch = std::min(in_batch, time_once(x, in_a_batch, time).body_ns);
        if (alone < times * in_batch || alone - in_batch <= by_other_causes) return;
        alone = std::min(alone, fastest_of_three(x, 1, time).body_ns);
    }
    throw measurement_failure(
        failure_kind::refused,
        fmt::format(
            "{} takes {} right after its setup, but {} in a batch, which makes all inputs before its first call. "
            "So the setup has an effect that the first call undoes, such as an emptied cache. {}",
            subject_name(x), format_seconds(alone), format_seconds(in_batch),
            settings.iterations ? "Leave iterations out, so that each sample has one input"
                                : "Move it into the body, because one call is too short for the clock"));
}

/// Whether each sample is one call right after its own setup, which the clock can measure. In a batch, whose inputs are
/// all made before, calls would not meet an effect of their setup that another call undoes.
inline bool takes_one_input(const subject& x, const call_cost& cost, const measuring_settings& settings,
                            const clocks& time) {
    if (!has_own_setup(x) || runs_elsewhere(x)) return false;
    if (settings.samples != sample_kind::batches || settings.iterations.value_or(2) <= 1) return false;
    if (!settings.iterations && cost.alone_ns >= settings.shortest_sample_ns()) return true;
    require_lasting_setup(x, cost, settings, time);
    return false;
}

}  // namespace detail

}  // namespace perfspec::inline v0_2
