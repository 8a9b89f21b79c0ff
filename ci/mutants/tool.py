# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in the tool."""
from .mutant import Mutant

MUTANTS = [
    Mutant("older_run_hides_the_newer", "tool/results/results.cpp", "of two runs in a results file the older one counts",
           "if (line.about.time >= r->time)", "if (line.about.time <= r->time)"),
    Mutant("shards_replace_each_other", "tool/results/results.cpp", "results of one machine are older runs of another's",
           "return std::tuple(run_of(r).first, ", "return std::tuple(std::string(), "),
    Mutant("markdown_not_escaped", "tool/reports/report_markdown.cpp", "the name of a test breaks the table",
           "else if (markup.find(c) != std::string_view::npos) safe +=", "else if (c == '\\\\') safe +="),
    Mutant("gains_are_losses", "tool/results/claims.cpp", "a throughput that falls within its bound is shown as a gain",
           "r.direction == better::less ? *ratio <= 1.0 - least_gain : *ratio >= 1.0 + least_gain", "std::abs(*ratio - 1.0) >= least_gain"),
    Mutant("undecided_before_violated", "tool/results/claims.cpp", "the table does not begin with what failed",
           "case verdict::violated: return concern::violated;", "case verdict::violated: return concern::is_new;"),
    Mutant("names_end_the_script", "tool/reports/report_page.cpp", "a name in results can end the script of the page",
           "if (c == '<') safe += \"\\\\u003c\";", "if (c == '<') safe += c;"),
    Mutant("spreadsheet_computes_a_name", "tool/exports.cpp", "a spreadsheet computes a name that begins with =",
           "computed.find(text.front()) != std::string_view::npos) safe += '\\'';", "computed.find(text.front()) != std::string_view::npos) safe += ' ';"),
    Mutant("warned_claims_fail_junit", "tool/exports.cpp", "a claim under PERF_WARN is a failure in JUnit",
           "if (r.failed)\n        return element(", "if (r.failed || r.verdict == verdict::violated) return element("),
    Mutant("wide_intervals_are_decided", "tool/results/compare.cpp", "compare says that nothing changed where a time may have doubled",
           "return c.high >= std::fmax(1.0, beyond) || ", "return "),
    Mutant("own_units_are_one", "tool/results/compare.cpp", "tokens are compared with requests",
           "if (unit_name(before) != unit_name(after) || before.direction", "if (before.unit != after.unit || before.direction"),
    Mutant("gain_of_times_is_turned", "tool/results/compare.cpp", "a slower run has the better mean",
           "after.direction == better::more ? now / then : then / now", "now / then"),
    Mutant("error_results_have_a_mean", "tool/results/compare.cpp", "a result that is an error has a part in a mean",
           "if (!are_valid || then <= 0.0", "if (then <= 0.0"),
]
