// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>

#include "fake_module.hpp"

#include <perfspec/language/expression_node.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::eager;
using enum perfspec::verification_code;

struct two_in_two_out : torch::nn::Module {
    int calls = 0;
    std::tuple<at::Tensor, at::Tensor> forward(const at::Tensor& a, const at::Tensor& b) {
        ++calls;
        return {a + b, a - b};
    }
};

const at::Tensor input = at::ones({2, 4});

}  // namespace

TEST_CASE("eager takes a torch::nn holder and a shared pointer to a module", "[libtorch][unit]") {
    torch::nn::Linear linear{4, 3};
    CHECK(fake::verify(eager("holder", linear, input), eager("pointer", linear.ptr(), input)).code == pass);
}

TEST_CASE("eager takes a Sequential", "[libtorch][unit]") {
    torch::nn::Linear first{4, 4}, second{4, 4};
    torch::nn::Sequential both{first, second};
    const auto by_hand = fake::model(input, [&](const at::Tensor& x) { return second(first(x)); });
    CHECK(fake::verify(eager("both", both, input), by_hand).code == pass);
}

TEST_CASE("a model whose output is on a device without a wait is an error", "[libtorch][unit]") {
    const auto leaves = fake::model(input, [](const at::Tensor& x) { return (x + 1).to(at::kMeta); });
    for (const auto& claim :
         {perfspec::latency(leaves) < std::chrono::hours(1), perfspec::cpu_time(leaves) < std::chrono::hours(1)}) {
        const auto found = evaluate(claim);
        CHECK(found.verdict == perfspec::verdict::error);
        CHECK_THAT(
            found.reason,
            ContainsSubstring(
                "an output of \"fake\" is on meta, but its first input is on cpu, so perfspec does not wait until the "
                "output is computed: first put that input on meta, or let the model return the output on cpu"));
    }
}

TEST_CASE("a model may return an output on the device of a parameter where outputs are compared", "[libtorch][unit]") {
    const auto to_meta = [](const at::Tensor& x) { return (x + 1).to(at::kMeta); };
    const auto split = fake::model(input, to_meta, {at::ones({2}, at::kMeta)});
    const auto found = fake::verify(split, split);
    CHECK(found.code == verifier_didnt_run);  // it has run, but tensors on meta have no values
    CHECK_THAT(found.text, StartsWith("comparing the outputs threw: "));
}

TEST_CASE("a model with parameters on a device without a wait is an error", "[libtorch][unit]") {
    const auto split =
        fake::model(input, [](const at::Tensor& x) { return x + 1; }, {at::ones({2}), at::ones({2}, at::kMeta)});
    const auto found = evaluate(perfspec::latency(split) < std::chrono::hours(1));
    CHECK(found.verdict == perfspec::verdict::error);
    CHECK_RECORDED(found.reason);
}

TEST_CASE("layered takes a Sequential, whose names are those of its modules", "[libtorch][unit]") {
    torch::nn::Sequential both{{{"up", torch::nn::Linear{4, 8}}, {"down", torch::nn::Linear{8, 3}}}};
    const auto net = perfspec::layered("net", both, input);
    REQUIRE(net.list().size() == 2);
    CHECK(net.list()[0].name == "up");
    CHECK(net.list()[1].name == "down");
    CHECK(fake::verify(eager("both", both, input), net.prefixes()[1]).code == pass);
}

TEST_CASE("eager passes several inputs and returns several outputs", "[libtorch][unit]") {
    auto module = std::make_shared<two_in_two_out>();
    const auto found = fake::verify(eager("a", module, {input, input}), eager("b", module, {input, input}));
    CHECK(found.code == pass);
    CHECK_THAT(found.text, ContainsSubstring("output 2, float32[2,4]"));
}

TEST_CASE("eager runs forward once an iteration", "[libtorch][unit]") {
    auto module = std::make_shared<two_in_two_out>();
    const auto subject = eager("counted", module, {input, input});
    subject.state().functions->run(subject.storage(), 7);
    CHECK(module->calls == 7);
}

TEST_CASE("eager shares the module with its owner", "[libtorch][unit]") {
    torch::nn::Linear linear{4, 3};
    const auto before = fake::model(input, [saved = linear->forward(input).detach()](const auto&) { return saved; });
    const auto subject = eager("linear", linear, input);
    CHECK(fake::verify(before, subject).code == pass);
    {
        const torch::NoGradGuard no_gradients;
        linear->bias.add_(1);
    }
    CHECK(fake::verify(before, subject).code == fail);
}

TEST_CASE("eager compares a module in double precision and puts its parameters back", "[libtorch][unit]") {
    torch::nn::Linear linear{4, 3};
    const auto weight = linear->weight.data_ptr();
    const auto off = fake::model(input, [&](const at::Tensor& x) { return linear(x) + 1; });
    const auto found = fake::verify(eager("linear", linear, input), off);
    CHECK(found.code == fail);
    CHECK_THAT(found.text, ContainsSubstring("root mean square error against double precision"));
    CHECK(linear->weight.scalar_type() == at::kFloat);
    CHECK(linear->weight.data_ptr() == weight);
    CHECK(linear->weight.requires_grad());
}

TEST_CASE("eager rejects a number of inputs that forward does not take", "[libtorch][unit]") {
    CHECK_THROWS_RECORDED(perfspec::input_error, eager("pair", std::make_shared<two_in_two_out>(), input));
}

TEST_CASE("eager rejects an undefined input", "[libtorch][unit]") {
    CHECK_THROWS_MATCHES(eager("pair", std::make_shared<two_in_two_out>(), {input, at::Tensor{}}),
                         perfspec::input_error, MessageMatches(ContainsSubstring("input 2 is an undefined tensor")));
}
