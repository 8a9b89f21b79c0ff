// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../results/claims.hpp"
#include "../results/results.hpp"

#include <perfspec/plan/environment.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/console/console.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// The web pages with the sources of a run.
struct source_pages {
    std::string prefix{};  ///< a page's address before "<path>#L<line>":
                           ///< "https://github.com/owner/project/blob/3f2c1ab/"; empty without pages
    std::string folder{};  ///< the folder of the sources in that run, removed from paths in results: "/builds/project"
};

/// Reads the pages from the variables of GitHub Actions or GitLab's CI.
[[nodiscard]] source_pages pages_of_ci(const environment& variables);

/// The place of a claim, below the folder of the sources: "tests/sort_test.cpp:12". Empty if the record has none.
[[nodiscard]] std::string place_text(const record& r, const source_pages& pages);

/// The address of the page with that line; empty without pages.
[[nodiscard]] std::string place_address(const record& r, const source_pages& pages);

/// The records of all results. A measurement that never ended becomes an *error* record.
[[nodiscard]] std::vector<record> records_of(const results& input);

/// Which fractions of the claims may lack a verdict.
struct max_allowed {
    double undecided = 1.0;  ///< of the claims with the verdict holds, violated or undecided
    double skipped = 1.0;    ///< of all claims: skipped for any reason, or recorded, except new ones
    double is_new = 1.0;     ///< of all claims: those that the baseline build lacks
};

/// The exit code for these records: `error` if a failed one is an *error*; else `violated` if a failed one is
/// violated; else `open` if one looks violated or an undecided one fails its test, or more claims are undecided,
/// skipped or new than allowed; else `fine`. Claims under PERF_WARN never fail, and PERF_MEASURE makes no claim.
[[nodiscard]] exit_code judged_by(std::span<const record> records, const max_allowed& allowed);

/// A report for a console: a block for each claim that failed or is undecided, and the summary that a run prints.
[[nodiscard]] outcome report_console(const results& input, const max_allowed& allowed, console_style style);

/// A report for a pull request, in GitHub's Markdown. It has counts, a table of claims, and commands to run them again
/// and to accept them. The table has the claims that failed, are undecided or skipped, with the reason, are new, or
/// gained 5 % or more on their baseline: the first `most_rows_of_claims` of them, and how many more there are.
[[nodiscard]] std::string report_markdown(const results& input, const source_pages& pages = {});

/// The largest number of rows in a table without search: a comment of a pull request holds 65,536 characters.
inline constexpr std::size_t most_rows_of_claims = 100;

/// "and 20 more; --html writes a page with all"; empty if all rows are shown.
[[nodiscard]] std::string left_out_text(std::size_t rows);

/// A part that a report adds: a title, a table whose first row is the head, and lines below it. Any of them may be
/// empty.
struct report_part {
    std::string title{};
    table_rows rows{};
    std::vector<std::string> lines{};
};

/// The part for a console.
[[nodiscard]] std::string console_of(const report_part& part);

/// The part in GitHub's Markdown.
[[nodiscard]] std::string markdown_of(const report_part& part);

/// Escapes a text for GitHub's Markdown: markup is escaped, and possible mentions and formulas become character
/// references.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// A text in a code span, even one with backticks or, in a table, with bars.
[[nodiscard]] std::string markdown_code(std::string_view text);

/// A report for a browser: one HTML file that loads nothing from elsewhere. It has a table of all claims, those that
/// need work first, and for each claim a view with its distributions, processes, bound, parts, machine, commands, and
/// every field of its record. The page's script turns its JSON into text nodes, so no name can become markup.
[[nodiscard]] std::string report_page(const results& input, const source_pages& pages = {});

/// The page for a browser, with this JSON as its data: a report if the data has `records`, a history if it has `runs`.
/// Nothing in the data can end its element.
[[nodiscard]] std::string page_with(std::string_view json);

}  // namespace perfspec::tool
