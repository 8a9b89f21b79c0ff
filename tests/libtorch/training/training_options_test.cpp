// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Passes, scaled losses, autocast, half precision and phases of a training step, on a module of PyTorch.
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include "fake_module.hpp"

#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::run_untimed;
using perfspec::train;
using torch::nn::Linear;

const at::Tensor input = at::full({2, 3}, 0.5F);

at::Tensor squares(const at::Tensor& y) { return y.to(at::kFloat).square().sum(); }

torch::nn::Sequential normalised() {
    torch::nn::Sequential net{torch::nn::Linear(3, 4), torch::nn::BatchNorm1d(4), torch::nn::Linear(4, 1)};
    net->train();
    return net;
}

/// Counts its steps.
struct counter {
    int steps{};
    void step() { ++steps; }
};

at::Tensor gradient_of(const perfspec::subject& step, const Linear& net) {
    run_untimed(step, 1);
    return net->weight.mutable_grad().clone();
}

}  // namespace

TEST_CASE("passes add their gradients up to the mean, and the optimizer steps after them", "[libtorch][unit]") {
    const Linear net{3, 2};
    const auto optimizer = std::make_shared<counter>();
    int losses = 0;
    const auto counted = [&losses](const at::Tensor& y) { return ++losses, squares(y); };
    const auto once = gradient_of(train("once", net, input, squares), net);
    const auto four = train("four", net, input, counted).optimizer(optimizer).accumulate(4);
    CHECK(at::allclose(gradient_of(four, net), once));
    CHECK(losses == 4);
    CHECK(optimizer->steps == 1);
    CHECK(fake::verify(train("once", net, input, squares), four).code == perfspec::verification_code::pass);
    CHECK_THROWS_MATCHES(train("none", net, input, squares).accumulate(0), perfspec::input_error,
                         MessageMatches(ContainsSubstring("accumulate(0) runs nothing")));
}

TEST_CASE("a scaled loss leaves the gradients as they are", "[libtorch][unit]") {
    const Linear net{3, 2};
    std::vector<float> largest;
    const auto plain = train("plain", net, input, squares);
    const auto scaled = train("scaled", net, input, squares).scaled(1024.0);
    CHECK(at::equal(gradient_of(plain, net), gradient_of(scaled, net)));  // a power of two scales exactly
    CHECK(fake::verify(plain, scaled).code == perfspec::verification_code::pass);
    for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::infinity()})
        CHECK_THROWS_AS(train("wrong", net, input, squares).scaled(wrong), perfspec::input_error);
}

TEST_CASE("a step whose gradients are not finite is left out and halves the scale, until the next sample",
          "[libtorch][unit]") {
    const Linear net{3, 2};
    const auto optimizer = std::make_shared<counter>();
    int losses = 0;
    // The bias has the gradient 2 * 1.5e37, and float32 overflows at 3.4e38: a scale of 16 is too much, one of 8 is
    // not.
    const auto large = [&losses](const at::Tensor& y) { return ++losses, y.sum() * 1.5e37; };
    const auto step = train("scaled", net, input, large).optimizer(optimizer).scaled(16.0);
    run_untimed(step, 3);
    CHECK(losses == 3);
    CHECK(optimizer->steps == 2);
    run_untimed(step, 3);
    CHECK(optimizer->steps == 4);
    const auto caveat = step.state().caveat;
    CHECK(
        caveat(step.storage()) ==
        "2 of 6 steps of the optimizer were left out, because a gradient was not finite, so their time lacks it: give a lower scale than "
        "scaled(16), and see that the gradients are finite without one");
    CHECK(caveat(step.storage()).empty());
    const auto finite = train("scaled", net, input, large).optimizer(optimizer).scaled(8.0);
    run_untimed(finite, 3);
    CHECK(caveat(finite.storage()).empty());
}

TEST_CASE("a sample in which the optimizer never steps is refused, and says what to do", "[libtorch][unit]") {
    const Linear net{3, 2};
    const auto optimizer = std::make_shared<counter>();
    const auto large = [](const at::Tensor& y) { return y.sum() * 1.5e37; };  // finite up to a scale of 8
    const auto step = train("scaled", net, input, large).optimizer(optimizer).scaled(65536.0);
    const auto says = ContainsSubstring(
        "no gradients of a sample were finite at the initial scale 65536 of the loss, so the optimizer made no "
        "step: give a lower scale, .scaled(1024), and see that the gradients are finite without one");
    CHECK_THROWS_MATCHES(run_untimed(step, 3), perfspec::measurement_failure, MessageMatches(says));
    CHECK(optimizer->steps == 0);
    const auto phases = step.phases();
    for (std::size_t i = 0; i + 1 < phases.steps().size(); ++i) run_untimed(phases.steps()[i], 1);
    CHECK_THROWS_MATCHES(run_untimed(phases.steps().back(), 1), perfspec::measurement_failure, MessageMatches(says));
    const perfspec::evaluation r = perfspec::evaluate(latency(step) < std::chrono::seconds(1));
    CHECK(r.verdict == perfspec::verdict::invalid);
    CHECK_THAT(r.reason, says);
    const auto at_first =
        train("scaled", net, input, large).optimizer(optimizer).scaled(16.0);  // later steps would not overflow
    CHECK(perfspec::evaluate(latency(at_first) < std::chrono::seconds(1)).verdict == perfspec::verdict::invalid);
    CHECK_NOTHROW(
        run_untimed(train("without", net, input, large).scaled(65536.0), 1));  // there is no step to leave out
}

TEST_CASE("autocast is for forward and loss, and the gradients are the parameters' own dtype", "[libtorch][unit]") {
    const Linear net{3, 2};
    std::vector<at::ScalarType> seen;
    const auto recorded = [&seen](const at::Tensor& y) {
        seen.push_back(y.scalar_type());
        return squares(y);
    };
    const auto step = train("step", net, input, recorded);
    run_untimed(configured(step, {.autocast = at::kBFloat16}), 1);
    run_untimed(step, 1);
    CHECK(seen == std::vector{at::kBFloat16, at::kFloat});
    CHECK(net->weight.mutable_grad().scalar_type() == at::kFloat);
    CHECK(fake::verify(step, configured(step, {.autocast = at::kBFloat16})).code == perfspec::verification_code::pass);
}

TEST_CASE("a module in half precision is trained in it, and says so among the axes", "[libtorch][unit]") {
    Linear net{3, 2};
    net->to(at::kBFloat16);
    const auto sgd = std::make_shared<torch::optim::SGD>(net->parameters(), 0.1);
    const auto step = train("step", net, input.to(at::kBFloat16), squares).optimizer(sgd);
    using axes = std::vector<std::pair<std::string, std::string>>;
    CHECK(step.state().axes == axes{{"dtype", "bfloat16"}, {"test", "train"}});
    CHECK(gradient_of(step, net).scalar_type() == at::kBFloat16);
}

TEST_CASE("the phases of a step are forward, loss, backward and optimizer, and leave the module as it was",
          "[libtorch][unit]") {
    auto net = normalised();
    const auto sgd =
        std::make_shared<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
    const at::Tensor x = at::randn({8, 3});
    const auto step = train("step", net, x, squares).optimizer(sgd);
    std::vector<at::Tensor> before;
    for (const auto& each : net->parameters()) before.push_back(each.detach().clone());
    for (const auto& each : net->buffers()) before.push_back(each.clone());
    const auto phases = step.phases();
    std::string names;
    for (const auto& each : phases.steps()) names.append(each.name()).append(" ");
    CHECK(names == "forward loss backward optimizer ");
    for (int round = 0; round < 3; ++round) {
        for (const auto& each : phases.steps()) run_untimed(each, 1);
        for (const auto& each : phases.prefixes()) run_untimed(each, 2);
        run_untimed(phases, 2);
    }
    auto after = net->parameters();
    for (const auto& each : net->buffers()) after.push_back(each);
    for (std::size_t i = 0; i < before.size(); ++i) CHECK(at::equal(before[i], after[i]));
}

TEST_CASE("a step without an optimizer has three phases, and one of several passes has none", "[libtorch][unit]") {
    auto net = normalised();
    const auto step = train("step", net, at::randn({8, 3}), squares);
    const auto phases = step.phases();
    CHECK(phases.steps().size() == 3);
    for (int round = 0; round < 2; ++round)
        for (const auto& each : phases.steps()) run_untimed(each, 1);
    CHECK_THROWS_MATCHES(train("step", net, at::randn({8, 3}), squares).accumulate(2).phases(), perfspec::input_error,
                         MessageMatches(ContainsSubstring("without accumulate(…)")));
}
