// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// How the readings of many iterations become one value. A percentile goes up to p99.5. `exact` is a count that usually
/// repeats from run to run; if it does not, it is a median. `once` is for what happens one time in a process.
/// `several` is a table, such as the ratios of many subjects to the first, and is only recorded.
enum class statistic : std::uint8_t { median, percentile, exact, once, several };

}  // namespace perfspec
