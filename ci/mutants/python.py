# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in the side of perfspec that asks workers."""
from .mutant import Mutant

MUTANTS = [
    Mutant("untaken_setting_is_green", "python/subject_worker-inl.hpp", "a worker that says nothing of the batch that it is asked for passes for one that has it",
           "if (has == value) continue;", "if (has == value || has.empty()) continue;"),
    Mutant("settings_of_the_claim_before", "python/subject_worker-inl.hpp", "a subject keeps the settings that an earlier claim asked for",
           "if (loaded_.contains(subject)) stop();", ""),
    Mutant("rate_of_another_batch", "python/worker_settings-inl.hpp", "the work that the code declares is divided by the time of another batch",
           'if (!value_in(asked, "batch").empty() && (', 'if (value_in(asked, "batch") == "0" && ('),
    Mutant("silent_worker_does_not_train", "python/worker_settings-inl.hpp", "a worker that does not start is left out of a run of training",
           "{ return training_kind::unknown; }", "{ return training_kind::no; }"),
    Mutant("turns_that_cost_nothing", "judge/observe-inl.hpp", "a claim on two processes does not say what their turns cost it",
           "if (take_turns) note_turns(asked, found, sides, pairs);", "", "python"),
    Mutant("turns_of_few_pairs", "judge/observe-inl.hpp", "a claim on two processes that is decided by ten pairs does not know what turns cost it",
           "const bool in_doubt = !are_in_one_process(asked.subjects) || ", "const bool in_doubt = ", "python"),
    Mutant("turns_the_other_way_round", "judge/observe-inl.hpp", "a process that is slower after its turn is told to be faster",
           "find_ratio_of_samples(times.after_other, times.after_own)", "find_ratio_of_samples(times.after_own, times.after_other)", "python"),
]
