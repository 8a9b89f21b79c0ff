# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in reports."""
from .mutant import Mutant

MUTANTS = [
    # operators and their traces
    Mutant("trace_not_sorted", "explain/chrome_trace-inl.hpp", "a trace begins with the call that ended first",
           "std::ranges::stable_sort(order, {}, &operator_event::start_ns);", ""),
    Mutant("trace_loses_nanoseconds", "explain/chrome_trace-inl.hpp", "5 ns is 0.5 us", '"{}.{:03}"', '"{}.{}"'),
    Mutant("one_burst_excuses", "report/finding-inl.hpp", "one launch of twenty that took turns excuses all of them",
           "one_in * found.disturbed.overcommitted > found.evidence.launches", "found.disturbed.overcommitted > 0"),
]
