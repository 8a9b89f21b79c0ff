// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Passes, autocast, half precision and phases of a training step, on a module of PyTorch.
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include "fake_module.hpp"

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

torch::nn::Sequential normalized() {
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
    CHECK_THROWS_RECORDED(perfspec::input_error, train("none", net, input, squares).accumulate(0));
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
    auto net = normalized();
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

TEST_CASE("each prefix of a step leaves the buffers of its module as they were", "[libtorch][unit]") {
    auto net = normalized();
    std::vector<at::Tensor> before;
    for (const auto& each : net->buffers()) before.push_back(each.clone());
    const auto phases = train("step", net, at::randn({8, 3}), squares).phases();
    for (const auto& prefix : phases.prefixes()) {
        run_untimed(prefix, 2);
        const auto after = net->buffers();
        for (std::size_t i = 0; i < before.size(); ++i) CHECK(at::equal(before[i], after[i]));
    }
}

TEST_CASE("a step without an optimizer has three phases, and one of several passes has none", "[libtorch][unit]") {
    auto net = normalized();
    const auto step = train("step", net, at::randn({8, 3}), squares);
    const auto phases = step.phases();
    CHECK(phases.steps().size() == 3);
    for (int round = 0; round < 2; ++round)
        for (const auto& each : phases.steps()) run_untimed(each, 1);
    CHECK_THROWS_RECORDED(perfspec::input_error, train("step", net, at::randn({8, 3}), squares).accumulate(2).phases());
}
