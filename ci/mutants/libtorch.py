# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in comparing the outputs of LibTorch's models."""
from .mutant import Mutant

VERIFY = "libtorch/outputs/verify-inl.hpp"
INPUTS = "libtorch/outputs/verify-inl.hpp"
GRAPH = "libtorch/graphs/model_graph-inl.hpp"
AS_GRAPH = "libtorch/graphs/model_graph-inl.hpp"
SUBJECT = "libtorch/subjects/torch_subject-inl.hpp"

MUTANTS = [
    # the timed work and its tensors
    Mutant("copies_have_no_gaps", INPUTS, "a kernel that ignores strides holds", "    unexpanded(copy).copy_(unexpanded(x));\n    return copy;", "    return x.clone();"),
    # models in graphs
    Mutant("graphs_may_be_empty", GRAPH, "a graph that captured nothing holds", "        if (unwritten[n] == 0) continue;", "        if (unwritten[n] != 0) continue;"),
    Mutant("graphs_may_write_a_part", GRAPH, "a graph that writes a part of its outputs holds",
           "        if (unwritten[n] == 0) continue;", "        if (unwritten[n] < written_[n].numel()) continue;"),
    Mutant("kept_outputs_must_be_written", GRAPH, "a graph of a model that keeps an output of no input is refused",
           "i < earlier.size() && is_same_memory(earlier[i], outputs_[i]);", "i > earlier.size();"),
    Mutant("outputs_of_zeros_are_unwritten", GRAPH, "a graph whose outputs are zeros is refused",
           "zeros[n].logical_and(ones[n])", "zeros[n]"),
    Mutant("unseen_outputs_are_trusted", GRAPH, "a graph that has nothing to write holds", "    if (indices.empty() && !is_any_kept)\n", "    if (false)\n"),
    Mutant("compared_outputs_are_not_destroyed", GRAPH, "a graph that stops writing its outputs holds",
           "    for (const at::Tensor& each : written_) destroy_values(each);\n", ""),
    Mutant("captures_draw_random_numbers", GRAPH, "a graph of a model with dropout differs from the model",
           "    const saved_random_numbers random{body.device};\n", ""),
    Mutant("graphs_stay_with_old_tensors", GRAPH, "a graph reads parameters that were replaced",
           "std::ranges::equal(a.tensors, b.tensors, is_same_memory)", "true"),
    Mutant("graphs_stay_under_old_settings", GRAPH, "a graph runs under settings that have changed", "return a.settings == b.settings && ", "return "),
    Mutant("every_sample_is_captured", GRAPH, "each sample captures the model again",
           "    if (graph_ && is_same(basis_, basis_of(body, inputs))) return;\n", ""),
    Mutant("graphs_are_captured_cold", GRAPH, "a model is captured in its first call", "constexpr int warm_calls = 3;", "constexpr int warm_calls = 0;"),
    Mutant("captured_on_the_stream_of_the_program", GRAPH, "a model is captured on the default stream, which CUDA refuses",
           "    const on_stream current{*side_};\n", ""),
    Mutant("samples_of_graphs_call_the_model", SUBJECT, "a sample of a graph calls the model",
           "    if (body.graph) return do_not_optimize(body.graph->replay(iterations));\n", ""),
    Mutant("graphs_are_compared_by_their_model", SUBJECT, "the outputs of a wrong graph are not looked at",
           "    if (graph) return numbered(graph->compute(*this, arguments));\n", ""),
    Mutant("device_time_of_graphs_calls_the_model", SUBJECT, "device_time of a graph is that of the model",
           "if (body.graph)\n        return device_time_of(body.clock, body.name, body.graph->device(),\n                              [&] { do_not_optimize(body.graph->replay(1)); });", ""),
    Mutant("operators_of_graphs_are_none", AS_GRAPH, "operators of a graph holds with 0", "model_of(made).hidden_operators =", "    const std::string unused = "),
    Mutant("steps_are_captured", AS_GRAPH, "a training step is captured", "    if (body->model.trains)\n", "    if (false)\n"),
    Mutant("graphs_on_the_processor", AS_GRAPH, "a graph on the processor is judged",
           "!lacking.empty() && state.skip_reason.empty()", "false"),
    Mutant("streams_of_graphs", "libtorch/subjects/on_device-inl.hpp", "streams of a graph drop the graph", "    if (body != nullptr && body->graph)\n", "    if (false)\n"),
    # the device's clock
    Mutant("gaps_not_reported", "libtorch/subjects/device_time-inl.hpp", "a time with the gaps between processes is taken for that of the kernels",
           "    if (timers == nullptr)\n        return", "    if (timers == nullptr && why_with_gaps.empty())\n        return"),
    Mutant("repeated_without_setup", "libtorch/subjects/device_time-inl.hpp", "the iterations of a sample share one input",
           "why_with_gaps = makes_inputs ?", "why_with_gaps = makes_inputs && device.is_cpu() ?"),
    Mutant("timers_of_any_device", "libtorch/subjects/device_time-inl.hpp", "timers are given streams of another kind of device",
           "known != nullptr && known->devices == c10::DeviceTypeName(device.type(), /*lower_case=*/true)", "known != nullptr && !device.is_cpu()"),
    Mutant("default_stream_timed", "libtorch/subjects/device_time-inl.hpp", "a model is timed on another stream than the current one",
           "stream.native_handle(),\n                                           {.name", "Stream{Stream::DEFAULT, stream.device()}.native_handle(), {.name"),
    Mutant("body_finds_other_device", "libtorch/subjects/device_time-inl.hpp", "a model runs with another current device than the program's",
           "            const current_device of_program{timed.before()};\n", ""),
    Mutant("device_of_program_lost", "libtorch/subjects/device_time-inl.hpp", "after a sample another device is current",
           "~current_device() { guard_.uncheckedSetDevice(before_); }", "~current_device() = default;"),
    Mutant("streams_begin_early", "libtorch/subjects/device_time-inl.hpp", "other streams work before the first one begins",
           "if (stream != first) begin.block(stream);", "if (stream == first) begin.block(stream);"),
    Mutant("streams_not_joined", "libtorch/subjects/device_time-inl.hpp", "the work of other streams takes no time",
           "if (stream != first) marked(stream).block(first);", "if (stream == first) marked(stream).block(first);"),
    Mutant("always_held", "libtorch/subjects/device_time-inl.hpp", "host_synchronized changes the key and nothing else",
           "clock.timers->make(clock.is_host_synchronized ? stream_use::unheld : stream_use::held);", "clock.timers->make(stream_use::held);"),
    Mutant("host_synchronized_lost", "libtorch/subjects/torch_subject-inl.hpp", "a subject that is made from a host-synchronized one is held",
           "    body.clock.is_host_synchronized = original.clock.is_host_synchronized;\n", ""),
    Mutant("moved_model_timed_as_before", "libtorch/settings/applied_settings-inl.hpp", "a model that moved is timed as on its old device",
           "    settle_clock(x, body);\n", ""),
    Mutant("outputs_elsewhere_not_awaited", "libtorch/subjects/torch_subject-inl.hpp", "work on another GPU than that of the inputs is timed as its process",
           "        require_waited_for(*this, outputs);\n", ""),
    Mutant("other_devices_not_awaited", "libtorch/subjects/torch_subject-inl.hpp", "work on a second GPU is timed as its process",
           "    for (const c10::Device each : *body.also_on) wait_for(each);\n", ""),
    Mutant("package_waits_in_queue", "libtorch/subjects/aot_inductor-inl.hpp", "runs of a package wait for each other while the stream is held",
           "model.waits_for_last = true;", "model.waits_for_last = false;"),
]
