// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/disturbance.hpp>

#include <cstdint>
#include <optional>

namespace perfspec::inline v0_2 {

/// The resources that one call used.
struct call_usage {
    std::int64_t wall_ns{};
    std::int64_t cpu_ns{};
    std::int64_t grown_bytes{};  ///< rise of resident memory
    std::int64_t page_faults{};
    int threads{};                 ///< of the process, after the call
    std::int64_t others_cpu_ns{};  ///< of the other threads during the call

    friend bool operator==(const call_usage&, const call_usage&) = default;
};

/// Runs x once and returns the resources that it used; nullopt without a meter.
///
/// own  the meter of this process
[[nodiscard]] std::optional<call_usage> usage_of_call(const subject& x, usage_meter* own);

/// Whether the first call did work that a later one does not: it took at least three times as long, and at least 0.3 ms
/// more. Both the wall clock and the processor's time must show this, so an interrupted first call does not count.
///
/// The time of new memory is not counted. It is the larger of 1 ns per byte by which the call's resident memory grew,
/// and 25 us per page fault. Calls beside other threads do not count, because programs create such threads, wake them
/// and wait for them by spinning.
[[nodiscard]] bool is_first_call_alone(const call_usage& first, const call_usage& later) noexcept;

/// The time of a first call that took much longer than later ones, and the time of a later one, in nanoseconds. Both
/// are zero if the first call was not much longer. `first_ns` is the smaller of wall time and processor time: the call
/// may have been interrupted.
struct first_call_times {
    double first_ns{};
    double later_ns{};

    friend bool operator==(const first_call_times&, const first_call_times&) = default;
};

/// Compares the first call with later calls that take `later_ns`. If the first call was much longer, runs x three more
/// times. Zero for subjects of workers, whose first calls also start, load and compile.
[[nodiscard]] first_call_times look_at_first_call(const subject& x, const std::optional<call_usage>& first,
                                                  double later_ns, usage_meter* own);

/// Throws measurement_failure (optimized_away) when an iteration of x costs no more than an iteration of an empty loop.
///
/// Both loops run `iterations` side by side, twenty times; five times suffice if the body takes three times as long. A
/// body does work if its fastest run takes 50 % longer than the fastest empty loop, and three times as long if the
/// compiler knows the result. The empty loop has two instructions, so a body of about one cycle per iteration is
/// flagged. A body of 1 ns is not, nor is a constant that takes several stores. Skips subjects that
/// `.may_be_optimized_away()`.
///
/// A removed body looks like one of a few instructions that the processor overlaps with the loop. Neither can be
/// measured.
void require_work(const subject& x, std::uint64_t iterations, clock& wall);

/// Throws measurement_failure (optimized_away) when several iterations of x in a row take less than a third of the time
/// of as many single ones. The compiler has then moved shared work out of the loop, such as a call on literals. A run
/// takes about 10 us, or five iterations if they take longer. It takes three more runs of either before it throws.
///
/// call_ns  the time of a call; from 1 us on, the time of a call that ran alone
void require_work_in_each(const subject& x, double call_ns, clock& wall);

/// An iteration that takes longer than this cannot look like an empty loop.
inline constexpr double longest_empty_iteration_ns = 5.0;

}  // namespace perfspec::inline v0_2
