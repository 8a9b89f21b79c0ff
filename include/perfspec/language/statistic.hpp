// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// What is taken of the readings of many iterations. Percentiles go up to p99.5; a minimum is only recorded; exact is a count that mostly repeats
/// from run to run, and is a median where it does not; once is what happens one time in a process; several are
/// ratios of many subjects to the first, only recorded.
enum class statistic : std::uint8_t { median, percentile, minimum, exact, once, several };

}  // namespace perfspec
