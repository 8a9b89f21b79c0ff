# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in the tool."""
from .mutant import Mutant

MUTANTS = [
    Mutant("older_run_hides_the_newer", "tool/runs.cpp", "of two runs in a results file the older one counts",
           "if (line != nullptr && l.about.time < time) return;", "if (line != nullptr && l.about.time > time) return;"),
    Mutant("shards_replace_each_other", "tool/runs.cpp", "results of one machine are older runs of another's",
           "of_machines[run_of(line.about).first].consider(line);", 'of_machines[""].consider(line);'),
    Mutant("markdown_not_escaped", "tool/report_markdown.cpp", "the name of a test breaks the table",
           "if (special.find(c) == std::string_view::npos) safe += c;", "if (special.find(c) != std::string_view::npos) safe += c;"),
    Mutant("undecided_before_violated", "tool/report_markdown.cpp", "the table does not begin with what failed",
           "case verdict::violated: return concern::violated;", "case verdict::violated: return concern::is_new;"),
    Mutant("fence_ended_by_a_command", "tool/report_markdown.cpp", "a command with three backticks ends its fence",
           "fence += '`';", "break;"),
]
