# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in perfspec's side of the protocol of workers."""
from .mutant import Mutant

MUTANTS = [
    Mutant("refused_setting_is_green", "python/subject_worker-inl.hpp", "a worker that does not confirm the requested batch passes for one that has it",
           "if (has == value) continue;", "if (has == value || has.empty()) continue;"),
    Mutant("settings_of_the_claim_before", "python/subject_worker-inl.hpp", "a subject keeps the settings of an earlier claim",
           "if (known.unavailable) stop();", ""),
    Mutant("rate_of_another_batch", "python/worker_body-inl.hpp", "the work that the code declares is divided by the time of another batch",
           'if (!value_in(settings, "batch").empty() && (', 'if (value_in(settings, "batch") == "0" && ('),
    Mutant("answer_of_another_request", "python/subject_worker-inl.hpp", "the answer of a process that a body forked counts for the next request",
           "if (answer.number != requests_)", "if (!answer.number)"),
]
