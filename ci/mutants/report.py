# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in reports."""
from .mutant import Mutant

MUTANTS = [
    # operators and their traces
    Mutant("trace_not_sorted", "explain/traces-inl.hpp", "a trace begins with the call that ended first",
           "a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns", "a.end_ns < b.end_ns"),
    Mutant("one_burst_excuses", "report/claim_result-inl.hpp", "one process of twenty that took turns excuses all of them",
           "one_in * result.disturbed.lengthened > result.evidence.processes", "result.disturbed.lengthened > 0"),
    Mutant("change_upside_down", "report/change-inl.hpp", "what became faster is said to be slower",
           "return r.estimate->value / r.baseline->median;", "return r.baseline->median / r.estimate->value;"),
    Mutant("axis_instead_of_the_query", "report/console/console_summary-inl.hpp", "the summary shows the last axis of a claim alone, without its query",
           "shared = shared.substr(0, length_before_query(*row.of));", "static_cast<void>(length_before_query(*row.of));"),
]
