// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <cstdint>

namespace perfspec::tool {

/// Where runs are told apart that have no `run_id`.
enum class told_apart : std::uint8_t {
    by_process,  ///< a desk: what one ctest or script started is a run, and the next one replaces it
    not_at_all,  ///< CI: a job starts programs in many ways, and nothing of what it wrote is old
};

/// The results of a file to which several runs appended, without those that a newer run has replaced; `notes` says how many that were.
///
/// One run is what has the same `run_id`; without one, what the same process of one machine started (`started_by`: a ctest, a script). Of each key
/// the results of the newest run count, all of them, and those of older runs do not. A key that only an older run has counts as it is: the newest run may
/// have been cut short before it came there, which nobody could tell from the results, so it is told and not hidden.
[[nodiscard]] results newest_results(results all, told_apart runs = told_apart::by_process);

}  // namespace perfspec::tool
