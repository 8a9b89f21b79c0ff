// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Models in a coarser dtype than their reference are verified by what the reference itself loses in it.
#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <catch2/generators/catch_generators_adapters.hpp>
#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::subject;
using enum perfspec::verification_code;
using perfspec::configured;
using perfspec::torch_settings;

/// A model of many products, whose rounding adds up to more than the tolerance of one.
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
    CHECK_THAT(wrong.text, ContainsSubstring("the reference's own") &&
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

/// A model of whole numbers, which rounds to the dtype of its parameter in each of many products that autocast leaves
/// as they are.
subject model_of_numbers(double factor, at::ScalarType type) {
    const at::Tensor growth = at::full({1}, 1.01 * factor, type);
    return fake::model(at::arange(1, 65),
                       [growth](const at::Tensor& in) {
                           at::Tensor y = in.to(growth.scalar_type());
                           for (int layer = 0; layer < 100; ++layer) y = y * growth;
                           return y;
                       },
                       {growth});
}

}  // namespace

TEST_CASE("a model of whole numbers that is in half precision itself is verified by what the reference loses in it",
          "[libtorch][unit]") {
    CHECK(fake::verify(model_of_numbers(1, at::kFloat), model_of_numbers(1, at::kBFloat16)).code == pass);
    CHECK(fake::verify(model_of_numbers(1, at::kFloat), model_of_numbers(1.02, at::kBFloat16)).code == fail);
}
