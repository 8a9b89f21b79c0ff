// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/language/expression_node.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand_like.h>
#include <c10/core/InferenceMode.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::model;
using fake::verify;
using enum perfspec::verification_code;

const at::Tensor input = at::ones({2, 3});

at::Tensor twice(const at::Tensor& x) { return x * 2; }

}  // namespace

TEST_CASE("same_output keeps a LibTorch error to its first line, without the stack", "[libtorch][unit]") {
    const auto found = verify(model(input, twice), model(input, [](const auto& x) { return x.reshape({7}); }));
    CHECK(found.code == exception_raised);
    CHECK(found.text == "the candidate threw: shape '[7]' is invalid for input of size 6");
}

TEST_CASE("same_output seeds each run, so that random layers repeat themselves", "[libtorch][unit]") {
    const auto noisy = [](const at::Tensor& x) { return x + at::rand_like(x); };
    CHECK(verify(model(input, noisy), model(input, noisy)).code == pass);
}

TEST_CASE("same_output leaves random generator and determinism as they were", "[libtorch][unit]") {
    at::manual_seed(20240607);  // a known state, not that of an earlier verification
    const auto before = at::detail::getDefaultCPUGenerator().get_state();
    const auto noisy = [](const at::Tensor& x) { return x + at::rand_like(x); };
    bool deterministic_inside = false;
    std::ignore = verify(model(input, noisy), model(input, [&](const at::Tensor& x) {
                             deterministic_inside = at::globalContext().deterministicAlgorithms();
                             return noisy(x);
                         }));
    CHECK(deterministic_inside);
    CHECK_FALSE(at::globalContext().deterministicAlgorithms());
    CHECK(at::equal(before, at::detail::getDefaultCPUGenerator().get_state()));
}

TEST_CASE("same_output is VERIFIER_DIDNT_RUN for different inputs", "[libtorch][unit]") {
    CHECK(verify(model(input, twice), model(input + 1, twice)).code == verifier_didnt_run);
    CHECK(verify(model(input, twice), model(input.clone(), twice)).code == pass);
}

TEST_CASE("same_output is VERIFIER_DIDNT_RUN for outputs that cannot be compared", "[libtorch][unit]") {
    perfspec::detail::torch_model nowhere;
    nowhere.run = [](const auto& x, auto) { return x; };
    nowhere.results = [](const auto&) { return perfspec::detail::numbered(at::ones({2}, at::kMeta)); };
    const auto made = perfspec::detail::torch_subject("nowhere", nowhere, input);
    const auto found = verify(made, made);
    CHECK(found.code == verifier_didnt_run);
    CHECK_THAT(found.text, StartsWith("comparing the outputs threw: ") && !ContainsSubstring("\n"));
}

TEST_CASE("same_output is VERIFIER_DIDNT_RUN for a model that must not run, and does not run it", "[libtorch][unit]") {
    int runs = 0;
    const auto refused = perfspec::detail::torch_subject("refused",
                                                         {.run =
                                                              [&](const auto& x, auto) {
                                                                  ++runs;
                                                                  return x;
                                                              },
                                                          .error_reason = "compiled for another machine"},
                                                         input);
    const auto found = verify(model(input, twice), refused);
    CHECK(found.code == verifier_didnt_run);
    CHECK(found.text == "compiled for another machine");
    CHECK(runs == 0);
}

TEST_CASE("same_output shows both models fresh inputs", "[libtorch][unit]") {
    const auto in_place = [](const at::Tensor& x) { return x.mul_(2); };
    const auto mine = at::ones({2, 3});
    CHECK(verify(model(mine, in_place), model(mine, in_place)).code == pass);
    CHECK(at::equal(mine, at::ones({2, 3})));
}

TEST_CASE("same_output compares with the reference in double precision, and puts its parameters back",
          "[libtorch][unit]") {
    // In float the sum loses the 1 that double keeps: the candidate is right, the reference is not.
    const auto weight = at::full({1}, 1e8, at::kFloat);
    const auto data = weight.data_ptr();
    const auto ones = at::ones({1000});
    const auto reference = model(ones, [weight](const at::Tensor& x) { return (weight + x) - weight; }, {weight});
    const auto exact = model(ones, [](const at::Tensor& x) { return x * 1; });
    const auto wrong = model(ones, [](const at::Tensor& x) { return x * 4; });
    CHECK(verify(reference, exact).code == pass);
    CHECK(verify(reference, wrong).code == fail);
    CHECK(weight.scalar_type() == at::kFloat);
    CHECK(weight.data_ptr() == data);
}

TEST_CASE("same_output does without double precision where the reference cannot run in it", "[libtorch][unit]") {
    const auto single = [](const at::Tensor& x) {
        if (x.scalar_type() != at::kFloat) throw std::runtime_error{"only float"};
        return x * 2;
    };
    CHECK(verify(model(input, single), model(input, single)).code == pass);
    const auto found = verify(model(input, single), model(input, [](const auto& x) { return x * 3; }));
    CHECK(found.code == fail);
    CHECK_THAT(found.text, ContainsSubstring("no result in double precision"));
}

TEST_CASE("same_output runs models in inference mode", "[libtorch][unit]") {
    bool inference = false;
    std::ignore = verify(model(input, twice), model(input, [&](const at::Tensor& x) {
                             inference = c10::InferenceMode::is_enabled();
                             return x * 2;
                         }));
    CHECK(inference);
}

TEST_CASE("same_output takes an accuracy for LibTorch's subjects alone", "[libtorch][unit]") {
    const perfspec::subject plain{"plain", [] { return 1; }};
    CHECK_THROWS_MATCHES(same_output(model(input, twice), plain, perfspec::accuracy{}), perfspec::input_error,
                         Catch::Matchers::MessageMatches(ContainsSubstring("only LibTorch subjects, such as "
                                                                           "perfspec::eager(…), have an accuracy")));
}

TEST_CASE("same_output keeps the accuracy with the candidate for later claims", "[libtorch][unit]") {
    const auto reference = model(input, twice), candidate = model(input, [](const auto&x) { return x * 2.1; });
    CHECK(verify(reference, candidate).code == fail);
    std::ignore = same_output(reference, candidate, perfspec::accuracy{.tolerance = 0.05});
    CHECK(verify(reference, candidate).code == pass);
}

TEST_CASE("same_output on further inputs is VERIFIER_DIDNT_RUN where there are too few or too many of them",
          "[libtorch][unit]") {
    const auto candidate = model(input, twice);
    for (const auto& more : {perfspec::tensor_list{}, perfspec::tensor_list{input, input}}) {
        std::ignore = same_output(model(input, twice), candidate, perfspec::accuracy{.also_on = {more}});
        const auto found = verify(model(input, twice), candidate);
        CHECK(found.code == verifier_didnt_run);
        CHECK(found.text == "inputs in also_on cannot be used: it has " + std::to_string(more.size()) +
                                " tensors, but the models take 1");
    }
}
