# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in the language."""
from .mutant import Mutant

MUTANTS = [
    # run: counts, memory, values, complexity and the spread of processes
    Mutant("counts_kept_by_hardware", "language/metric.hpp", "baselines of allocations are kept for each kind of machine",
           'reading::counter, unreadable::is_error, shared_by::one_architecture, "calls of `operator new`, `malloc` and their like in one iteration"',
           'reading::counter, unreadable::is_error, shared_by::like_machines, "calls of `operator new`, `malloc` and their like in one iteration"'),
    Mutant("missing_counter_passes", "language/metric.hpp", "a count that the program does not take is skipped, which passes",
           'reading::counter, unreadable::is_error, shared_by::one_architecture, "bytes that calls of `operator new`, `malloc` and their like in one iteration ask for"',
           'reading::counter, unreadable::is_skipped, shared_by::one_architecture, "bytes that calls of `operator new`, `malloc` and their like in one iteration ask for"'),
    Mutant("tolerance_upside_down", "language/describe-inl.hpp", "the side of losses lies where a query is better",
           "(end == tolerance_end::loss) ? 1.0 : -1.0", "(end == tolerance_end::loss) ? -1.0 : 1.0"),
]
