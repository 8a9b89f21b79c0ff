// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

namespace perfspec::tool {

/// The results of a file to which several runs appended, without those that a newer run has replaced; `notes` says how many that were.
///
/// One run is what has the same `run_id`; without one, what the same process of one machine started (`started_by`: a ctest, a script). Of each key
/// the results of the newest run count, all of them, and those of older runs do not. A key that only an older run has counts as it is: the newest run may
/// have been cut short before it came there, which nobody could tell from the results, so it is told and not hidden.
[[nodiscard]] results newest_results(results all);

}  // namespace perfspec::tool
