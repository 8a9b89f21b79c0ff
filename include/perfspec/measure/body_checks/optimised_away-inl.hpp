// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/keep.hpp>
#include <perfspec/measure/body_checks/optimised_away.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample-inl.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/measure/subject_name.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace perfspec {
namespace detail {

/// Counts down from n, which is not zero. It is assembly because the test may be compiled with more optimisation than this file. An
/// unoptimised empty loop costs several nanoseconds, and would flag honest bodies.
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
    for (; n != 0; --n) clobber();
#endif
}

inline std::int64_t time_empty_loop(std::uint64_t n, clock& wall) {
    const std::int64_t start = wall.now();
    run_empty_loop(n);
    return wall.now() - start;
}

}  // namespace detail

namespace detail {

/// Runs of a body, each beside a run of an empty loop.
struct runs_beside_empty_loops {
    std::int64_t body = std::numeric_limits<std::int64_t>::max();   ///< the fastest
    std::int64_t empty = std::numeric_limits<std::int64_t>::max();  ///< the fastest
    std::vector<double> ratios{};                                   ///< of neighbours

    void add(std::int64_t of_body, std::int64_t of_empty) {
        body = std::min(body, of_body);
        empty = std::min(empty, of_empty);
        ratios.push_back(static_cast<double>(of_body) / static_cast<double>(std::max<std::int64_t>(of_empty, 1)));
    }

    /// Whether the fastest runs differ by more than this factor, and so do most neighbours. A processor that changes its speed makes one empty
    /// loop fast, which alone would clear a body that does nothing; and other work slows some of the runs of either.
    [[nodiscard]] bool differ_by(double factor) const {
        const auto apart = std::ranges::count_if(ratios, [&](double ratio) { return ratio > factor; });
        return static_cast<double>(body) > factor * static_cast<double>(empty) && 2 * static_cast<std::size_t>(apart) > ratios.size();
    }
};

}  // namespace detail

void require_work(const subject& x, std::uint64_t iterations, clock& wall) {
    constexpr int runs = 5;
    constexpr int looks = 4;  // a neighbour process can slow five empty loops in a row, or five samples; neither alone decides
    constexpr double clear = 3.0;
    // Beside a neighbour on the same core, the loop around a body that does nothing took 1.23 times as long as an empty one.
    constexpr double tolerance = 1.5;
    detail::runs_beside_empty_loops taken;
    for (int i = 1; i <= looks * runs; ++i) {
        const std::int64_t body = take_sample(x, iterations, warm_call::no, wall).elapsed_ns;
        taken.add(body, detail::time_empty_loop(iterations, wall));
        if (i % runs == 0 && taken.differ_by(clear)) return;
    }
    if (taken.differ_by(tolerance)) return;
    throw measurement_failure(
        failure_kind::optimised_away,
        fmt::format(
            "{} looks optimised away: an iteration takes {:.2f} ns, and one of an empty loop {:.2f} ns. Return the value or keep() it, "
            "hide literal "
            "inputs with opaque(); if everything is kept, the body is too small to be measured: do more work in an iteration",
            detail::subject_name(x), sample{taken.body, iterations}.per_iteration(), sample{taken.empty, iterations}.per_iteration()));
}

namespace detail {

/// Times `runs` runs of a prepared body, of `in_a_run` iterations each.
inline std::int64_t time_iterations(const subject& x, std::uint64_t in_a_run, std::uint64_t runs, clock& wall) {
    const prepared_run run(x, in_a_run);
    const std::int64_t start = wall.now();
    for (std::uint64_t i = 0; i < runs; ++i) run.run();
    return wall.now() - start;
}

/// Whether the compiler sees what an iteration of this body does. It does not for a pointer to a function. It does not for what an adapter
/// runs either, because adapters wait and compare outputs. A body with a setup has its input in memory.
inline bool may_lose_iterations(const subject& x) {
    const body_functions& functions = *x.state().functions;
    return functions.identity != body_identity::function && functions.prepare == nullptr && functions.wait == nullptr &&
           functions.same_output == nullptr;
}

}  // namespace detail

namespace detail {

/// Whether a few iterations in a row take much less time than as many single ones, which take `call_ns` each.
inline bool looks_moved(const subject& x, double call_ns, clock& wall) {
    constexpr std::uint64_t few = 3;
    constexpr double worth_a_look = 1.5;
    return static_cast<double>(time_iterations(x, few, 1, wall)) * worth_a_look < static_cast<double>(few) * call_ns;
}

}  // namespace detail

void require_work_in_each(const subject& x, double call_ns, clock& wall) {
    constexpr double long_enough_ns = 10'000.0;
    constexpr double timed_singly_ns = 1000.0;  // shorter calls were not timed alone but in batches
    constexpr double shortest_ns = 20.0;        // starting a run costs a few nanoseconds itself
    constexpr std::uint64_t minimum = 4;
    constexpr std::uint64_t maximum = 1000;
    constexpr int runs = 2;
    constexpr int looks = 2;
    constexpr double alike = 3.0;
    if (!detail::may_lose_iterations(x)) return;
    if (call_ns >= timed_singly_ns && !detail::looks_moved(x, call_ns, wall)) return;
    const auto n = std::clamp(static_cast<std::uint64_t>(long_enough_ns / call_ns), minimum, maximum);
    std::int64_t in_a_row = std::numeric_limits<std::int64_t>::max();
    std::int64_t singly = in_a_row;
    for (int i = 1; i <= looks * runs; ++i) {
        in_a_row = std::min(in_a_row, detail::time_iterations(x, n, 1, wall));
        singly = std::min(singly, detail::time_iterations(x, 1, n, wall));
        const bool are_alike = static_cast<double>(singly) < alike * static_cast<double>(in_a_row);
        if (i % runs == 0 && (are_alike || sample{singly, n}.per_iteration() < shortest_ns)) return;
    }
    throw measurement_failure(
        failure_kind::optimised_away,
        fmt::format(
            "the compiler moved work of {} out of the loop that repeats it: an iteration takes {} when it runs alone, and {} among {} in a "
            "row; hide its literal inputs with opaque(), or read them from variables that the body captures by reference",
            detail::subject_name(x), format_seconds(sample{singly, n}.per_iteration()), format_seconds(sample{in_a_row, n}.per_iteration()),
            n));
}

}  // namespace perfspec
