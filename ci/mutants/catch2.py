# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in the host for Catch2."""
from .mutant import Mutant

MUTANTS = [
    Mutant("failed_before_survives", "catch2/host-inl.hpp", "a failed assertion of one test case makes claims of the next ones unrepeatable",
           "        failed_before_ = false;\n        sections_.clear();", "        sections_.clear();"),
    Mutant("sections_not_left", "catch2/host-inl.hpp", "the key of a claim has sections that are over",
           "if (--depth_ != 0 && !sections_.empty()) sections_.pop_back();", "--depth_;"),
    Mutant("no_generator_noticed", "catch2/host-inl.hpp", "every value of a generator has one key",
           "if (!ended_at_.insert(deepest_).second) has_generator_ = true;", "ended_at_.insert(deepest_);"),
    Mutant("notes_not_shown", "report/console/console_text-inl.hpp", "a note on a claim that holds is not shown",
           ' || !r.notes.empty()) return true;\n', ") return true;\n"),
    Mutant("skip_in_a_body_passes", "catch2/host-inl.hpp", "a body that skips leaves a test that passed",
           'result.reason = "the body called SKIP', 'result.failed = false;\n            result.reason = "the body called SKIP'),
]
