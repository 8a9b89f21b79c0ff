// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <perfspec/plan/environment.hpp>
#include <perfspec/report/console/console.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// The records of results, those that never ended among them as *invalid*.
[[nodiscard]] std::vector<record> records_of(const results& found);

/// How many claims may be without a verdict, as fractions.
struct max_allowed {
    double undecided = 1.0;   ///< of the judged claims
    double not_judged = 1.0;  ///< of all claims: not judged for whatever reason, or recorded, but not new
    double is_new = 1.0;      ///< of all claims: those that the reference build does not have
};

/// What the records add up to: `unusable` where one is *invalid*, else `violated`, else `undecided` where more are undecided, not judged or new than
/// allowed, or one that is undecided fails its test; else `holds`. Claims under PERF_WARN count only as such; a PERF_RECORD claims nothing.
[[nodiscard]] exit_code judged_by(std::span<const record> records, const max_allowed& allowed);

/// For a console: a block for each claim that failed or was not decided, and the summary that a run prints.
[[nodiscard]] outcome report_console(const results& found, const max_allowed& allowed, console_style style);

/// Where the sources of a run are shown to people.
struct source_pages {
    std::string prefix{};  ///< of a page, before "<path>#L<line>": "https://github.com/owner/project/blob/3f2c1ab/"; empty: nowhere
    std::string folder{};  ///< what paths in results begin with there: "/builds/project"
};

/// As GitHub Actions and GitLab's CI say it in their variables.
[[nodiscard]] source_pages pages_of_ci(const environment& variables);

/// For a pull request, in GitHub's Markdown: counts; a table of the claims that failed, were not decided or not judged, with the reason, are new, or
/// gained 5 % or more on their baseline; what to type to run them again and to accept them.
[[nodiscard]] std::string report_markdown(const results& found, const source_pages& pages = {});

/// Text as GitHub's Markdown shows it, whatever it holds: markup is escaped, and what could be a mention or a formula is a character reference.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// Text in a code span, also one with backticks or, in a table, with bars.
[[nodiscard]] std::string markdown_code(std::string_view text);

/// "1 violated, 2 not judged, 1 new, 3 hold".
[[nodiscard]] std::string counts_text(std::span<const record> records);

}  // namespace perfspec::tool
