// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/eager.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace perfspec {
namespace detail {

/// What a training step consists of; the subject shares it with its body.
struct training_step {
    tensor_list parameters{};
    std::vector<std::string> parameter_names{};
    tensor_list buffers{};
    tensor_list saved{};  ///< values of parameters and buffers, from the start of the first sample on
    std::function<at::Tensor(const tensor_list& inputs)> loss{};
    std::function<void()> update{};  ///< the optimizer's step; empty: none
    bool drops_gradients{true};      ///< in each iteration, before forward
};

/// The names that the module gives its parameters, "conv1.weight"; else their order, "parameter 1".
template <class Module> std::vector<std::string> parameter_names_of(const Module& module) {
    if constexpr (requires { module->named_parameters().keys(); }) {
        return module->named_parameters().keys();
    } else {
        std::vector<std::string> names;
        for (std::size_t i = 1; i <= module->parameters().size(); ++i) names.push_back("parameter " + std::to_string(i));
        return names;
    }
}

[[nodiscard]] torch_model trained(const std::shared_ptr<training_step>& step);

template <class Call, class Module, class Loss> at::Tensor loss_of(Module& module, Loss& loss, const tensor_list& inputs) {
    return loss(Call::once(module, inputs));
}

template <class Module, class Loss> using loss_function = at::Tensor (*)(Module&, Loss&, const tensor_list&);

template <class Module, class Loss, std::size_t Inputs> constexpr loss_function<Module, Loss> loss_function_of() {
    using call = forward_call<Module, std::make_index_sequence<Inputs>>;
    if constexpr (call::possible) {
        static_assert(
            requires(Loss & l, Module & m, const tensor_list& given) {
                { l(call::once(m, given)) } -> std::convertible_to<at::Tensor>;
            },
            "perfspec: the loss of train() takes what forward() returns, and returns a tensor of one number");
        return loss_of<call, Module, Loss>;
    }
    return nullptr;
}

template <class Module, class Loss> loss_function<Module, Loss> find_loss_function(std::size_t inputs) {
    constexpr loss_function<Module, Loss> all[] = {loss_function_of<Module, Loss, 0>(), loss_function_of<Module, Loss, 1>(),
                                                   loss_function_of<Module, Loss, 2>(), loss_function_of<Module, Loss, 3>(),
                                                   loss_function_of<Module, Loss, 4>()};
    return inputs < std::size(all) ? all[inputs] : nullptr;
}

}  // namespace detail

/// The result of `train`: a subject with options for a step. Give them before `.axis(…)` and the like, which return a plain subject.
class training_subject : public subject {
public:
    /// Each iteration ends with `optimizer->step()`. The optimizer is shared with the caller. Its own state, such as momentum, stays after
    /// a sample.
    template <class Optimizer> training_subject& optimizer(std::shared_ptr<Optimizer> o) & {
        step_->update = [o = std::move(o)] { o->step(); };
        return *this;
    }
    /// Drops gradients before each sample, outside the clock, so they add up over its iterations. Without it each iteration drops them.
    training_subject& gradients_dropped_outside() & {
        step_->drops_gradients = false;
        return *this;
    }
    template <class Optimizer> training_subject&& optimizer(std::shared_ptr<Optimizer> o) && {
        return static_cast<training_subject&&>(optimizer(std::move(o)));
    }
    training_subject&& gradients_dropped_outside() && { return static_cast<training_subject&&>(gradients_dropped_outside()); }

private:
    template <class Module, class Loss> friend training_subject train(std::string_view name, Module module, tensor_list inputs, Loss loss);
    training_subject(const subject& made, std::shared_ptr<detail::training_step> step) : subject{made}, step_{std::move(step)} {}

    std::shared_ptr<detail::training_step> step_;
};

/// One iteration is one step of training: gradients are dropped (set to none), forward, loss, backward. There is no optimizer unless one is
/// given.
///
/// module  as for `eager`, in the mode that it is in: call `module->train()` first.
/// loss    takes what forward() returns, and returns a tensor of one number.
/// Parameters, buffers (such as running means) and random numbers are restored after each sample, outside the clock, to their values at the
/// start of the first sample. Gradients are dropped before each sample. So samples are alike, and the module stays as it was. `same_output`
/// compares the loss and the gradient of each parameter, by name.
/// Throws `input_error` if forward() does not take that many tensors.
///
///     net->train();
///     auto step = perfspec::train("step", net, images, [&](const at::Tensor& y) { return at::cross_entropy_loss(y, labels); })
///                     .optimizer(std::make_shared<torch::optim::SGD>(net->parameters(), 0.1));
///     PERF_CHECK(latency(step) < 1.05 * baseline());
template <class Module, class Loss>
[[nodiscard]] training_subject train(std::string_view name, Module module, tensor_list inputs, Loss loss) {
    const auto once = detail::find_loss_function<Module, Loss>(inputs.size());
    if (once == nullptr) detail::no_such_forward(name, inputs.size());
    auto step = std::make_shared<detail::training_step>();
    step->parameters = tensor_list{module->parameters()};
    step->parameter_names = detail::parameter_names_of(module);
    step->buffers = tensor_list{module->buffers()};
    step->loss = [module, loss = std::move(loss), once](const tensor_list& given) mutable { return once(module, loss, given); };
    return {detail::torch_subject(name, detail::trained(step), std::move(inputs)), step};
}

}  // namespace perfspec
