// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Samples of a training step begin alike, whatever the optimizer keeps.
#include <torch/nn/modules/linear.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/schedulers/step_lr.h>
#include <torch/optim/sgd.h>

#include <perfspec/libtorch.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/error.hpp>

#include <ATen/ops/full.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_range_equals.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::RangeEquals;
using perfspec::run_untimed;
using perfspec::train;

bool is_close(float a, float b) { return std::abs(a - b) < 1e-6F; }

using weights = std::vector<float>;  ///< one for each forward pass

/// A linear layer of one weight, and what the weight was in each pass.
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

/// An optimizer that does not show that it is one of LibTorch.
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

TEST_CASE("the state of an optimizer that is not known to be one of LibTorch stays", "[libtorch][unit]") {
    const recorded_layer net;
    for (const auto& optimizer : optimizers_with_state(net)) {
        const auto step = net.step().optimizer(std::make_shared<hidden>(hidden{optimizer}));
        const weights first = net.sample(step);
        CHECK(net.sample(step) != first);
    }
}

TEST_CASE("an optimizer without state leaves samples alike", "[libtorch][unit]") {
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
    CHECK_THROWS_MATCHES(run_untimed(step, 1), std::exception,
                         MessageMatches(ContainsSubstring("the state of this optimizer cannot be put back")));
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
    CHECK_THROWS_MATCHES(
        net.step().optimizer(std::make_shared<torch::optim::SGD>(parameters, 0.1)), perfspec::input_error,
        Message(
            "subject \"step\": its optimizer holds a parameter that its module lacks, float32[2,3], which nothing would "
            "put back after a sample: give the optimizer module->parameters(), or register that parameter in the module"));
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
