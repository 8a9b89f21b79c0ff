// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/error.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using perfspec::train;

/// y = w * x, with a running count of calls as batch norm has its running mean.
struct scaling_module {
    at::Tensor weight = at::full({1}, 2.0f).requires_grad_();
    at::Tensor unused = at::full({1}, 5.0f).requires_grad_();
    at::Tensor calls = at::full({1}, 0.0f);
    std::vector<float> counted{};  ///< what `calls` was in each

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

TEST_CASE("gradients add up where they are dropped outside of the clock only", "[libtorch][unit]") {
    const auto net = std::make_shared<scaling_module>();
    const auto step = train("step", net, input, total).gradients_dropped_outside();
    sample(step, 3);
    CHECK(net->weight.mutable_grad().item<float>() == 36.0f);
    sample(step, 1);
    CHECK(net->weight.mutable_grad().item<float>() == 12.0f);
}

TEST_CASE("samples of a training step begin alike: parameters and buffers are put back", "[libtorch][unit]") {
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
    CHECK_THAT(same.text, ContainsSubstring("loss, float32[]"));
    CHECK_THAT(same.text, ContainsSubstring("gradient of parameter 1, float32[1]"));
    // The loss at one point agrees, its slope does not.
    const auto bent = [](const at::Tensor& y) { return y.sum() * 2 - y.sum().detach(); };
    CHECK(fake::verify(train("a", net, input, total), train("b", other, input, bent)).code ==
          perfspec::verification_code::fail);
}

TEST_CASE("train rejects inputs that forward does not take, and its parameters are not converted", "[libtorch][unit]") {
    const auto net = std::make_shared<scaling_module>();
    CHECK_THROWS_MATCHES(train("pair", net, {input, input}, total), perfspec::input_error,
                         MessageMatches(ContainsSubstring("forward() does not take 2 tensors")));
    CHECK_THROWS_MATCHES(configured(train("step", net, input, total), {.dtype = at::kBFloat16}), perfspec::input_error,
                         MessageMatches(ContainsSubstring("because it is trained: convert the module itself")));
}
