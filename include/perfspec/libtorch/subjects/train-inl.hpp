// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/train.hpp>

#include <c10/core/GradMode.h>

#include <memory>

namespace perfspec::detail {

inline tensor_list state_of(const training_step& step) {
    tensor_list all = step.parameters;
    all.insert(all.end(), step.buffers.begin(), step.buffers.end());
    return all;
}

/// Saves the values of parameters and buffers on the first call, and restores them on later calls.
inline void keep_or_put_back(training_step& step) {
    const c10::AutoGradMode no_gradients{false};
    const tensor_list state = state_of(step);
    const bool is_first = step.saved.empty();
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (is_first) step.saved.push_back(state[i].detach().clone());
        else if (i >= step.parameters.size() || step.update)
            state[i].copy_(step.saved[i]);  // without an optimizer nothing changes parameters
    }
}

inline void drop_gradients(const tensor_list& parameters) {
    for (const at::Tensor& each : parameters) each.mutable_grad().reset();
}

inline tensor_list run_steps(const training_step& step, const tensor_list& inputs, std::uint64_t iterations) {
    at::Tensor loss;
    for (; iterations != 0; --iterations) {
        if (step.drops_gradients) drop_gradients(step.parameters);
        loss = step.loss(inputs);
        loss.backward();
        if (step.update) step.update();
    }
    return loss.detach();
}

/// The loss and the gradients of one step.
inline named_tensors results_of_step(const training_step& step, const tensor_list& inputs) {
    named_tensors results{{"loss", run_steps(step, inputs, 1).front()}};
    for (std::size_t i = 0; i < step.parameters.size(); ++i) {
        const at::Tensor& gradient = step.parameters[i].mutable_grad();
        results.push_back({step.parameter_names[i], gradient.defined() ? gradient.detach().clone() : at::Tensor{}, tensor_role::gradient});
    }
    return results;
}

torch_model trained(const std::shared_ptr<training_step>& step) {
    torch_model model;
    model.trains = true;
    model.dtype = floating_dtype(step->parameters);
    model.run = [step](const tensor_list& inputs, std::uint64_t iterations) { return run_steps(*step, inputs, iterations); };
    model.results = [step](const tensor_list& inputs) { return results_of_step(*step, inputs); };
    model.fixed_shapes = "it is trained, and gradients are those of the whole batch";
    model.state = [step] { return state_of(*step); };
    model.ready = [step] { drop_gradients(step->parameters); };
    model.restore = [step] { keep_or_put_back(*step); };
    return model;
}

}  // namespace perfspec::detail
