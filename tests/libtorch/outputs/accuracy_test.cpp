// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/libtorch.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <catch2/generators/catch_generators_adapters.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::accuracy;
using perfspec::compare_outputs;
using perfspec::tensor_list;
using enum perfspec::verification_code;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double statistic(const perfspec::verification& v, const char* name) {
    const auto found = std::ranges::find(v.statistics, name, &perfspec::detail::verification_statistic::name);
    return found == v.statistics.end() ? -1 : found->value;
}

/// A mask of 200 with ones in [from, to).
at::Tensor mask(std::int64_t from, std::int64_t to) {
    const auto places = at::arange(200);
    return (places >= from) & (places < to);
}

}  // namespace

TEST_CASE("compare_outputs by cosine similarity passes from it on", "[libtorch][unit]") {
    const auto reference = at::tensor({1.0F, 0.0F});
    const auto candidate = at::tensor({1.0F, 1.0F});  // 45 degrees
    CHECK(compare_outputs(reference, candidate, {.cosine = 0.70}).code == pass);
    const auto found = compare_outputs(reference, candidate, {.cosine = 0.71});
    CHECK(found.code == fail);
    CHECK(found.text == "output 1, float32[2]: cosine similarity 0.707107, expected at least 0.71");
    CHECK_THAT(statistic(found, "cosine_similarity"), WithinRel(std::sqrt(0.5), 1e-9));
}

TEST_CASE("compare_outputs by cosine similarity ignores a factor, and only on request", "[libtorch][unit]") {
    const auto reference = at::tensor({1.0F, 2.0F}), twice = reference * 2;
    CHECK(compare_outputs(reference, twice, {.cosine = 0.99}).code == pass);
    CHECK(compare_outputs(reference, twice).code == fail);
}

TEST_CASE("compare_outputs by cosine similarity fails for zeros, NaN and what points elsewhere", "[libtorch][unit]") {
    const auto ones = at::full({4}, 1.0);
    CHECK(compare_outputs(ones, at::zeros({4}), {.cosine = 0.01}).code == fail);
    CHECK(compare_outputs(ones, ones * not_a_number, {.cosine = 0.01}).code == fail);
    CHECK(compare_outputs(ones, -ones, {.cosine = 0.01}).code == fail);
}

TEST_CASE("compare_outputs does not judge a single element by its sign", "[libtorch][unit]") {
    const auto found = compare_outputs(at::full({1}, 1.0), at::full({1}, 2.0), {.cosine = 0.99});
    CHECK(found.code == fail);
    CHECK(statistic(found, "cosine_similarity") == -1);
}

TEST_CASE("compare_outputs by overlap passes masks from that intersection over union on", "[libtorch][unit]") {
    const auto reference = mask(0, 100);
    CHECK(compare_outputs(reference, mask(0, 99), {.mask_overlap = 0.99}).code == pass);
    const auto found = compare_outputs(reference, mask(2, 101), {.mask_overlap = 0.99});
    CHECK(found.code == fail);
    CHECK(found.text == "output 1, bool[200]: intersection over union, 98 of 101 elements, 0.970297, expected at least "
                        "0.99");
    CHECK_THAT(statistic(found, "mask_overlap"), WithinRel(98.0 / 101.0, 1e-9));
    CHECK(compare_outputs(reference, mask(0, 99)).code == fail);  // only on request
}

TEST_CASE("compare_outputs by overlap takes two empty masks for the same, and wants integers equal",
          "[libtorch][unit]") {
    CHECK(compare_outputs(mask(0, 0), mask(0, 0), {.mask_overlap = 0.99}).code == pass);
    CHECK(compare_outputs(mask(0, 0), mask(0, 1), {.mask_overlap = 0.01}).code == fail);
    CHECK(compare_outputs(at::arange(4), at::arange(4) + 1, {.mask_overlap = 0.01}).code == fail);
}

TEST_CASE("compare_outputs multiplies the reference's own error as the caller says", "[libtorch][unit]") {
    const auto exact = at::zeros({1000}, at::kDouble);
    const auto reference = at::full({1000}, 0.010, at::kFloat);
    const auto candidate = [](double error) { return at::full({1000}, -error, at::kFloat); };
    CHECK(compare_outputs(reference, candidate(0.0999), {.multiplier = 10}, exact).code == pass);
    CHECK(compare_outputs(reference, candidate(0.1001), {.multiplier = 10}, exact).code == fail);
}

TEST_CASE("compare_outputs reports the worst statistic of all outputs, and NaN is", "[libtorch][unit]") {
    const auto one = at::full({4}, 1.0), half = at::full({4}, 0.5);
    const auto found = compare_outputs({one, one}, {half, one}, {.cosine = 0.99});
    CHECK(statistic(found, "max_abs_error") == 0.5);
    const auto masks =
        compare_outputs({mask(0, 100), mask(0, 100)}, {mask(0, 50), mask(0, 100)}, {.mask_overlap = 0.4});
    CHECK(statistic(masks, "mask_overlap") == 0.5);
    CHECK(std::isnan(statistic(compare_outputs({one, one}, {one * not_a_number, half}), "max_abs_error")));
}

TEST_CASE("compare_outputs reports error statistics of complex numbers by their parts", "[libtorch][unit]") {
    const auto found = compare_outputs(at::complex(at::full({2}, 3.0), at::full({2}, 4.0)),
                                       at::complex(at::full({2}, 3.0), at::full({2}, 4.5)));
    CHECK(found.code == fail);
    CHECK(statistic(found, "max_abs_error") == 0.5);
    CHECK(statistic(found, "max_abs_reference") == 4);
}

TEST_CASE("compare_outputs reports only the differing ones of many outputs", "[libtorch][unit]") {
    tensor_list reference, candidate;
    for (int i = 0; i < 12; ++i) {
        reference.push_back(at::arange(3));
        candidate.push_back(i < 2 ? at::arange(3) + 1 : at::arange(3));
    }
    CHECK(compare_outputs(reference, candidate).text == "output 1, int64[3]: integers or booleans differ\n"
                                                        "output 2, int64[3]: integers or booleans differ\n"
                                                        "10 of 12 outputs and gradients agree");
    CHECK(compare_outputs(reference, reference).text == "12 of 12 outputs and gradients agree");
    for (auto& each : candidate) each = at::arange(3) + 1;
    CHECK_THAT(compare_outputs(reference, candidate).text,
               ContainsSubstring("output 8,") && !ContainsSubstring("output 9,"));
}

TEST_CASE("compare_outputs refuses an accuracy that means nothing", "[libtorch][unit]") {
    const auto [how, text] = GENERATE(table<accuracy, const char*>({
        {{.tolerance = -1}, "accuracy: tolerance is -1: give a number of at least 0, such as 0.01"},
        {{.tolerance = not_a_number}, "accuracy: tolerance is nan"},
        {{.multiplier = 0.5}, "accuracy: multiplier is 0.5: give a number of at least 1, such as 10"},
        {{.cosine = 1.01}, "accuracy: cosine is 1.01: give a similarity above 0 and up to 1, such as 0.99"},
        {{.mask_overlap = -0.1}, "accuracy: mask_overlap is -0.1: give a share above 0 and up to 1, such as 0.99"},
        {{.runs = 0}, "accuracy: runs is 0: give a number of at least 1, such as 3"},
    }));
    const auto x = at::arange(3);
    CHECK_THROWS_MATCHES(std::ignore = compare_outputs(x, x, how), perfspec::input_error,
                         Catch::Matchers::MessageMatches(ContainsSubstring(text)));
}

// Models in a coarser dtype than their reference are verified against the loss of the reference in that dtype.
namespace {

using perfspec::configured;
using perfspec::subject;
using perfspec::torch_settings;

/// A model of many products, whose rounding exceeds the tolerance of one.
subject deep_model(const at::Tensor& x, const at::Tensor& w) {
    return fake::model(x,
                       [w](const at::Tensor& in) {
                           at::Tensor y = in;
                           for (int layer = 0; layer < 30; ++layer) y = y.matmul(w);
                           return y;
                       },
                       {w});
}

/// A product with it changes no vector's length.
at::Tensor rotation() { return std::get<0>(at::linalg_qr(at::randn({64, 64}))).contiguous(); }

}  // namespace

TEST_CASE("a model in a coarser dtype is verified by what the reference itself loses in it", "[libtorch][unit]") {
    const auto type = GENERATE(at::kBFloat16, at::kHalf);
    const torch_settings setting =
        GENERATE(true, false) ? torch_settings{.dtype = type} : torch_settings{.autocast = type};
    at::manual_seed(3);
    const at::Tensor x = at::randn({64, 64}), w = rotation();
    const auto same = fake::verify(deep_model(x, w), configured(deep_model(x, w.clone()), setting));
    CHECK(same.code == pass);
    const auto wrong =
        fake::verify(deep_model(x, w), configured(deep_model(x, w * 1.01), setting));  // 1.01^30: a third larger
    CHECK(wrong.code == fail);
    CHECK_THAT(wrong.text, ContainsSubstring("of the reference") &&
                               ContainsSubstring(type == at::kHalf ? "in float16" : "in bfloat16"));
}

TEST_CASE("a model of half precision takes the inputs of the reference in half precision", "[libtorch][unit]") {
    at::manual_seed(3);
    const at::Tensor x = at::randn({64, 64}), w = rotation();
    const auto low = [&](double factor) { return deep_model(x.to(at::kBFloat16), (w * factor).to(at::kBFloat16)); };
    CHECK(fake::verify(deep_model(x, w), low(1)).code == pass);
    CHECK(fake::verify(deep_model(x, w), low(1.01)).code == fail);
    CHECK(fake::verify(deep_model(x + 0.1, w), low(1)).code == verifier_didnt_run);
    const auto candidate = low(1);
    std::ignore = same_output(deep_model(x, w), candidate, perfspec::accuracy{.also_on = {at::randn({32, 64})}});
    CHECK(fake::verify(deep_model(x, w), candidate).code == pass);
}

namespace {

/// A model of whole numbers. Each of its products, which autocast does not change, rounds to the dtype of its
/// parameter.
subject model_of_numbers(double factor, at::ScalarType type) {
    const at::Tensor complexity = at::full({1}, 1.01 * factor, type);
    return fake::model(at::arange(1, 65),
                       [complexity](const at::Tensor& in) {
                           at::Tensor y = in.to(complexity.scalar_type());
                           for (int layer = 0; layer < 100; ++layer) y = y * complexity;
                           return y;
                       },
                       {complexity});
}

}  // namespace

TEST_CASE("a model of whole numbers that is in half precision itself is verified by what the reference loses in it",
          "[libtorch][unit]") {
    CHECK(fake::verify(model_of_numbers(1, at::kFloat), model_of_numbers(1, at::kBFloat16)).code == pass);
    CHECK(fake::verify(model_of_numbers(1, at::kFloat), model_of_numbers(1.02, at::kBFloat16)).code == fail);
}
