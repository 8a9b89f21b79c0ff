// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/language/expression_node.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ones.h>

#include <c10/core/InferenceMode.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::hybrid;
using perfspec::layer_list;
using perfspec::layer_side;
using perfspec::layered;
using enum perfspec::verification_code;

const at::Tensor input = at::ones({2, 4});

perfspec::named_layer adds(std::string name, double n, std::string* calls = nullptr) {
    const auto run = [name, n, calls](const at::Tensor& x) {
        if (calls != nullptr) *calls += name;
        return x + n;
    };
    return {name, run};
}

perfspec::named_layer times(std::string name, double n) {
    return {std::move(name), [n](const at::Tensor& x) { return x * n; }};
}

/// A subject whose output is all of one number.
perfspec::subject all_of(double number) {
    return fake::model(input, [number](const at::Tensor& x) { return at::full_like(x, number); });
}

void run_once(const perfspec::subject& x) { x.state().functions->run(x.storage(), 1); }

struct module_in_layers {
    at::Tensor weight = at::full({2, 4}, 3.0);

    auto named_layers() {
        using function = std::function<at::Tensor(const at::Tensor&)>;
        return std::vector<std::pair<std::string, function>>{
            {"scale", [this](const at::Tensor& x) { return x * weight; }},
            {"shift", [](const at::Tensor& x) { return x + 1; }}};
    }
    at::Tensor forward(const at::Tensor& x) { return x * weight + 1; }
    std::vector<at::Tensor> parameters() const { return {weight}; }
    std::vector<at::Tensor> buffers() const { return {}; }
};

}  // namespace

TEST_CASE("layered runs its layers in their order", "[libtorch][unit]") {
    const auto net = layered("net", {adds("a", 2), times("b", 10), adds("c", 1)}, input);
    CHECK(net.name() == "net");
    CHECK(fake::verify(net, all_of(31)).code == pass);
    CHECK(fake::verify(net.prefixes()[0], all_of(3)).code == pass);
    CHECK(fake::verify(net.prefixes()[1], all_of(30)).code == pass);
    CHECK(fake::verify(net.prefixes()[2], net).code == pass);
}

TEST_CASE("the prefixes of a layered model run no layer behind them", "[libtorch][unit]") {
    std::string calls;
    const auto net = layered("net", {adds("a", 1, &calls), adds("b", 1, &calls), adds("c", 1, &calls)}, input);
    net.prefixes()[1].state().functions->run(net.prefixes()[1].storage(), 3);
    CHECK(calls == "ababab");
}

TEST_CASE("the steps of a layered model pass on their outputs, and start again", "[libtorch][unit]") {
    std::string calls;
    double last = 0.0;
    const auto reads = [&last](const at::Tensor& x) {
        last = x.max().item<double>();
        return x;
    };
    const auto net = layered("net", {adds("a", 2, &calls), adds("b", 5, &calls), {"c", reads}}, input);
    for (int pass = 0; pass < 2; ++pass) {
        for (const auto& step : net.steps()) run_once(step);
        CHECK(last == 8.0);
    }
    CHECK(calls == "abab");
    CHECK(net.steps()[1].name() == "b");
}

TEST_CASE("the layers of a model run without gradients", "[libtorch][unit]") {
    bool inference = false;
    const auto net = layered("net",
                             {{"a",
                               [&](const at::Tensor& x) {
                                   inference = c10::InferenceMode::is_enabled();
                                   return x;
                               }}},
                             input);
    run_once(net.steps()[0]);
    CHECK(inference);
}

TEST_CASE("layered takes a module that names its layers, and keeps it alive", "[libtorch][unit]") {
    auto module = std::make_shared<module_in_layers>();
    const auto net = layered("net", module, input);
    module.reset();
    REQUIRE(net.list().size() == 2);
    CHECK(net.list()[1].name == "shift");
    CHECK(fake::verify(net, all_of(4)).code == pass);
    CHECK(fake::verify(net.prefixes()[1], net).code == pass);
    CHECK(fake::verify(net.prefixes()[0], all_of(3)).code == pass);
}

TEST_CASE("layered rejects layers that cannot be distinguished or run", "[libtorch][unit]") {
    const auto fails_with = [](const char* text) { return MessageMatches(ContainsSubstring(text)); };
    CHECK_THROWS_MATCHES(layered("net", layer_list{}, input), perfspec::input_error,
                         fails_with("layered(\"net\"): it has no layers"));
    CHECK_THROWS_MATCHES(layered("net", {adds("a", 1), adds("a", 2)}, input), perfspec::input_error,
                         fails_with("two layers are called \"a\""));
    CHECK_THROWS_MATCHES(layered("net", {{"a", {}}}, input), perfspec::input_error,
                         fails_with("a layer has no name or no function"));
    CHECK_THROWS_MATCHES(layered("net", {adds("", 1)}, input), perfspec::input_error,
                         fails_with("a layer has no name or no function"));
}

TEST_CASE("hybrid runs each layer of the chosen variant", "[libtorch][unit]") {
    const auto first = layered("first", {adds("a", 1), adds("b", 2), adds("c", 4)}, input);
    const auto second = layered("second", {adds("a", 10), adds("b", 20), adds("c", 40)}, input);
    const std::vector<layer_side> choice{layer_side::first, layer_side::second, layer_side::first};
    CHECK(fake::verify(hybrid("mixed", {first, second}, choice), all_of(26)).code == pass);
    CHECK(fake::verify(hybrid("none", {first, second}, {}), all_of(71)).code == pass);
    CHECK(hybrid("mixed", {first, second}, choice).name() == "mixed");
}

TEST_CASE("hybrid runs each layer of the chosen variant of three", "[libtorch][unit]") {
    const auto a = layered("a", {adds("x", 1), adds("y", 2), adds("z", 4)}, input);
    const auto b = layered("b", {adds("x", 10), adds("y", 20), adds("z", 40)}, input);
    const auto c = layered("c", {adds("x", 100), adds("y", 200), adds("z", 400)}, input);
    const std::vector<layer_side> choice{layer_side::third, layer_side::first, layer_side::second};
    CHECK(fake::verify(hybrid("mixed", {a, b, c}, choice), all_of(143)).code == pass);
    CHECK(fake::verify(hybrid("none", {a, b, c}, {}), all_of(701)).code == pass);
    CHECK(hybrid("mixed", {a, b, c}, choice).prefixes().size() == 3);
}

TEST_CASE("hybrid rejects a choice of a variant that is not there, and a list of one", "[libtorch][unit]") {
    const auto a = layered("a", {adds("x", 1), adds("y", 2)}, input);
    const auto b = layered("b", {adds("x", 10), adds("y", 20)}, input);
    const std::vector<layer_side> choice{layer_side::first, layer_side::third};
    CHECK_THROWS_MATCHES(hybrid("mixed", {a, b}, choice), perfspec::input_error,
                         MessageMatches(ContainsSubstring("hybrid(\"mixed\"): the choice for \"y\" is variant 3, but "
                                                          "there are only 2")));
    CHECK_THROWS_MATCHES(hybrid("mixed", {a}, {}), perfspec::input_error,
                         MessageMatches(ContainsSubstring("there is one variant, but a mixture needs at least two")));
}

TEST_CASE("hybrid rejects variants that do not match, and half a choice", "[libtorch][unit]") {
    const auto first = layered("first", {adds("a", 1), adds("b", 2)}, input);
    const auto other = layered("other", {adds("a", 1), adds("c", 2)}, input);
    CHECK_THROWS_MATCHES(hybrid("mixed", {first, other}, {}), perfspec::input_error,
                         MessageMatches(ContainsSubstring("different layers")));
    CHECK_THROWS_MATCHES(hybrid("mixed", {first, first}, {layer_side::first}), perfspec::input_error,
                         MessageMatches(ContainsSubstring("the choice has 1 layers, but the variants have 2")));
}
