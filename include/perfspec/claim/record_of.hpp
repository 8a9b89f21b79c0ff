// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/report/claim_result.hpp>

#include <string>
#include <string_view>

namespace perfspec {

/// Quotes a word for a POSIX shell: `it's` becomes `'it'\''s'`.
[[nodiscard]] std::string shell_quoted(std::string_view text);

/// A regular expression for ctest that matches only the test case of this name. It makes a blank at the end of the
/// prefix optional, because Catch2 may drop it.
[[nodiscard]] std::string ctest_pattern(std::string_view prefix, std::string_view name);

namespace detail {

/// The command that runs the assertion's test again, from any folder.
[[nodiscard]] std::string run_again(const claim_context& context);

/// The command that stores this result's launches or outputs from the file of results: "perfspec accept 'results.jsonl'
/// --baseline-dir 'baselines'". Run it at the top of a checkout, with the file of results in the same folder. Empty if
/// no results are written, if there are too few launches, or if they are stored already.
[[nodiscard]] std::string accept_from_results(const claim_context& context, const claim_result& result);

/// Makes a path absolute, because it is read or pasted in another folder. A relative path begins at the working
/// directory in which this program was started.
[[nodiscard]] std::string absolute_path(const session& run, const std::string& path);

/// The record of a claim with the effect of its waiver, and a note or advice.
///
/// It covers a violated claim, and an undecided one that fails. Neither fails its test while the measured value is
/// within the ceiling and the day of the record is not after the last day. It does not cover invalid claims and outputs
/// that differ. A claim that holds needs no waiver.
[[nodiscard]] record waived(record r, const waiver& w);

/// Makes the record of an assertion from its claim and its result.
[[nodiscard]] record record_of(const claim_context& context, const claim_result& result);

}  // namespace detail
}  // namespace perfspec
