// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>

#include <support/evaluate_record.hpp>
#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::model;
using perfspec::accuracy;
using perfspec::batch_rule;
using perfspec::subject;
using perfspec::tensor_list;
using perfspec::verdict;
using perfspec::verification;
using perfspec::detail::named_tensor, perfspec::detail::named_tensors;
using perfspec::detail::tensor_role;
using perfspec::detail::torch_model;
using enum perfspec::verification_code;

const at::Tensor input = at::arange(24, at::kFloat).reshape({8, 3});

at::Tensor twice(const at::Tensor& x) { return x * 2; }
at::Tensor thrice(const at::Tensor& x) { return x * 3; }
at::Tensor throwing(const at::Tensor&) { throw std::runtime_error{"no kernel for this"}; }

verification verify(const subject& reference, const subject& candidate, const accuracy& how) {
    std::ignore = same_output(reference, candidate, how);
    return fake::verify(reference, candidate);
}

double statistic(const verification& v, const char* name) {
    const auto found = std::ranges::find(v.statistics, name, &perfspec::detail::verification_statistic::name);
    return found == v.statistics.end() ? -1 : found->value;
}

/// A candidate that is wrong in its first runs.
subject wrong_at_first(int wrong) {
    return model(input,
                 [wrong, calls = 0](const at::Tensor& x) mutable { return ++calls <= wrong ? thrice(x) : twice(x); });
}

}  // namespace

TEST_CASE("same_output gives each code with its verdict and what the user reads", "[libtorch][unit]") {
    struct row {
        std::function<at::Tensor(const at::Tensor&)> reference, candidate;
        accuracy how;
        perfspec::verification_code code;
        verdict judged;
        const char* reason;
    };
    const auto random_order = [calls = 0](const at::Tensor& x) mutable { return x + ++calls % 5; };
    const auto r = GENERATE_COPY(values<row>({
        {twice, twice, {}, pass, verdict::holds, "output 1, float32[8,3]: within 0.0001 absolute plus relative"},
        {twice,
         thrice,
         {},
         fail,
         verdict::violated,
         "output 1, float32[8,3]: root mean square error against double precision 13.4, of the reference 0; allowed is "
         "3 times that plus 1e-05"},
        {throwing, twice, {}, eager_failed, verdict::error, "EAGER_FAILED: the reference threw: no kernel for this"},
        {twice,
         throwing,
         {},
         exception_raised,
         verdict::error,
         "EXCEPTION_RAISED: the candidate threw: no kernel for this"},
        {random_order,
         twice,
         {},
         nondeterministic_eager_run,
         verdict::error,
         "NONDETERMINISTIC_EAGER_RUN: two runs of the reference with the same seed differ\n"
         "output 1, float32[8,3]: 24 of 24 elements differ, by at most 1"},
        {twice,
         throwing,
         {.skipped = "draws its own random numbers"},
         verifier_skipped,
         verdict::skipped,
         "draws its own random numbers"},
        {twice,
         twice,
         {.batch = batch_rule::invariant},
         verifier_didnt_run,
         verdict::error,
         "VERIFIER_DIDNT_RUN: the two subjects have different inputs: give both the same tensors"},
    }));
    const auto reference = fake::named_model("code reference", input, r.reference);
    const auto candidate =
        fake::named_model("code candidate", r.code == verifier_didnt_run ? input + 1 : input, r.candidate);
    const auto found = evaluate_record(same_output(reference, candidate, r.how));
    REQUIRE(found.verified);
    CHECK(found.verified->code == r.code);
    CHECK(found.verdict == r.judged);
    CHECK(found.reason == r.reason);
}

namespace {

/// Right if the first value is not negative, like a model that was traced along one branch.
at::Tensor one_branch(const at::Tensor& x) { return x * 2; }
at::Tensor both_branches(const at::Tensor& x) { return x.flatten()[0].item<float>() < 0 ? x * 3 : x * 2; }

}  // namespace

TEST_CASE("same_output on further inputs finds what one input does not show", "[libtorch][unit]") {
    const auto more = perfspec::generated(
        [](std::uint64_t seed) {
            return tensor_list{at::full({2, 3}, seed == 2 ? -1.0 : 1.0)};
        },
        {1, 2});
    CHECK(fake::verify(model(input, both_branches), model(input, one_branch)).code == pass);
    const auto found = verify(model(input, both_branches), model(input, one_branch), {.also_on = more});
    CHECK(found.code == fail);
    CHECK_THAT(found.text,
               ContainsSubstring("on input 2 of 2 in also_on: output 1, float32[2,3]: root mean square error"));
    CHECK(statistic(found, "max_abs_error") == 1);
    const auto right = verify(model(input, both_branches), model(input, both_branches), {.also_on = more});
    CHECK(right.code == pass);
    CHECK_THAT(right.text, ContainsSubstring("\nand on 2 further inputs"));
}

TEST_CASE("generated draws from each seed, and leaves the program's random numbers as they were", "[libtorch][unit]") {
    at::manual_seed(5);
    const auto expected = at::rand({3});
    at::manual_seed(5);
    const auto draw = [](std::uint64_t) { return tensor_list{at::rand({3})}; };
    const auto twice_drawn = perfspec::generated(draw, {1, 2, 1});
    REQUIRE(twice_drawn.size() == 3);
    CHECK(at::equal(twice_drawn[0][0], twice_drawn[2][0]));
    CHECK_FALSE(at::equal(twice_drawn[0][0], twice_drawn[1][0]));
    CHECK(at::equal(at::rand({3}), expected));
}

TEST_CASE("same_output never runs a model on further inputs that it refuses", "[libtorch][unit]") {
    torch_model picky;
    picky.run = [](const tensor_list& x, auto) { return tensor_list{x[0] * 2}; };
    picky.refuses = [](const tensor_list& x) { return x[0].size(0) == 8 ? "" : "it was compiled for 8 rows"; };
    const auto candidate = perfspec::detail::torch_subject("picky", picky, input);
    CHECK(verify(model(input, twice), candidate, {.also_on = {input + 1}}).code == pass);
    const auto found = verify(model(input, twice), candidate, {.also_on = {at::ones({4, 3})}});
    CHECK(found.code == verifier_didnt_run);
    CHECK(found.text == "inputs in also_on cannot be used: it was compiled for 8 rows");
}

TEST_CASE("same_output over several runs is PASS where more than half of them are", "[libtorch][unit]") {
    const auto reference = model(input, twice);
    CHECK(verify(reference, wrong_at_first(1), {.runs = 3}).code == pass);
    CHECK(verify(reference, wrong_at_first(2), {.runs = 3}).code == fail);
    CHECK(verify(reference, wrong_at_first(1), {.runs = 2}).code == fail);
    const auto found = verify(reference, wrong_at_first(1), {.runs = 3});
    CHECK_THAT(found.text,
               ContainsSubstring(
                   "2 of 3 runs PASS, and a majority has to\nrun 1 of 3: output 1, float32[8,3]: root mean square"));
    CHECK(statistic(found, "runs") == 3);
    CHECK(statistic(found, "runs_passed") == 2);
}

TEST_CASE("same_output over several runs is EXCEPTION_RAISED where one throws", "[libtorch][unit]") {
    const auto candidate =
        model(input, [calls = 0](const at::Tensor& x) mutable { return ++calls == 2 ? throwing(x) : twice(x); });
    const auto found = verify(model(input, twice), candidate, {.runs = 3});
    CHECK(found.code == exception_raised);
    CHECK(found.text == "run 2 of 3: the candidate threw: no kernel for this");
}

TEST_CASE("same_output wants runs of the reference equal bit by bit, not within the tolerance", "[libtorch][unit]") {
    const auto drifting = model(input, [calls = 0](const at::Tensor& x) mutable { return x * (1 + 1e-6 * ++calls); });
    const auto found = verify(drifting, model(input, twice), {.tolerance = 0.5});
    CHECK(found.code == nondeterministic_eager_run);
    CHECK_THAT(statistic(found, "max_abs_error"),
               Catch::Matchers::WithinAbs(23e-6, 4e-6));  // of 23, the largest, by a float's last bits
}

TEST_CASE("same_output lets the reference specialize after its first run", "[libtorch][unit]") {
    const auto specialized =
        model(input, [calls = 0](const at::Tensor& x) mutable { return ++calls == 1 ? thrice(x) : twice(x); });
    CHECK(fake::verify(specialized, model(input, twice)).code == pass);
}

TEST_CASE("same_output sees a reference that returns what its next run changes", "[libtorch][unit]") {
    const auto sum = at::zeros({8, 3});
    const auto accumulating = model(input, [sum](const at::Tensor& x) mutable { return sum.add_(x); });
    CHECK(fake::verify(accumulating, model(input, twice)).code == nondeterministic_eager_run);
}

TEST_CASE("same_output reports that NaN of a reference do not agree", "[libtorch][unit]") {
    const auto nan = [](const at::Tensor& x) { return (x - 100).sqrt(); };
    const auto found = fake::verify(model(input, nan), model(input, nan));
    CHECK(found.code == nondeterministic_eager_run);
    CHECK_THAT(
        found.text,
        ContainsSubstring("output 1, float32[8,3]: the same; both hold NaN, which agree only with nan_rule::agree"));
    CHECK(verify(model(input, nan), model(input, nan), {.nan = perfspec::nan_rule::agree}).code == pass);
}

TEST_CASE("same_output by batch invariance passes what computes each row by itself", "[libtorch][unit]") {
    std::vector<std::int64_t> batches;
    const auto candidate = model(input, [&](const at::Tensor& x) {
        batches.push_back(x.size(0));
        return twice(x);
    });
    const auto found = verify(model(input, twice), candidate, {.batch = batch_rule::invariant});
    CHECK(found.code == pass);
    CHECK_THAT(found.text,
               ContainsSubstring("\nbatch invariant: smaller batches, down to one of the 8 rows, give the same bits"));
    CHECK(batches == std::vector<std::int64_t>{8, 8, 4, 2, 1});
}

TEST_CASE("same_output by batch invariance runs parts in the memory format of the whole", "[libtorch][unit]") {
    const auto images = at::arange(96, at::kFloat).reshape({8, 3, 2, 2}).contiguous(at::MemoryFormat::ChannelsLast);
    const auto candidate = model(
        images, [](const at::Tensor& x) { return x.is_contiguous(at::MemoryFormat::ChannelsLast) ? twice(x) : x; });
    CHECK(verify(model(images, twice), candidate, {.batch = batch_rule::invariant}).code == pass);
}

TEST_CASE("same_output by batch invariance is FAIL where a row depends on the others, by the last bit",
          "[libtorch][unit]") {
    const auto mixing = [](const at::Tensor& x) { return x * 2 + x.sum() * 1e-7; };
    CHECK(verify(model(input, mixing), model(input, mixing), {}).code == pass);
    const auto found = verify(model(input, mixing), model(input, mixing), {.batch = batch_rule::invariant});
    CHECK(found.code == fail);
    CHECK_THAT(found.text, ContainsSubstring("not batch invariant: with 4 of 8 rows, output 1 differs: "));
}

TEST_CASE("same_output by batch invariance is EXCEPTION_RAISED where a part of the batch throws", "[libtorch][unit]") {
    const auto candidate = model(input, [](const at::Tensor& x) { return x.size(0) < 4 ? throwing(x) : twice(x); });
    const auto found = verify(model(input, twice), candidate, {.batch = batch_rule::invariant});
    CHECK(found.code == exception_raised);
    CHECK(found.text == "for 2 of 8 rows, the candidate threw: no kernel for this");
}

TEST_CASE("same_output by batch invariance is VERIFIER_DIDNT_RUN where there is nothing to cut or to compare",
          "[libtorch][unit]") {
    const accuracy how{.batch = batch_rule::invariant};
    const auto one_row = verify(model(at::ones({1, 3}), twice), model(at::ones({1, 3}), twice), how);
    CHECK(one_row.code == verifier_didnt_run);
    CHECK_THAT(one_row.text, ContainsSubstring("no input has two rows"));
    const auto total = [](const at::Tensor& x) { return x.sum(); };
    const auto no_rows = verify(model(input, total), model(input, total), how);
    CHECK(no_rows.code == verifier_didnt_run);
    CHECK_THAT(no_rows.text, ContainsSubstring("no output has one row for each row of the batch"));
}

TEST_CASE("same_output by batch invariance never runs a model of fixed shapes", "[libtorch][unit]") {
    int runs = 0;
    torch_model fixed;
    fixed.run = [&](const tensor_list& x, auto) {
        ++runs;
        return x;
    };
    fixed.fixed_shapes = "the package was compiled for float32[8,3]";
    const auto found = verify(model(input, twice), perfspec::detail::torch_subject("fixed", fixed, input),
                              {.batch = batch_rule::invariant});
    CHECK(found.code == verifier_didnt_run);
    CHECK(found.text == "batch invariance cannot be checked, because the package was compiled for float32[8,3]");
    CHECK(runs == 0);
}

namespace {

/// A subject with these results to compare.
subject giving(const std::function<named_tensors()>& results) {
    torch_model made;
    made.run = [](const tensor_list& x, auto) { return x; };
    made.results = [results](const tensor_list&) { return results(); };
    return perfspec::detail::torch_subject("trained", made, input);
}

subject giving(const at::Tensor& gradient, const char* of = "weight") {
    return giving([=] { return named_tensors{{"loss", at::ones({})}, {of, gradient, tensor_role::gradient}}; });
}

}  // namespace

TEST_CASE("same_output compares gradients by their names", "[libtorch][unit]") {
    const auto ones = at::ones({3});
    const auto same = fake::verify(giving(ones), giving(ones.clone()));
    CHECK(same.code == pass);
    CHECK(same.text == "loss, float32[]: within 0.0001 absolute plus relative\n"
                       "gradient of weight, float32[3]: within 0.0001 absolute plus relative");
    const auto other = fake::verify(giving(ones), giving(ones * 1.1));
    CHECK(other.code == fail);
    CHECK_THAT(other.text, ContainsSubstring("gradient of weight, float32[3]: not within"));
    const auto of_bias = fake::verify(giving(ones), giving(ones, "bias"));
    CHECK(of_bias.code == fail);
    CHECK(of_bias.text == "gradient of bias, but the reference has gradient of weight");
}

TEST_CASE("same_output judges small gradients by the largest of all", "[libtorch][unit]") {
    const auto gradients = [](const at::Tensor& weight, const at::Tensor& bias) {
        return giving([=] {
            return named_tensors{{"loss", at::ones({})},
                                 {"weight", weight, tensor_role::gradient},
                                 {"bias", bias, tensor_role::gradient}};
        });
    };
    const auto ones = at::ones({3});
    CHECK(fake::verify(gradients(ones, ones * 1e-9), gradients(ones, ones * 3e-9)).code ==
          pass);  // of a bias before batch norm: noise
    CHECK(fake::verify(gradients(ones * 1e-6, ones * 1e-9), gradients(ones * 1.1e-6, ones * 1e-9)).code == fail);
    CHECK(fake::verify(gradients(ones * 1e-6, ones * 1e-9), gradients(at::zeros({3}), at::zeros({3}))).code == fail);
}

TEST_CASE("same_output takes a gradient that is not there for zeros", "[libtorch][unit]") {
    CHECK(fake::verify(giving(at::Tensor{}), giving(at::zeros({3}))).code == pass);
    CHECK(fake::verify(giving(at::zeros({3})), giving(at::Tensor{})).code == pass);
    CHECK(fake::verify(giving(at::Tensor{}), giving(at::Tensor{})).code == pass);
    CHECK(fake::verify(giving(at::Tensor{}), giving(at::ones({3}))).code == fail);
    CHECK(fake::verify(giving(at::ones({3})), giving(at::Tensor{})).code == fail);
}

TEST_CASE("same_output computes gradients in double precision too, and puts the parameters back", "[libtorch][unit]") {
    auto weight = at::full({3}, 0.1F).set_requires_grad(true);
    std::vector<at::ScalarType> ran_in;
    const auto trained = [&](double factor) {
        torch_model made;
        made.state = [weight] { return tensor_list{weight}; };
        made.run = [](const tensor_list& x, auto) { return x; };
        made.results = [=, &ran_in](const tensor_list& x) mutable {
            weight.mutable_grad() = at::Tensor{};
            const auto loss = (weight * x.front()).square().sum();
            loss.backward();
            ran_in.push_back(weight.grad().scalar_type());
            const auto gradient = weight.grad() * factor;
            weight.mutable_grad() = at::Tensor{};
            return named_tensors{{"loss", loss}, {"weight", gradient, tensor_role::gradient}};
        };
        return perfspec::detail::torch_subject("trained", made, input);
    };
    CHECK(fake::verify(trained(1), trained(1)).code == pass);
    CHECK(ran_in == std::vector<at::ScalarType>{at::kFloat, at::kFloat, at::kFloat});
    const auto wrong = fake::verify(trained(1), trained(1.01));
    CHECK(wrong.code == fail);
    CHECK_THAT(wrong.text,
               ContainsSubstring("gradient of weight, float32[3]: root mean square error against double precision"));
    CHECK(ran_in.back() == at::kDouble);
    CHECK(weight.scalar_type() == at::kFloat);
    CHECK(weight.requires_grad());
}

TEST_CASE("same_output computes in double precision from where the other runs begin", "[libtorch][unit]") {
    const auto weight = at::full({3}, 0.1F);
    const auto stepping = [&](double factor) {
        torch_model made;
        made.state = [weight] { return tensor_list{weight}; };
        made.restore = [weight]() mutable { weight.fill_(0.1F); };
        made.run = [](const tensor_list& x, auto) { return x; };
        made.results = [=](const tensor_list& x) mutable {
            const auto output = x.front() * weight * factor;
            weight.mul_(10);  // a step of an optimizer
            return named_tensors{{"output 1", output}};
        };
        return perfspec::detail::torch_subject("stepping", made, input);
    };
    const auto wrong = fake::verify(stepping(1), stepping(1.5));
    CHECK(wrong.code == fail);
    CHECK_THAT(statistic(wrong, "rmse_reference_double"), Catch::Matchers::WithinAbs(0, 1e-6));
}

TEST_CASE("same_output by batch invariance is VERIFIER_DIDNT_RUN for what is trained", "[libtorch][unit]") {
    const auto found = verify(giving(at::ones({3})), giving(at::ones({3})), {.batch = batch_rule::invariant});
    CHECK(found.code == verifier_didnt_run);
    CHECK(found.text == "batch invariance cannot be checked, because gradients are sums over the batch");
}

TEST_CASE("same_output makes a model ready under the settings under which it runs", "[libtorch][unit]") {
    const int wanted = at::get_num_threads() + 1;
    std::vector<int> threads;
    torch_model made;
    made.ready = [&threads] { threads.push_back(at::get_num_threads()); };
    made.run = [](const tensor_list& x, auto) { return tensor_list{x.front() * 2}; };
    const auto candidate = configured(perfspec::detail::torch_subject("threads", made, input), {.threads = wanted});
    CHECK(fake::verify(model(input, twice), candidate).code == pass);
    CHECK(threads == std::vector<int>(std::max<std::size_t>(threads.size(), 1), wanted));
}

TEST_CASE("same_output refuses an invalid accuracy on its request", "[libtorch][unit]") {
    CHECK_THROWS_AS(same_output(model(input, twice), model(input, twice), accuracy{.cosine = 2}),
                    perfspec::input_error);
}
