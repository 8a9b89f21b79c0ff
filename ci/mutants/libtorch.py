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
    # the device's clock
    Mutant("gaps_not_told", "libtorch/subjects/device_clock-inl.hpp", "a time with the gaps between launches is taken for that of the kernels",
           "    if (timers == nullptr)\n        return", "    if (timers == nullptr && why_with_gaps.empty())\n        return"),
    Mutant("gaps_named_like_none", "libtorch/subjects/device_clock.hpp", "times with and without gaps have one key",
           'timed_with_gaps = "with-gaps"', 'timed_with_gaps = "hot"'),
    Mutant("gaps_told_of_latency", "libtorch/subjects/device_clock-inl.hpp", "a result of latency speaks of device_time",
           "if (!std::exchange(has_timed, false)) return {};", "has_timed = false;"),
    Mutant("unheld_not_told", "libtorch/subjects/device_clock-inl.hpp", "nobody is told that the stream was not held",
           "    if (is_host_synchronised)\n", "    if (is_host_synchronised && timer == nullptr)\n"),
    Mutant("repeated_without_setup", "libtorch/subjects/device_clock-inl.hpp", "the iterations of a sample share one input",
           "why_with_gaps = makes_inputs ?", "why_with_gaps = makes_inputs && device.is_cpu() ?"),
    Mutant("timers_of_any_device", "libtorch/subjects/device_clock-inl.hpp", "timers are given streams of another kind of device",
           "known != nullptr && known->devices == c10::DeviceTypeName(device.type(), /*lower_case=*/true)", "known != nullptr && !device.is_cpu()"),
    Mutant("default_stream_timed", "libtorch/subjects/device_time-inl.hpp", "a model is timed on another stream than the current one",
           "stream.native_handle(), {.name", "Stream{Stream::DEFAULT, stream.device()}.native_handle(), {.name"),
    Mutant("body_finds_other_device", "libtorch/subjects/device_time-inl.hpp", "a model runs with another current device than the program's",
           "            const current_device of_program{timed.before()};\n", ""),
    Mutant("device_of_program_lost", "libtorch/subjects/device_time-inl.hpp", "after a sample another device is current",
           "~current_device() { guard_.uncheckedSetDevice(before_); }", "~current_device() = default;"),
    Mutant("streams_begin_early", "libtorch/subjects/device_time-inl.hpp", "other streams work before the first one begins",
           "if (stream != first) begin.block(stream);", "if (stream == first) begin.block(stream);"),
    Mutant("streams_not_joined", "libtorch/subjects/device_time-inl.hpp", "the work of other streams takes no time",
           "if (stream != first) marked(stream).block(first);", "if (stream == first) marked(stream).block(first);"),
    Mutant("always_held", "libtorch/subjects/device_time-inl.hpp", "host_synchronised changes the key and nothing else",
           "clock.timers->make(clock.is_host_synchronised ? stream_use::unheld : stream_use::held);", "clock.timers->make(stream_use::held);"),
    Mutant("host_synchronised_lost", "libtorch/subjects/torch_subject-inl.hpp", "a subject that is made from a host-synchronised one is held",
           "    body.clock.is_host_synchronised = original.clock.is_host_synchronised;\n", ""),
    Mutant("moved_model_timed_as_before", "libtorch/settings/asked_settings-inl.hpp", "a model that moved is timed as on its old device",
           "    settle_clock(x.state(), body);\n", ""),
    Mutant("package_waits_in_queue", "libtorch/subjects/aot_inductor-inl.hpp", "runs of a package wait for each other while the stream is held",
           "model.waits_for_last = true;", "model.waits_for_last = false;"),
]
