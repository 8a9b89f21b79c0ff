// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace perfspec::tool {

/// How to separate runs without a `run_id`.
enum class told_apart : std::uint8_t {
    by_process,  ///< at a desk: one ctest or script starts a run, and the next run replaces it
    not_at_all,  ///< in CI: a job starts programs in many ways, and none of their lines is old
};

/// Identifies a run. The first part is the machine, where no run id holds the processes of a run together.
using run_mark = std::pair<std::string, std::string>;
[[nodiscard]] run_mark run_of(const record& r);

/// The results in a file to which several runs appended, without those that a newer run has replaced. `notes` says how many were replaced.
///
/// Lines with the same `run_id` are one run. Without an id, a run is everything on one machine that the same process started (`started_by`:
/// a ctest, a script). For each key, all results of its newest run count, and those of older runs do not.
///
/// A key that only an older run has still counts. The newest run may have been cut short before that key, which the results do not
/// show. A note reports such keys.
[[nodiscard]] results newest_results(results all, told_apart runs = told_apart::by_process);

/// The day of a time, for a reader: "2026-10-01".
[[nodiscard]] std::string day_of(std::string_view time);

/// What a run was of: "c1d2e3f with changes of 2026-10-01", or the day alone where no commit is known.
[[nodiscard]] std::string commit_and_day(std::string_view commit, bool dirty, std::string_view time);

}  // namespace perfspec::tool
