// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/outputs/accuracy-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/libtorch/training/training_step.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/TensorOperators.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// The state of optimizers: one object for each parameter, of a class for each optimizer. A copy by LibTorch shares the
// tensors, so the tensors of known classes are copied here.

namespace perfspec::inline v0_2::detail {

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
    const auto* const original = dynamic_cast<const State*>(&state);
    if (original == nullptr) return nullptr;
    auto copy = std::make_unique<State>(*original);
    for (at::Tensor* const each : tensors_in(*copy))
        if (each->defined()) *each = each->clone();
    return copy;
}

/// Restores a saved state in the present tensors. Returns whether both are of this class.
template <class State> bool restore_state(OptimizerParamState& state, const OptimizerParamState& saved) {
    auto* const to = dynamic_cast<State*>(&state);
    const auto* const from = dynamic_cast<const State*>(&saved);
    if (to == nullptr || from == nullptr) return false;
    State restored = *from;
    const state_tensors targets = tensors_in(*to);
    const state_tensors values = tensors_in(restored);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]->defined())
            *values[i] = targets[i]->defined() ? targets[i]->copy_(*values[i]) : values[i]->clone();
    *to = std::move(restored);
    return true;
}

/// A copy with tensors of its own; null for an unknown class.
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

    /// Throws for state of an unknown class.
    void restore() {
        const c10::AutoGradMode no_gradients{false};
        if (has_unknown_state_)
            throw std::runtime_error(
                "perfspec cannot restore the state of this optimizer, so samples would differ: give SGD, Adam, AdamW, "
                "RMSprop or Adagrad of torch::optim, or an object of your own class with step(), whose state is never "
                "restored");
        if (options_.empty()) save_options();
        for (std::size_t i = 0; i < options_.size(); ++i)
            if (options_[i]) of_->param_groups()[i].set_options(options_[i]->clone());
        if (has_state_) restore_states();
    }

    void after_sample() {
        if (!has_state_ && !of_->state().empty()) save_states();  // comparing outputs makes no step, so no state
        if (!has_unknown_state_) restore();
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

    void restore_states() {
        auto& now = of_->state();
        for (const auto& [parameter, saved] : states_) {
            std::unique_ptr<OptimizerParamState>& state = now[parameter];
            if (!state) {  // the program cleared it after a sample
                state = copied(*saved);
                continue;
            }
            for (const auto restore_as :
                 {restore_state<torch::optim::SGDParamState>, restore_state<torch::optim::AdamParamState>,
                  restore_state<torch::optim::AdamWParamState>, restore_state<torch::optim::RMSpropParamState>,
                  restore_state<torch::optim::AdagradParamState>})
                if (restore_as(*state, *saved)) break;
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
                ", so perfspec cannot restore it after a sample: give the optimizer module->parameters(), " +
                "or register that parameter in the module");
        }
}

saved_optimizer save_optimizer(std::shared_ptr<torch::optim::Optimizer> optimizer) {
    const auto state = std::make_shared<optimizer_state>(std::move(optimizer));
    return {[state] { state->restore(); }, [state] { state->after_sample(); }};
}

inline tensor_list state_of(const training_step& step) {
    tensor_list all = step.parameters;
    all.insert(all.end(), step.buffers.begin(), step.buffers.end());
    return all;
}

/// Saves the values of parameters and buffers on the first call, and restores them on later calls.
inline void save_or_restore(training_step& step) {
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

/// Restores the state at the start of the first sample.
inline void begin_sample(training_step& step) {
    save_or_restore(step);
    if (step.optimizer.restore) step.optimizer.restore();
    if (step.make_schedule) step.schedule = step.make_schedule();
    drop_gradients(step.parameters);
}

inline void end_sample(training_step& step) {
    save_or_restore(step);
    if (step.optimizer.after_sample) step.optimizer.after_sample();
}

/// Outside of autocast, because operators of a backward pass run in the dtypes of their forward pass.
inline void run_backward(const training_step& step, at::Tensor loss) {
    const c10::impl::ExcludeDispatchKeyGuard no_autocast{c10::autocast_dispatch_keyset};
    if (step.passes > 1) loss = loss / static_cast<double>(step.passes);
    loss.backward();
}

/// Ends an iteration: the optimizer's step and the schedule's.
inline void run_update(const training_step& step) {
    const c10::impl::ExcludeDispatchKeyGuard no_autocast{c10::autocast_dispatch_keyset};
    if (step.update) step.update();
    if (step.schedule) step.schedule();
}

/// All of an iteration but its update. Returns the loss of the last pass.
inline at::Tensor run_passes(const training_step& step, const tensor_list& inputs) {
    at::Tensor loss;
    drop_gradients(step.parameters);
    for (unsigned pass = 0; pass < step.passes; ++pass) {
        step.forward(inputs);
        loss = step.loss();
        run_backward(step, loss);
    }
    return loss.detach();
}

inline at::Tensor run_steps(const training_step& step, const tensor_list& inputs, std::uint64_t iterations) {
    at::Tensor loss;
    for (std::uint64_t i = 0; i < iterations; ++i) {
        loss = run_passes(step, inputs);
        run_update(step);
    }
    return loss;
}

/// The loss and the gradients of one step.
inline named_tensors results_of_step(const training_step& step, const tensor_list& inputs) {
    named_tensors results{{"loss", run_passes(step, inputs)}};
    for (std::size_t i = 0; i < step.parameters.size(); ++i) {
        const at::Tensor& gradient = step.parameters[i].mutable_grad();
        results.push_back({step.parameter_names[i], gradient.defined() ? gradient.detach().clone() : at::Tensor{},
                           tensor_role::gradient});
    }
    return results;
}

/// A model that trains, without its function `run`.
inline torch_model training_model(const std::shared_ptr<training_step>& step) {
    torch_model model;
    model.trains = true;
    model.dtype = floating_dtype(step->parameters);
    model.fixed_shapes = "it is trained, and its gradients are sums over the whole batch";
    model.state = [step] { return state_of(*step); };
    model.resident = model.state;
    model.ready = [step] { begin_sample(*step); };
    model.restore = [step] { end_sample(*step); };
    return model;
}

torch_model trained(const std::shared_ptr<training_step>& step) {
    torch_model model = training_model(step);
    model.run = [step](const tensor_list& inputs, std::uint64_t n) -> tensor_list {
        return run_steps(*step, inputs, n);
    };
    model.results = [step](const tensor_list& inputs) { return results_of_step(*step, inputs); };
    return model;
}

void require_passes(const subject& step, unsigned passes) {
    if (passes == 0)
        throw input_error("subject \"" + std::string(step.name()) +
                          "\": accumulate(0) runs nothing: give 1 or more passes");
}

/// A step in phases, and the loss that one phase passes to the next.
struct phase_chain {
    std::shared_ptr<training_step> step;
    at::Tensor loss{};
};

struct training_phase {
    const char* name;
    void (*run)(phase_chain& chain, const tensor_list& inputs);
};

inline std::vector<training_phase> phases_in(const training_step& step) {
    std::vector<training_phase> all{
        {"forward",
         [](phase_chain& c, const tensor_list& inputs) {
             drop_gradients(c.step->parameters);
             c.step->forward(inputs);
         }},
        {"loss", [](phase_chain& c, const tensor_list&) { c.loss = c.step->loss(); }},
        {"backward", [](phase_chain& c, const tensor_list&) { run_backward(*c.step, std::move(c.loss)); }},
    };
    if (step.update) all.push_back({"optimizer", [](phase_chain& c, const tensor_list&) { run_update(*c.step); }});
    return all;
}

/// Whether a subject of phases runs by itself, or after the one of the phase before it.
enum class phase_use : unsigned char { alone, in_order };

/// A subject of phases `from` to `to`. In order, only the first phase begins a sample, and only the last one ends it,
/// because a phase needs the results of the phase before.
inline subject subject_of_phases(std::string_view name, const std::shared_ptr<phase_chain>& chain, std::size_t from,
                                 std::size_t to, phase_use use) {
    const std::vector<training_phase> all = phases_in(*chain->step);
    torch_model model = training_model(chain->step);
    if (use == phase_use::in_order && from != 0) model.ready = {};
    if (use == phase_use::in_order && to != all.size()) model.restore = {};
    model.run = [chain, all, from, to](const tensor_list& inputs, std::uint64_t iterations) -> tensor_list {
        for (std::uint64_t n = 0; n < iterations; ++n)
            for (std::size_t i = from; i < to; ++i) all[i].run(*chain, inputs);
        return {};
    };
    return torch_subject(name, std::move(model), chain->step->inputs);
}

layered_subject phases_of(const subject& whole, const std::shared_ptr<training_step>& step) {
    if (step->passes != 1)
        throw input_error(
            "subject \"" + std::string(whole.name()) +
            "\": a step of several passes repeats its phases: measure the phases of a step without accumulate(…)");
    const auto chain = std::make_shared<phase_chain>(phase_chain{step});
    const std::vector<training_phase> all = phases_in(*step);
    std::vector<subject> prefixes, steps;
    for (std::size_t i = 0; i < all.size(); ++i) {
        prefixes.push_back(subject_of_phases(std::string("up to ") + all[i].name, chain, 0, i + 1, phase_use::alone));
        steps.push_back(subject_of_phases(all[i].name, chain, i, i + 1, phase_use::in_order));
    }
    return {whole, std::move(prefixes), std::move(steps)};
}

}  // namespace perfspec::inline v0_2::detail
