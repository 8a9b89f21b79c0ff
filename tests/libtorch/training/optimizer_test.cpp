// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Samples of a training step begin in the same state, with any state of the optimizer.
#include <torch/nn/modules/linear.h>

#include "fake_module.hpp"

#include <perfspec/libtorch.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <catch2/matchers/catch_matchers_range_equals.hpp>
#include <support/test.hpp>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/schedulers/step_lr.h>
#include <torch/optim/sgd.h>

namespace {

using namespace perfspec::testing;
using Catch::Matchers::RangeEquals;
using perfspec::run_untimed;
using perfspec::train;

bool is_close(float a, float b) { return std::abs(a - b) < 1e-6F; }

using weights = std::vector<float>;  ///< one for each forward pass

/// A linear layer of one weight, and its value in each pass.
struct recorded_layer {
    torch::nn::Linear layer = one_weight();
    std::shared_ptr<weights> seen = std::make_shared<weights>();

    static torch::nn::Linear one_weight() {
        torch::nn::Linear made{torch::nn::LinearOptions(1, 1).bias(false)};
        const torch::NoGradGuard no_gradients;
        made->weight.fill_(2.0F);
        return made;
    }

    [[nodiscard]] perfspec::training_subject step() const {
        const auto loss = [weight = layer->weight, seen = seen](const at::Tensor& y) {
            seen->push_back(weight.item<float>());
            return (y * y).sum();
        };
        return train("step", layer, at::full({1, 1}, 0.5F), loss);
    }

    /// The weights in a sample.
    [[nodiscard]] weights sample(const perfspec::subject& x, std::uint64_t steps = 3) const {
        seen->clear();
        run_untimed(x, steps);
        return *seen;
    }
};

/// An optimizer that hides its LibTorch type.
struct hidden {
    std::shared_ptr<torch::optim::Optimizer> inside;
    void step() { inside->step(); }
};

/// An optimizer with state of a class of its own.
struct counted_state : torch::optim::OptimizerCloneableParamState<counted_state> {};
class own_optimizer : public torch::optim::Optimizer {
public:
    explicit own_optimizer(std::vector<at::Tensor> parameters)
        : Optimizer({torch::optim::OptimizerParamGroup(std::move(parameters))},
                    std::make_unique<torch::optim::SGDOptions>(0.1)) {}
    at::Tensor step(LossClosure) override { return step(); }
    at::Tensor step() {
        state()[param_groups().front().params().front().unsafeGetTensorImpl()] = std::make_unique<counted_state>();
        return {};
    }
};

template <class Optimizer> std::shared_ptr<torch::optim::Optimizer> made(const recorded_layer& of, auto options) {
    return std::make_shared<Optimizer>(of.layer->parameters(), options);
}

std::vector<std::shared_ptr<torch::optim::Optimizer>> optimizers_with_state(const recorded_layer& of) {
    using namespace torch::optim;
    return {made<SGD>(of, SGDOptions(0.1).momentum(0.9)), made<Adam>(of, AdamOptions(0.1).amsgrad(true)),
            made<AdamW>(of, AdamWOptions(0.1)), made<RMSprop>(of, RMSpropOptions(0.1).momentum(0.9).centered(true)),
            made<Adagrad>(of, AdagradOptions(0.1))};
}

}  // namespace

TEST_CASE("each sample after the first begins with the optimizer's state that the first one left", "[libtorch][unit]") {
    const recorded_layer net;
    for (const auto& optimizer : optimizers_with_state(net)) {
        const auto step = net.step().optimizer(optimizer);
        const weights first = net.sample(step);
        CHECK(first.front() == 2.0F);
        const weights second = net.sample(step);
        CHECK(second.front() == 2.0F);
        CHECK(second != first);  // the first one began without state
        CHECK(net.sample(step) == second);
        CHECK(net.sample(step) == second);
        CHECK(net.layer->weight.item<float>() == 2.0F);
    }
}

TEST_CASE("the optimizer's state is restored, too, after outputs were compared before the first sample",
          "[libtorch][unit]") {
    const recorded_layer net;
    for (const auto& optimizer : optimizers_with_state(net)) {
        const auto step = net.step().optimizer(optimizer);
        CHECK(fake::verify(step, configured(step, {.threads = 1})).code == perfspec::verification_code::pass);
        static_cast<void>(net.sample(step));
        const weights second = net.sample(step);
        CHECK(net.sample(step) == second);
    }
}

TEST_CASE("the state of an optimizer that is not known to be one of LibTorch stays", "[libtorch][unit]") {
    const recorded_layer net;
    for (const auto& optimizer : optimizers_with_state(net)) {
        const auto step = net.step().optimizer(std::make_shared<hidden>(hidden{optimizer}));
        const weights first = net.sample(step);
        CHECK(net.sample(step) != first);
    }
}

TEST_CASE("an optimizer without state leaves samples equal", "[libtorch][unit]") {
    const recorded_layer net;
    const auto step = net.step().optimizer(std::make_shared<torch::optim::SGD>(net.layer->parameters(), 0.1));
    CHECK(net.sample(step) == weights{2.0F, 1.9F, 1.805F});  // each step takes 0.1 * 2 * 0.25 of the weight
    CHECK(net.sample(step) == weights{2.0F, 1.9F, 1.805F});
}

TEST_CASE("an optimizer of LibTorch whose state cannot be put back is refused at its second sample",
          "[libtorch][unit]") {
    const recorded_layer net;
    const auto step = net.step().optimizer(std::make_shared<own_optimizer>(net.layer->parameters()));
    run_untimed(step, 1);
    CHECK_THROWS_RECORDED(std::exception, run_untimed(step, 1));
}

TEST_CASE("state that the program clears between samples is put back like the rest", "[libtorch][unit]") {
    const recorded_layer net;
    for (const auto& optimizer : optimizers_with_state(net)) {
        const auto step = net.step().optimizer(optimizer);
        static_cast<void>(net.sample(step));
        const weights second = net.sample(step);
        optimizer->state().clear();
        CHECK(net.sample(step) == second);
        CHECK(net.sample(step) == second);
    }
}

TEST_CASE("an optimizer of a parameter that the module lacks is refused", "[libtorch][unit]") {
    const recorded_layer net;
    auto parameters = net.layer->parameters();
    parameters.push_back(at::full({2, 3}, 1.0F).requires_grad_());
    CHECK_THROWS_RECORDED(perfspec::input_error,
                          net.step().optimizer(std::make_shared<torch::optim::SGD>(parameters, 0.1)));
}

TEST_CASE("each sample begins with the learning rate of the beginning and a new schedule", "[libtorch][unit]") {
    const recorded_layer net;
    const auto sgd = std::make_shared<torch::optim::SGD>(net.layer->parameters(), 0.4);
    const auto step = net.step().optimizer(sgd).schedule([sgd] { return torch::optim::StepLR(*sgd, 1, 0.5); });
    const weights expected{
        2.0F, 1.6F, 1.28F,
        1.152F};  // 0.4 * 2 * 0.25 of the weight, after the schedule's second step half of that share
    CHECK_THAT(net.sample(step, 4), RangeEquals(expected, is_close));
    CHECK(sgd->param_groups().front().options().get_lr() == 0.4);
    CHECK_THAT(net.sample(step, 4), RangeEquals(expected, is_close));
    const auto by_pointer =
        net.step().optimizer(sgd).schedule([sgd] { return std::make_unique<torch::optim::StepLR>(*sgd, 1, 0.5); });
    CHECK_THAT(net.sample(by_pointer, 4), RangeEquals(expected, is_close));
}

namespace {

/// y = w * x, with a running count of calls as batch norm has its running mean.
struct scaling_module {
    at::Tensor weight = at::full({1}, 2.0f).requires_grad_();
    at::Tensor unused = at::full({1}, 5.0f).requires_grad_();
    at::Tensor calls = at::full({1}, 0.0f);
    std::vector<float> counted{};  ///< `calls` in each pass

    at::Tensor forward(const at::Tensor& x) {
        const at::NoGradGuard no_gradients;
        calls.add_(1);
        counted.push_back(calls.item<float>());
        const at::AutoGradMode gradients(true);
        return x * weight;
    }
    std::vector<at::Tensor> parameters() const { return {weight, unused}; }
    std::vector<at::Tensor> buffers() const { return {calls}; }
};

/// weight -= 0.25 * gradient
struct descent {
    at::Tensor weight;
    std::vector<float> weights{};  ///< after each step
    void step() {
        const at::NoGradGuard no_gradients;
        weight.sub_(weight.mutable_grad(), 0.25);
        weights.push_back(weight.item<float>());
    }
};

const at::Tensor input = at::full({4}, 3.0f);

at::Tensor total(const at::Tensor& y) { return y.sum(); }

void sample(const perfspec::subject& x, std::uint64_t iterations) { perfspec::run_untimed(x, iterations); }

}  // namespace

TEST_CASE("a training step is forward, loss and backward, with gradients of one iteration", "[libtorch][unit]") {
    const auto net = std::make_shared<scaling_module>();
    sample(train("step", net, input, total), 3);
    CHECK(net->weight.mutable_grad().item<float>() == 12.0f);  // the sum of x, once
    CHECK(net->weight.item<float>() == 2.0f);
    CHECK(net->counted == std::vector<float>{1, 2, 3});
}

TEST_CASE("a training step says so among its axes", "[libtorch][unit]") {
    using axes = std::vector<std::pair<std::string, std::string>>;
    CHECK(train("step", std::make_shared<scaling_module>(), input, total).state().axes == axes{{"test", "train"}});
}

TEST_CASE("samples of a training step begin in the same state: parameters and buffers are restored",
          "[libtorch][unit]") {
    const auto net = std::make_shared<scaling_module>();
    const auto optimizer = std::make_shared<descent>(net->weight);
    const auto step = train("step", net, input, total).optimizer(optimizer);
    sample(step, 2);
    CHECK(net->weight.item<float>() == 2.0f);  // the module is as it was
    CHECK(net->calls.item<float>() == 0.0f);
    sample(step, 1);
    CHECK(optimizer->weights == std::vector<float>{-1, -4, -1});
    CHECK(net->counted == std::vector<float>{1, 2, 1});
    CHECK(fake::verify(step, configured(step, {.threads = 1})).code == perfspec::verification_code::pass);
}

TEST_CASE("the outputs of a training step are its loss and its gradients", "[libtorch][unit]") {
    const auto net = std::make_shared<scaling_module>();
    const auto other = std::make_shared<scaling_module>();
    const auto same = fake::verify(train("a", net, input, total), train("b", other, input, total));
    CHECK(same.code == perfspec::verification_code::pass);
    CHECK_RECORDED(same.text);
    // The loss at one point agrees, its slope does not.
    const auto bent = [](const at::Tensor& y) { return y.sum() * 2 - y.sum().detach(); };
    CHECK(fake::verify(train("a", net, input, total), train("b", other, input, bent)).code ==
          perfspec::verification_code::fail);
}

TEST_CASE("train rejects inputs that forward does not take, and its parameters are not converted", "[libtorch][unit]") {
    const auto net = std::make_shared<scaling_module>();
    CHECK_THROWS_RECORDED(perfspec::input_error, train("pair", net, {input, input}, total));
    CHECK_THROWS_MATCHES(configured(train("step", net, input, total), {.dtype = at::kBFloat16}), perfspec::input_error,
                         MessageMatches(ContainsSubstring("because it is trained: convert the module itself")));
}
