// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../results/results.hpp"
#include "source_pages.hpp"

#include <perfspec/report/console/console.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// The records of all results. A measurement that never ended becomes an *invalid* record.
[[nodiscard]] std::vector<record> records_of(const results& found);

/// Which fractions of the claims may lack a verdict.
struct max_allowed {
    double undecided = 1.0;   ///< of the claims with the verdict holds, violated or undecided
    double not_judged = 1.0;  ///< of all claims: not judged for any reason, or recorded, except new ones
    double is_new = 1.0;      ///< of all claims: those that the reference build lacks
};

/// The exit code for these records: `unusable` where a failed one is *invalid*, else `violated` where a failed one is violated.
/// Otherwise `undecided` where an undecided one fails its test, or more claims are undecided, not judged or new than allowed; else `holds`.
/// Claims under PERF_WARN never fail, and a PERF_RECORD claims nothing.
[[nodiscard]] exit_code judged_by(std::span<const record> records, const max_allowed& allowed);

/// A report for a console: a block for each claim that failed or is undecided, and the summary that a run prints.
[[nodiscard]] outcome report_console(const results& found, const max_allowed& allowed, console_style style);

/// A report for a pull request, in GitHub's Markdown. It has counts, a table of claims, and commands to run them again and to accept them.
/// The table has the claims that failed, are undecided or not judged, with the reason, are new, or gained 5 % or more on their baseline: the
/// first `most_rows_of_claims` of them, and how many more there are.
[[nodiscard]] std::string report_markdown(const results& found, const source_pages& pages = {});

/// How many rows of claims a report has that nobody can search: a comment of a pull request holds 65,536 characters.
inline constexpr std::size_t most_rows_of_claims = 100;

/// "and 20 more; the page of --html has them\n"; empty where all rows are shown.
[[nodiscard]] std::string left_out_text(std::size_t rows);

/// Escapes a text for GitHub's Markdown: markup is escaped, and possible mentions and formulas become character references.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// A table in Markdown, of plain texts. Its first row is the head.
/// columns  the line below the head: "|---|---:|"
[[nodiscard]] std::string markdown_table(std::span<const std::vector<std::string>> rows, std::string_view columns);

/// A text in a code span, even one with backticks or, in a table, with bars.
[[nodiscard]] std::string markdown_code(std::string_view text);

}  // namespace perfspec::tool
