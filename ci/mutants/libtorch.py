# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in comparing the outputs of LibTorch's models."""
from .mutant import Mutant

REMEMBERED = "libtorch/outputs/remembered-inl.hpp"
VERIFY = "libtorch/outputs/verify-inl.hpp"
INPUTS = "libtorch/outputs/inputs-inl.hpp"

MUTANTS = [
    # results that an earlier call computed
    Mutant("shared_results_stay_destroyed", REMEMBERED, "results that share memory come back with other values",
           "for (const std::size_t i : kept) destroyed.emplace_back(results[i].value);",
           "for (const std::size_t i : kept) destroyed.emplace_back(results[i].value).destroy();"),
    Mutant("views_are_nobodys", REMEMBERED, "a model that returns a view of what it keeps holds",
           "return tensor.use_count() > own || tensor.storage().use_count() > own;", "return tensor.use_count() > own;"),
    Mutant("kept_memory_is_kept_values", REMEMBERED, "a model that writes its result to memory that it keeps is suspected",
           "return at::isnan(later).all().item<bool>() && !at::isnan(before).all().item<bool>();", "return true;"),
    Mutant("integers_are_never_remembered", REMEMBERED, "a model that returns remembered integers holds",
           "return at::equal(later, after) && !at::equal(before, after);", "return false;"),
    Mutant("parameters_are_destroyed", REMEMBERED, "a model that returns a parameter is suspected",
           " && !is_given(body, inputs, results[i].value)) kept", ") kept"),
    # what is timed
    Mutant("timed_runs_are_told", VERIFY, "a model that is right only while outputs are compared holds",
           "        if (runs == conditions_of::timed_runs) return;\n", ""),
    Mutant("timed_runs_are_seeded", VERIFY, "a model that knows the seed of comparisons holds",
           "        if (runs_ == conditions_of::timed_runs) return restore_random_numbers();\n", ""),
    Mutant("timed_runs_repeat_exactly", "libtorch/outputs/judge_outputs-inl.hpp", "an algorithm that is not deterministic makes a claim invalid",
           "if (difference.empty() || conditions.repeat_exactly()) return difference;",
           "if (difference.empty() || !conditions.repeat_exactly()) return difference;"),
    # the tensors that are timed
    Mutant("copies_have_no_gaps", INPUTS, "a kernel that ignores strides holds", "    unexpanded(copy).copy_(unexpanded(x));\n    return copy;", "    return x.clone();"),
    Mutant("changed_inputs_stay_unseen", VERIFY, "a model that sorts its input in place holds",
           "if (!before.is_changed(i, given[i])) continue;", "continue;"),
    Mutant("timed_runs_are_on_copies", VERIFY, "a model that knows its input by the address holds",
           "    return run_on_made(body, conditions, [&] { return body.inputs_to_run; });", "    return run_on(body, body.inputs, conditions);"),
    Mutant("buffers_of_results_are_changed_inputs", VERIFY, "a model that writes its result to an input is suspected",
           "return first && agrees(other) ? std::nullopt : first;", "return first;"),
    Mutant("further_inputs_may_change", "libtorch/outputs/judge_outputs-inl.hpp", "a model that changes one of its further inputs holds",
           "        if (found.not_computed.empty()) found.not_computed = other.not_computed;\n", ""),
]
