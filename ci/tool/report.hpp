// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

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
[[nodiscard]] outcome report_console(const results& found, const max_allowed& allowed, console_verbosity verbosity);

/// For a pull request, in GitHub's Markdown: counts; a table of the claims that failed, were not decided or not judged, with the reason, or are
/// new; what to type to run them again and to accept them.
[[nodiscard]] std::string report_markdown(const results& found);

/// Text as GitHub's Markdown shows it, whatever it holds: what could be markup, a mention or a link is a character reference.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// "1 violated, 2 not judged, 1 new, 3 hold".
[[nodiscard]] std::string counts_text(std::span<const record> records);

}  // namespace perfspec::tool
