// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/keep.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/optimised_away.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/measure/subject_name.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace perfspec {
namespace detail {

/// Counts down from n, which is not zero. In assembly, because the test may be optimised more than this file is: an unoptimised empty
/// loop costs several nanoseconds, and would flag honest bodies.
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

void require_work(const subject& x, std::uint64_t iterations, clock& wall) {
    constexpr int runs = 5;
    constexpr int looks = 2;  // a neighbour that slows five empty loops in a row makes no body invalid
    constexpr double tolerance = 1.15;
    std::int64_t body = std::numeric_limits<std::int64_t>::max();
    std::int64_t empty = body;
    for (int i = 1; i <= looks * runs; ++i) {
        body = std::min(body, take_sample(x, iterations, warm_call::no, wall).elapsed_ns);
        empty = std::min(empty, detail::time_empty_loop(iterations, wall));
        if (i % runs == 0 && static_cast<double>(body) > tolerance * static_cast<double>(empty)) return;
    }
    throw measurement_failure(
        failure_kind::optimised_away,
        fmt::format(
            "{} looks optimised away: an iteration takes {:.2f} ns, and one of an empty loop {:.2f} ns. Return the value or keep() it, hide literal "
            "inputs with opaque(); if all is kept, it is too small to be measured: do more work an iteration",
            detail::subject_name(x), sample{body, iterations}.per_iteration(), sample{empty, iterations}.per_iteration()));
}

}  // namespace perfspec
