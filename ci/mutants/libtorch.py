# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in comparing the outputs of LibTorch's models."""
from .mutant import Mutant

REMEMBERED = "libtorch/outputs/remembered-inl.hpp"
VERIFY = "libtorch/outputs/verify-inl.hpp"
INPUTS = "libtorch/outputs/inputs-inl.hpp"
GRAPH = "libtorch/subjects/model_graph-inl.hpp"
AS_GRAPH = "libtorch/subjects/as_graph-inl.hpp"
SUBJECT = "libtorch/subjects/torch_subject-inl.hpp"

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
    # models in graphs
    Mutant("graphs_may_be_empty", GRAPH, "a graph that captured nothing holds", "        if (left[n] == 0 || (", "        if (left[n] != 0 || ("),
    Mutant("graphs_may_write_a_part", GRAPH, "a graph that writes a part of its outputs holds",
           "        if (left[n] == 0 || (", "        if (left[n] < output.numel() || ("),
    Mutant("kept_outputs_must_be_written", GRAPH, "a graph of a model that keeps an output of no input is refused",
           " || (!written_.empty() && is_kept(body, inputs, output, indices[n]))", ""),
    Mutant("unwritten_outputs_are_kept", GRAPH, "an output that is computed elsewhere is taken for one that the model keeps",
           "index < later.size() && destroyed.is_returned_again(later[index])", "true"),
    Mutant("all_outputs_may_be_kept", GRAPH, "a graph of a model that keeps all outputs holds", "(!written_.empty() && is_kept(", "(is_kept("),
    Mutant("outputs_of_zeros_are_unwritten", GRAPH, "a graph whose outputs are zeros is refused",
           "zeros[n].logical_and(ones[n])", "zeros[n]"),
    Mutant("outputs_of_ones_are_unwritten", GRAPH, "a graph whose outputs are ones is refused",
           "zeros[n].logical_and(ones[n])", "ones[n]"),
    Mutant("looks_draw_other_numbers", GRAPH, "a graph whose outputs are drawn zeros and ones is refused",
           "    const kept_random_numbers same{body.device};  // else what is drawn could be either value by turns\n", ""),
    Mutant("unseen_outputs_are_trusted", GRAPH, "a graph that has nothing to write holds", "    if (indices.empty())\n        throw", "    if (false)\n        throw"),
    Mutant("looked_at_outputs_stay_filled", GRAPH, "a model whose graph is refused has lost a tensor that it keeps",
           "        if (left[n] != 0) write_values(outputs[n], before[n]);  // the model may keep it\n", ""),
    Mutant("compared_outputs_are_not_destroyed", GRAPH, "a graph that stops writing its outputs holds",
           "    for (const at::Tensor& each : written_) destroy_values(each);\n", ""),
    Mutant("captured_inputs_are_not_halved", GRAPH, "a graph that copies what the processor computed once holds",
           "each.before * one_half", "each.before"),
    Mutant("halved_inputs_stay_halved", GRAPH, "a graph computes with other inputs than its model",
           "            for (const change& each : changed_) write_values(each.tensor, each.before);\n        } catch", "        } catch"),
    Mutant("shared_inputs_are_halved_twice", GRAPH, "inputs that share memory come back with other values",
           "            if (can_be_halved(each)) changed_.push_back({each.detach(), each.detach().clone()});\n"
           "        for (const change& each : changed_) write_values(each.tensor, each.before * one_half);\n",
           "            if (can_be_halved(each)) {\n"
           "                changed_.push_back({each.detach(), each.detach().clone()});\n"
           "                write_values(each.detach(), changed_.back().before * one_half);\n"
           "            }\n"),
    Mutant("captures_draw_random_numbers", GRAPH, "a graph of a model with dropout differs from the model",
           "    const kept_random_numbers random{body.device};\n", ""),
    Mutant("captures_stay_open", GRAPH, "after a capture that failed the stream still captures", "        if (ended_) return;\n", "        return;\n"),
    Mutant("graphs_stay_with_old_tensors", GRAPH, "a graph reads parameters that were replaced",
           "std::ranges::equal(a.tensors, b.tensors, is_same_memory)", "true"),
    Mutant("graphs_stay_under_old_settings", GRAPH, "a graph runs under settings that have changed", "return a.settings == b.settings && ", "return "),
    Mutant("every_sample_is_captured", GRAPH, "each sample captures the model again",
           "    if (graph_ && is_same(basis_, basis_of(body, inputs))) return;\n", ""),
    Mutant("graphs_are_captured_cold", GRAPH, "a model is captured in its first call", "constexpr int warm_calls = 3;", "constexpr int warm_calls = 0;"),
    Mutant("captured_on_the_stream_of_the_program", GRAPH, "a model is captured on the default stream, which CUDA refuses",
           "    const on_stream current{*side_};\n", ""),
    Mutant("samples_of_graphs_call_the_model", SUBJECT, "a sample of a graph calls the model",
           "    if (body.graph) return keep(body.graph->replay(iterations));\n", ""),
    Mutant("graphs_are_compared_by_their_model", SUBJECT, "the outputs of a wrong graph are not looked at",
           "    if (graph) return numbered(graph->compute(*this, given));\n", ""),
    Mutant("device_time_of_graphs_calls_the_model", SUBJECT, "device_time of a graph is that of the model",
           "    if (body.graph) return device_time_of(body.graph->device(), [&] { keep(body.graph->replay(1)); });\n", ""),
    Mutant("capturing_is_free", AS_GRAPH, "cold_start of a graph has no capture in it", "        body.graph->capture(body, body.inputs_to_run);\n", ""),
    Mutant("operators_of_graphs_are_none", AS_GRAPH, "op_count of a graph holds with 0", "    state.hidden_operators = ", "    const std::string unused = "),
    Mutant("memory_of_graphs_is_none", AS_GRAPH, "tensor_memory of a graph holds with 0", "    state.hidden_memory = ", "    const std::string unused = "),
    Mutant("steps_are_captured", AS_GRAPH, "a training step is captured", "    if (body->model.trains)\n", "    if (false)\n"),
    Mutant("graphs_on_the_processor", AS_GRAPH, "a graph on the processor is judged",
           "!lacking.empty() && state.not_judged_reason.empty()", "false"),
    Mutant("graphs_move_to_the_processor", "libtorch/settings/asked_settings-inl.hpp", "a run moves a graph to the processor",
           "    if (body.graph && !asked.device.empty())\n", "    if (false)\n"),
    Mutant("batches_of_graphs", "libtorch/subjects/largest_batch-inl.hpp", "largest_batch of a graph is that of its model", "    if (body->graph) throw", "    if (false) throw"),
    Mutant("configured_graphs", "libtorch/settings/torch_settings-inl.hpp", "settings of a graph drop the graph", "    if (original->graph)\n", "    if (false)\n"),
    Mutant("streams_of_graphs", "libtorch/subjects/streams-inl.hpp", "streams of a graph drop the graph", "    if (body != nullptr && body->graph)\n", "    if (false)\n"),
]
