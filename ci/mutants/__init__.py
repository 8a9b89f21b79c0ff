# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The bugs that ci/mutate injects, one at a time: a module for each stage, with the test programs that should notice them.

Each is a plausible bug that changes perfspec's results: an order that is not random, an input that is timed, a margin on the wrong side. `old` occurs exactly
once in its file and becomes `new`, which compiles.
"""
from . import baseline, catch2, cuda, fuzz, language, libtorch, measure, plan, process, python, quantity, report, run, stats, tool
from .mutant import PROGRAMS, Mutant

MUTANTS = [mutant
           for stage in (language, plan, quantity, stats, measure, process, python, baseline, report, run, catch2, cuda, libtorch, tool, fuzz)
           for mutant in stage.MUTANTS]

__all__ = ["MUTANTS", "PROGRAMS", "Mutant"]
