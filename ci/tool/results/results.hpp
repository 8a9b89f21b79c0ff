// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../tool.hpp"

#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/json_lines.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace perfspec::tool {

/// A line of results, and its place in a file.
struct result_line {
    json_line_kind kind = json_line_kind::result;
    record about{};          ///< for a `started` line, only the fields that identify the measurement
    std::string_view raw{};  ///< the line in the file, without its end
    std::string path{};
    std::size_t number = 0;

    /// "results.jsonl:12".
    [[nodiscard]] std::string place() const;
};

/// Identifies a measurement: the same in its `started` line and in its result.
using measurement_identity = std::tuple<std::string, std::string, std::string, std::string, std::string,
                                        std::vector<std::string>, std::string, std::string, std::string, int>;
[[nodiscard]] measurement_identity identity_of(const record& r);

/// The address of the record's processes in a baseline file. The record must outlive it.
[[nodiscard]] inline entry_address address_of(const record& r) noexcept {
    return {r.hardware_key, r.build_variant, r.suite, r.key};
}

/// The lines of files of results, in their order.
struct results {
    std::vector<result_line> lines{};
    std::vector<std::string> notes{};  ///< on faults that were tolerated
    std::size_t cut_short{};           ///< lines that end in the middle, each with a note: their results are lost

    /// The lines with a result.
    [[nodiscard]] std::vector<const result_line*> finished() const;
    /// The `started` lines without a result: a crash, or a time-out.
    [[nodiscard]] std::vector<const result_line*> unfinished() const;
};

/// The notes, one in each line.
[[nodiscard]] std::string notes_text(const results& all);

/// A longer line is not a result.
inline constexpr std::size_t max_bytes_of_a_line = std::size_t{16} << 20;
/// A longer file is not a file of results.
inline constexpr std::size_t max_bytes_of_results = std::size_t{1} << 30;

/// How to treat an empty file.
enum class empty_file : std::uint8_t { refused, empty_shard };

/// Reads the output of `--perf-output`. The texts must outlive the results.
///
/// A killed process leaves a line that ends in the middle. Such a line is left out with a note. Empty lines are
/// skipped.
///
/// Throws input_error for a line that is too long or no result, for another schema, and for a file without results,
/// unless it is empty and `empty` allows that. The text names file and line.
[[nodiscard]] results read_results(std::span<const input_text> files, empty_file empty = empty_file::refused);

/// How to separate runs without a `run_id`.
enum class run_separation : std::uint8_t {
    by_process,  ///< outside of CI: one ctest or script starts a run, and the next run replaces it
    none,        ///< in CI: a job starts programs in many ways, and none of their lines is old
};

/// Identifies a run: empty and the run id, or the machine and the starting process if there is no id.
using run_mark = std::pair<std::string, std::string>;
[[nodiscard]] run_mark run_of(const record& r);

/// The results in a file to which several runs appended, without those that a newer run has replaced. `notes` says how
/// many were replaced.
///
/// Lines with the same `run_id` are one run. Without an id, a run is everything on one machine that the same process
/// started (`started_by`: a ctest, a script). For each key, only the results of its newest run count. A key that only
/// an older run has counts, too: the newest run may have been cut short before that key.
[[nodiscard]] results newest_results(results all, run_separation runs = run_separation::by_process);

/// The day of a time, for a reader: "2026-10-01".
[[nodiscard]] std::string day_of(std::string_view time);

/// Commit and day of a run: "c1d2e3f with changes of 2026-10-01", or the day alone without a commit.
[[nodiscard]] std::string commit_and_day(std::string_view commit, bool dirty, std::string_view time);

/// The lines of all shards, and a report on their completeness.
struct merged_results {
    std::string lines{};  ///< the lines to write
    outcome report{};
};

inline constexpr std::string_view reason_of_unfinished =
    "the measurement started and has no result: its process crashed, was killed, or ran into the time-out of its test";

/// The result of a measurement that never ended: *error*, verification code VERIFIER_DIDNT_RUN.
[[nodiscard]] record result_of_unfinished(record started);

/// Merges the results of shards into one file.
///
/// A measurement that started and did not end becomes a result (`result_of_unfinished`). The code is `unusable` for
/// such a measurement, a line that was cut short, no line at all, fewer or more files than shards, a claim with results
/// in two files, and results of more than one commit.
[[nodiscard]] merged_results merge(const results& found, std::span<const input_text> files,
                                   std::optional<std::size_t> shards);

}  // namespace perfspec::tool
