// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <cstdint>

namespace perfspec {

/// Throws measurement_failure (optimised_away) when an iteration of x costs no more than one of an empty loop.
///
/// Both loops are run side by side, five times `iterations`, and their fastest runs compared; within 15 % they are the same. Five more runs
/// confirm that before it throws. The
/// empty loop is one of two instructions, whatever this file was compiled with, so that about one cycle an iteration is flagged and a
/// body of 1 ns never is. Time cannot tell a folded body from one of a few instructions that the processor overlaps with
/// the loop, such as `[&] { return x + 1; }`: neither can be measured, and the text says what to do in both cases.
void require_work(const subject& x, std::uint64_t iterations, clock& wall);

/// Throws measurement_failure (optimised_away) when several iterations of x in a row take less than a third of as many single ones: the compiler has
/// moved what they share out of the loop, such as a call on literals. Compared are the faster of two runs of about 10 us, or of four iterations, and of
/// two more before it throws. Of a body of 1 us or more only if three in a row take less than two single ones.
///
/// call_ns  what a call takes; from 1 us on one that ran by itself
void require_work_in_each(const subject& x, double call_ns, clock& wall);

/// Nothing that takes longer than this can look like an empty loop.
inline constexpr double longest_empty_iteration_ns = 5.0;

}  // namespace perfspec
