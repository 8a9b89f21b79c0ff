# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in the tool."""
from .mutant import Mutant

MUTANTS = [
    Mutant("older_run_hides_the_newer", "tool/results/runs.cpp", "of two runs in a results file the older one counts",
           "if (line != nullptr && l.about.time < time) return;", "if (line != nullptr && l.about.time > time) return;"),
    Mutant("shards_replace_each_other", "tool/results/runs.cpp", "results of one machine are older runs of another's",
           "of_machines[run_of(line.about).first].consider(line);", 'of_machines[""].consider(line);'),
    Mutant("markdown_not_escaped", "tool/reports/report_markdown.cpp", "the name of a test breaks the table",
           "else if (markup.find(c) != std::string_view::npos) safe +=", "else if (c == '\\\\') safe +="),
    Mutant("bar_in_a_code_span", "tool/reports/report_markdown.cpp", "a bar in a claim begins another cell of the table",
           "code += c == '|' ? std::string(\"\\\\|\") : std::string(1, c);", "code += c;"),
    Mutant("gains_are_losses", "tool/results/concern.cpp", "a throughput that falls within its bound is shown as a gain",
           "r.direction == better::less ? *ratio <= 1.0 - gain_to_tell : *ratio >= 1.0 + gain_to_tell", "std::abs(*ratio - 1.0) >= gain_to_tell"),
    Mutant("undecided_before_violated", "tool/results/concern.cpp", "the table does not begin with what failed",
           "case verdict::violated: return concern::violated;", "case verdict::violated: return concern::is_new;"),
    Mutant("fence_ended_by_a_command", "tool/reports/report_markdown.cpp", "a command with three backticks ends its fence",
           "!= std::string::npos; })) fence += '`';", "!= std::string::npos; })) break;"),
    Mutant("names_end_the_script", "tool/reports/page/page.cpp", "a name in results can end the script of the page",
           "if (c == '<') safe += \"\\\\u003c\";", "if (c == '<') safe += c;"),
    Mutant("spreadsheet_computes_a_name", "tool/exports/tables.cpp", "a spreadsheet computes a name that begins with =",
           "computed.find(text.front()) != std::string_view::npos) safe += '\\'';", "computed.find(text.front()) != std::string_view::npos) safe += ' ';"),
    Mutant("warned_claims_fail_junit", "tool/exports/junit.cpp", "a claim under PERF_WARN is a failure in JUnit",
           "if (r.failed) return element(", "if (r.failed || r.verdict == verdict::violated) return element("),
    Mutant("open_intervals_are_decided", "tool/results/compare.cpp", "compare says that nothing became worse where an interval has no end",
           "return threshold_->counts == counted_changes::any ? c.is_open() : may_be_worse(c, direction);", "return false;"),
    Mutant("open_on_the_wrong_side", "tool/results/value_change.cpp", "a throughput whose interval reaches down to nothing is no worse than before",
           "return direction == better::less ? change.is_open_above : change.is_open_below;", "return change.is_open_above;"),
    Mutant("own_units_are_one", "tool/results/value_change.cpp", "tokens are compared with requests",
           "if (unit_name(before) != unit_name(after) || before.direction", "if (before.unit != after.unit || before.direction"),
    Mutant("score_of_times_is_turned", "tool/reports/score.cpp", "a slower run has the better score",
           "logarithms += now.direction == better::more ? gain : -gain;", "logarithms += gain;"),
    Mutant("dead_band_of_one_side", "tool/reports/score.cpp", "a gain within the noise raises the score",
           "if (std::abs(change.centre) <= dead_band) return;", "if (change.centre <= dead_band && change.centre >= 0.0) return;"),
    Mutant("score_without_missing_keys", "tool/reports/score.cpp", "a run has a score although it lacks a key of the reference",
           "if (score.faults.empty()) score.rows = sheet.rows();", "if (!now.empty()) score.rows = sheet.rows();"),
]
