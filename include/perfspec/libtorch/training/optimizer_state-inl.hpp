// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/accuracy-inl.hpp>
#include <perfspec/libtorch/training/training_step.hpp>
#include <perfspec/quantity/text.hpp>

#include <c10/core/GradMode.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// The state of optimizers: one object for each parameter, of a class of the optimizer's own. LibTorch's copy of it
// shares the tensors, so we copy those of the classes that we know.

namespace perfspec::detail {

using torch::optim::OptimizerOptions;
using torch::optim::OptimizerParamState;

using state_tensors = std::vector<at::Tensor*>;
inline state_tensors tensors_in(torch::optim::SGDParamState& s) { return {&s.momentum_buffer()}; }
inline state_tensors tensors_in(torch::optim::AdamParamState& s) {
    return {&s.exp_avg(), &s.exp_avg_sq(), &s.max_exp_avg_sq()};
}
inline state_tensors tensors_in(torch::optim::AdamWParamState& s) {
    return {&s.exp_avg(), &s.exp_avg_sq(), &s.max_exp_avg_sq()};
}
inline state_tensors tensors_in(torch::optim::RMSpropParamState& s) {
    return {&s.square_avg(), &s.momentum_buffer(), &s.grad_avg()};
}
inline state_tensors tensors_in(torch::optim::AdagradParamState& s) { return {&s.sum()}; }

/// A copy with tensors of its own; null for another class.
template <class State> std::unique_ptr<OptimizerParamState> copy_of(const OptimizerParamState& state) {
    const auto* const known = dynamic_cast<const State*>(&state);
    if (known == nullptr) return nullptr;
    auto made = std::make_unique<State>(*known);
    for (at::Tensor* const each : tensors_in(*made))
        if (each->defined()) *each = each->clone();
    return made;
}

/// Gives a state the values of a saved one, in the tensors that it has. Returns whether both are of this class.
template <class State> bool put_back_state(OptimizerParamState& state, const OptimizerParamState& saved) {
    auto* const to = dynamic_cast<State*>(&state);
    const auto* const from = dynamic_cast<const State*>(&saved);
    if (to == nullptr || from == nullptr) return false;
    State made = *from;
    const state_tensors targets = tensors_in(*to);
    const state_tensors values = tensors_in(made);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]->defined())
            *values[i] = targets[i]->defined() ? targets[i]->copy_(*values[i]) : values[i]->clone();
    *to = std::move(made);
    return true;
}

/// A copy with tensors of its own; null for a class that we do not know.
inline std::unique_ptr<OptimizerParamState> copied(const OptimizerParamState& state) {
    std::unique_ptr<OptimizerParamState> copy;
    for (const auto copy_as : {copy_of<torch::optim::SGDParamState>, copy_of<torch::optim::AdamParamState>,
                               copy_of<torch::optim::AdamWParamState>, copy_of<torch::optim::RMSpropParamState>,
                               copy_of<torch::optim::AdagradParamState>})
        if (!copy) copy = copy_as(state);
    return copy;
}

/// The state of an optimizer at one time.
class optimizer_state {
public:
    explicit optimizer_state(std::shared_ptr<torch::optim::Optimizer> of) : of_(std::move(of)) {}

    /// Throws for state of a class that we do not know.
    void put_back() {
        const c10::AutoGradMode no_gradients{false};
        if (has_unknown_state_)
            throw std::runtime_error(
                "the state of this optimizer cannot be put back, so samples would differ: give SGD, Adam, AdamW, RMSprop or Adagrad of "
                "torch::optim, or an object of a class of your own with step(), whose state stays");
        if (options_.empty()) save_options();
        for (std::size_t i = 0; i < options_.size(); ++i)
            if (options_[i]) of_->param_groups()[i].set_options(options_[i]->clone());
        if (has_state_) put_back_states();
    }

    void after_sample() {
        if (!has_state_) save_states();
        if (!has_unknown_state_) put_back();
    }

private:
    void save_options() {
        for (const auto& group : of_->param_groups())
            options_.push_back(group.has_options() ? group.options().clone() : nullptr);
    }

    void save_states() {
        const c10::AutoGradMode no_gradients{false};
        for (const auto& [parameter, state] : of_->state()) {
            std::unique_ptr<OptimizerParamState> copy = copied(*state);
            has_unknown_state_ = has_unknown_state_ || !copy;
            states_.emplace(parameter, std::move(copy));
        }
        has_state_ = true;
    }

    void put_back_states() {
        auto& now = of_->state();
        for (const auto& [parameter, saved] : states_) {
            std::unique_ptr<OptimizerParamState>& state = now[parameter];
            if (!state) {  // the program cleared it after a sample
                state = copied(*saved);
                continue;
            }
            for (const auto put_back_as :
                 {put_back_state<torch::optim::SGDParamState>, put_back_state<torch::optim::AdamParamState>,
                  put_back_state<torch::optim::AdamWParamState>, put_back_state<torch::optim::RMSpropParamState>,
                  put_back_state<torch::optim::AdagradParamState>})
                if (put_back_as(*state, *saved)) break;
        }
    }

    std::shared_ptr<torch::optim::Optimizer> of_;
    std::vector<std::unique_ptr<OptimizerOptions>> options_;
    std::map<void*, std::unique_ptr<OptimizerParamState>> states_;
    bool has_state_{};
    bool has_unknown_state_{};
};

void require_own_parameters(const subject& of, const training_step& step, const torch::optim::Optimizer& optimizer) {
    for (const auto& group : optimizer.param_groups())
        for (const at::Tensor& each : group.params()) {
            if (std::ranges::any_of(step.parameters, [&](const at::Tensor& own) { return own.is_same(each); }))
                continue;
            throw input_error(
                "subject \"" + std::string(of.name()) + "\": its optimizer holds a parameter that its module lacks, " +
                described(each) +
                ", which nothing would put back after a sample: give the optimizer module->parameters(), " +
                "or register that parameter in the module");
        }
}

kept_optimizer keep_optimizer(std::shared_ptr<torch::optim::Optimizer> optimizer) {
    const auto state = std::make_shared<optimizer_state>(std::move(optimizer));
    return {[state] { state->put_back(); }, [state] { state->after_sample(); }};
}

}  // namespace perfspec::detail
