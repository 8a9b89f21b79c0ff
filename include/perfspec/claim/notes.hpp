// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/report/claim_result.hpp>

#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

// Notes are what a careful reader would ask about; they do not change the verdict. These functions return only notes
// that are new in this test case.

/// The note, unless this test case already has one with the same `about`.
[[nodiscard]] std::vector<std::string> note_once(const claim_context& context, const std::string& about,
                                                 std::string text);

/// The notes of a fresh process that measured this claim.
[[nodiscard]] std::vector<std::string> notes_of_process(const claim_context& context, const record& answer);

/// The facts about the worker processes of remote subjects, if these were started.
[[nodiscard]] std::vector<remote_subject> workers_of(const claim_context& context);

/// Notes facts that differ between workers: a ratio of two such subjects compares these, too.
[[nodiscard]] std::vector<std::string> notes_of_workers(const claim_context& context,
                                                        const std::vector<remote_subject>& workers);

/// Notes a bound on the better side: such a claim holds even after a regression.
[[nodiscard]] std::vector<std::string> note_of_better_side(const claim_context& context);

/// Notes that assertions ran before in this process, so its first run may not be the first.
[[nodiscard]] std::vector<std::string> note_of_first_run(const claim_context& context);

/// Notes a first call that differs from all later ones.
[[nodiscard]] std::vector<std::string> notes_of_calls(const claim_context& context, const subject& x,
                                                      const std::string& name, const subject_calibration& c);
/// The same for both sides.
[[nodiscard]] std::vector<std::string> notes_of_calls(const claim_context& context, const time_ratio& r,
                                                      const pair_calibration& c);

/// Notes such a call, what calls left behind, and times of either subject that rise or fall over its calls.
[[nodiscard]] std::vector<std::string> notes_of_pairs(const claim_context& context, const time_ratio& r,
                                                      const pair_series& series);
/// The same of one subject.
[[nodiscard]] std::vector<std::string> notes_of_blocks(const claim_context& context, const block_series& series);

/// The threads, descriptors and heap of this process.
[[nodiscard]] process_resources resources_now(const claim_context& context);

}  // namespace perfspec::inline v0_2::detail
