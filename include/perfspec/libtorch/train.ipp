// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/train.hpp>

#include <c10/core/GradMode.h>

#include <memory>

namespace perfspec::detail {

/// Values of tensors as they were when it was made.
class saved_values {
public:
    explicit saved_values(const tensor_list& tensors) : tensors_(tensors) {
        for (const at::Tensor& each : tensors) values_.push_back(each.detach().clone());
    }

    void put_back() const {
        const c10::AutoGradMode no_gradients{false};
        for (std::size_t i = 0; i < values_.size(); ++i) tensors_[i].copy_(values_[i]);
    }

private:
    tensor_list tensors_;
    tensor_list values_;
};

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

torch_model trained(std::shared_ptr<training_step> step) {
    torch_model model;
    model.trains = true;
    model.run = [step](const tensor_list& inputs, std::uint64_t iterations) { return run_steps(*step, inputs, iterations); };
    model.results = [step](const tensor_list& inputs) { return results_of_step(*step, inputs); };
    model.fixed_shapes = "it is trained, and gradients are those of the whole batch";
    model.state = [step] {
        tensor_list all = step->parameters;
        all.insert(all.end(), step->buffers.begin(), step->buffers.end());
        return all;
    };
    model.restore = [step, buffers = saved_values(step->buffers), parameters = std::optional<saved_values>()]() mutable {
        drop_gradients(step->parameters);
        buffers.put_back();
        if (!step->update) return;  // nothing changes them
        if (parameters) parameters->put_back();
        else parameters.emplace(step->parameters);
    };
    return model;
}

}  // namespace perfspec::detail
