// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/graphs/as_graph.hpp>
#include <perfspec/libtorch/graphs/model_graph.hpp>
#include <perfspec/libtorch/subjects/on_device-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/quantity/error.hpp>

#include <memory>
#include <string>

namespace perfspec {
namespace detail {

inline void check_graph(const subject& x) {
    const std::string call = "as_graph(\"" + std::string(x.name()) + "\"): ";
    const torch_body* const body = torch_body_of(x);
    if (body == nullptr)
        throw input_error(
            call +
            "only LibTorch's subjects are captured, such as perfspec::eager(…); a CUDA graph of yours is a subject by "
            "perfspec::cuda_graph(\"step\", executable)");
    if (body->model.trains)
        throw input_error(
            call + "it is trained, and a step makes new gradients, which a graph cannot: give the model, eager(…)");
    if (body->streams.count != 0)
        throw input_error(
            call +
            "it runs on several streams, and a graph replays one after the other: give the subject that it was made from");
    if (body->graph) throw input_error(call + "it is a graph already: give the subject that it was made from");
}

}  // namespace detail

inline namespace language {

subject as_graph(const subject& x) {
    detail::check_graph(x);
    subject made = detail::same_model(x);
    detail::subject_state& state = made.state();
    detail::torch_body& body = *detail::torch_body_of(made);
    body.graph = std::make_shared<detail::model_graph>(body.device);
    const bool is_loaded_apart = body.model.capturable != nullptr;
    if (is_loaded_apart) body.model = body.model.capturable();
    settle_clock(state, body);  // runs of a package wait for each other, replays of its graph do not
    // It is captured while the first sample is prepared, so the times that have loading in them have that, too.
    made.load([inner = x, is_loaded_apart] {
        if (!is_loaded_apart) detail::load_once(inner);
    });
    if (const std::string lacking = detail::why_no_graphs(body.device);
        !lacking.empty() && state.not_judged_reason.empty())
        made.lacks(lacking);
    state.hidden_operators =
        "\"" + state.name +
        "\" is replayed as a graph, and a replay calls no operators: give the subject that the graph "
        "was made from";
    state.hidden_memory =
        "\"" + state.name +
        "\" is replayed as a graph, whose memory was allocated when it was captured: give the subject that "
        "the graph was made from";
    made.axis("graph", "on");
    state.settings.emplace_back("graph");
    return made;
}

}  // namespace language
}  // namespace perfspec
