// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <cstdint>

namespace perfspec {

/// Throws measurement_failure (optimised_away) when an iteration of x costs no more than an iteration of an empty loop.
///
/// Both loops run `iterations` side by side, twenty times; five times do where the body takes three times as long. A
/// body does work if its fastest run takes 50 % longer than the fastest empty loop, and three times as long if the
/// compiler knows the result. The empty loop has two instructions, whatever options this file was compiled with. So a
/// body of about one cycle per iteration is flagged, and a body of 1 ns is not. A subject that
/// `.may_be_optimised_away()` is not looked at.
///
/// A body whose result the compiler computed is not flagged if keeping the result takes several stores, such as an
/// array of constants.
///
/// Time cannot distinguish a folded body from a body of a few instructions that the processor overlaps with the loop,
/// such as
/// `[&] { return x + 1; }`. Neither can be measured, and the message says what to do in both cases.
void require_work(const subject& x, std::uint64_t iterations, clock& wall);

/// Throws measurement_failure (optimised_away) when several iterations of x in a row take less than a third of the time
/// of as many single ones. The compiler has then moved shared work out of the loop, such as a call on literals. A run
/// takes about 10 us, or five iterations if they take longer. Three more runs of either confirm before it throws.
///
/// call_ns  the time of a call; from 1 us on, the time of a call that ran alone
void require_work_in_each(const subject& x, double call_ns, clock& wall);

/// Nothing that takes longer than this can look like an empty loop.
inline constexpr double longest_empty_iteration_ns = 5.0;

}  // namespace perfspec
