// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/queries.hpp>
#include <perfspec/libtorch/subjects/eager.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch::optim {
class Optimizer;
}  // namespace torch::optim

namespace perfspec::inline v0_2::detail {

/// How an optimizer is restored.
struct saved_optimizer {
    std::function<void()> restore{};       ///< before a sample: learning rates, and saved state
    std::function<void()> after_sample{};  ///< saves the state after the first sample, restores it after later ones
};

/// The parts of a training step; the subject shares it with its body.
struct training_step {
    tensor_list inputs{};
    tensor_list parameters{};
    std::vector<std::string> parameter_names{};
    tensor_list buffers{};
    tensor_list saved{};  ///< values of parameters and buffers, from the start of the first sample on
    std::function<void(const tensor_list& inputs)> forward{};
    std::function<at::Tensor()> loss{};  ///< of the output of forward
    std::function<void()> update{};      ///< the optimizer's step; empty: none
    saved_optimizer optimizer{};
    std::function<std::function<void()>()> make_schedule{};  ///< empty: none
    std::function<void()> schedule{};                        ///< the step of this sample's schedule
    unsigned passes{1};                                      ///< of forward, loss and backward before an update
};

/// Saves and restores the optimizer's options, and its state of each parameter.
[[nodiscard]] saved_optimizer save_optimizer(std::shared_ptr<torch::optim::Optimizer> optimizer);

/// Throws input_error for an optimizer of a parameter that the step's module lacks: nothing would restore it.
void require_own_parameters(const subject& of, const training_step& step, const torch::optim::Optimizer& optimizer);

[[nodiscard]] torch_model trained(const std::shared_ptr<training_step>& step);

/// The phases of a step that a subject runs as a whole. Throws input_error for a step of several passes.
[[nodiscard]] layered_subject phases_of(const subject& whole, const std::shared_ptr<training_step>& step);

/// Throws input_error for 0 passes.
void require_passes(const subject& step, unsigned passes);
}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {
namespace detail {

/// The module's names of its parameters, "conv1.weight", or "parameter 1" without names.
template <class Module> std::vector<std::string> parameter_names_of(const Module& module) {
    if constexpr (requires { module->named_parameters().keys(); }) {
        return module->named_parameters().keys();
    } else {
        std::vector<std::string> names;
        for (std::size_t i = 1; i <= module->parameters().size(); ++i)
            names.push_back("parameter " + std::to_string(i));
        return names;
    }
}

/// Forward passes its output to the loss.
template <class Call, class Module, class Loss> void forward_and_loss(training_step& step, Module& module, Loss& loss) {
    using output = std::decay_t<decltype(Call::once(module, step.inputs))>;
    static_assert(
        requires(output y) {
            { loss(std::move(y)) } -> std::convertible_to<at::Tensor>;
        },
        "perfspec: the loss of train() takes what forward() returns, and returns a tensor of one number");
    const auto passed = std::make_shared<std::optional<output>>();
    step.forward = [module, passed](const tensor_list& inputs) mutable { passed->emplace(Call::once(module, inputs)); };
    step.loss = [loss, passed]() mutable {
        at::Tensor value = loss(std::move(**passed));
        passed->reset();
        return value;
    };
}

/// Steps of a learning-rate schedule that `make` returns, by value or by pointer.
template <class Make> std::function<void()> steps_of_schedule(const Make& make) {
    const auto schedule = std::make_shared<std::decay_t<decltype(make())>>(make());
    if constexpr (requires { schedule->step(); }) {
        return [schedule] { schedule->step(); };
    } else {
        static_assert(
            requires { (*schedule)->step(); },
            "perfspec: schedule() takes a function that makes a schedule with step(), [&] { return torch::optim::StepLR(*o, 30, 0.1); }");
        return [schedule] { (*schedule)->step(); };
    }
}

}  // namespace detail

/// The result of `train`: a subject with options for a step. Set them before `.axis(…)` and similar functions, which
/// return a plain subject.
class training_subject : public subject {
public:
    /// Each iteration ends with `optimizer->step()`. The optimizer is shared with the caller.
    ///
    /// With SGD, Adam, AdamW, RMSprop and Adagrad of `torch::optim`, every sample after the first begins with the state
    /// at the end of the first one, such as momentum, and with the initial learning rates. Another class that derives
    /// from `torch::optim::Optimizer` and has state makes the subject *error*, because its samples would differ. Any
    /// other object with `step()` keeps its state. Throws input_error for an optimizer of `torch::optim` with a
    /// parameter that the module lacks: nothing would restore it.
    template <class Optimizer> training_subject& optimizer(std::shared_ptr<Optimizer> o) {
        static_assert(
            requires { o->step(); },
            "perfspec: optimizer() takes a std::shared_ptr to an object with step(), such as torch::optim::SGD; one that needs a closure, such "
            "as LBFGS, runs the model itself: judge it as perfspec::subject(\"step\", [&] { lbfgs.step(closure); })");
        if constexpr (std::derived_from<Optimizer, torch::optim::Optimizer>) {
            detail::require_own_parameters(*this, *step_, *o);
            step_->optimizer = detail::save_optimizer(o);
        }
        step_->update = [o = std::move(o)] { o->step(); };
        return *this;
    }
    /// Each iteration then calls `step()` of a learning-rate schedule. Each sample begins with a new one.
    ///
    ///     .optimizer(sgd).schedule([sgd] { return torch::optim::StepLR(*sgd, 30, 0.1); })
    template <class Make> training_subject& schedule(Make make) {
        step_->make_schedule = [make = std::move(make)] { return detail::steps_of_schedule(make); };
        return *this;
    }
    /// Each iteration runs forward, loss and backward n times before the optimizer's step, which gets the mean of the
    /// gradients. Throws input_error for 0.
    training_subject& accumulate(unsigned n) {
        detail::require_passes(*this, n);
        step_->passes = n;
        return *this;
    }
    /// The step in its phases: forward, loss, backward, and optimizer if there is one.
    /// Throws input_error for a step of several passes.
    ///
    ///     PERF_MEASURE(layers(step.phases()));
    [[nodiscard]] layered_subject phases() const { return detail::phases_of(*this, step_); }

private:
    template <class Module, class Loss>
    friend training_subject train(std::string_view name, Module module, tensor_list inputs, Loss loss);
    training_subject(const subject& made, std::shared_ptr<detail::training_step> step)
        : subject{made}, step_{std::move(step)} {}

    std::shared_ptr<detail::training_step> step_;
};

/// One iteration is one step of training: gradients are dropped (set to none), forward, loss, backward, and the
/// optimizer's step if `.optimizer(…)` sets one.
///
/// module  as for `eager`, in the mode that it is in: call `module->train()` first. Its dtype is that of the step.
/// loss    takes the result of forward(), and returns a tensor of one number.
/// Parameters, buffers (such as running means) and random numbers are restored after each sample, outside the clock, to
/// their values at the start of the first sample. Gradients are dropped before each sample. So samples are equal, and
/// the module does not change. `same_output` compares the loss and the gradient of each parameter, by name. Under
/// `configured(step, {.autocast = at::kBFloat16})`, forward and loss are cast, and backward follows them, as PyTorch
/// recommends. `peak_memory(x, including_load)` adds the bytes of parameters and buffers, which are in memory already;
/// the copies to restore do not count. Throws `input_error` if forward() does not take that many tensors.
///
///     net->train();
///     auto step = perfspec::train("step", net, images, [&](const at::Tensor& y) { return at::cross_entropy_loss(y,
///     labels); })
///                     .optimizer(std::make_shared<torch::optim::SGD>(net->parameters(), 0.1));
///     PERF_CHECK(latency(step) < 1.05 * baseline());
template <class Module, class Loss>
[[nodiscard]] training_subject train(std::string_view name, Module module, tensor_list inputs, Loss loss) {
    auto step = std::make_shared<detail::training_step>();
    detail::with_forward<Module>(name, inputs.size(),
                                 [&]<class Call>() { detail::forward_and_loss<Call>(*step, module, loss); });
    step->parameters = tensor_list{module->parameters()};
    step->parameter_names = detail::parameter_names_of(module);
    step->buffers = tensor_list{module->buffers()};
    step->inputs = std::move(inputs);
    return {detail::torch_subject(name, detail::trained(step), step->inputs), step};
}

}  // namespace perfspec::inline v0_2
