// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subject.hpp>
#include <perfspec/measure/clock.hpp>

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
/// moved what they share out of the loop. Compared are the fastest of three runs of about 10 us, and of three more before it throws.
///
/// Only bodies without captures can lose their work so: whatever a closure holds may change between two iterations, as far as the compiler knows.
void require_work_in_each(const subject& x, double call_ns, clock& wall);

/// Nothing that takes longer than this can look like an empty loop.
inline constexpr double longest_empty_iteration_ns = 5.0;

}  // namespace perfspec
