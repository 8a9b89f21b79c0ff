// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Models that read more of their inputs than values; and what they are given.
#include "fake_module.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_nested_tensor_from_tensor_list.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sparse_coo_tensor.h>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <vector>

namespace {

using fake::model;
using perfspec::subject;
using perfspec::verification;
using enum perfspec::verification_code;

at::Tensor twice(const at::Tensor& x) { return x * 2; }

at::Tensor ramp() { return at::arange(6, at::kFloat).view({2, 3}) + 1; }

verification verify_as_timed(const subject& reference, const subject& candidate) {
    return reference.state().functions->same_output_as_timed(reference.storage(), candidate.storage());
}

}  // namespace

TEST_CASE("a model that is right on copies alone fails as it is timed", "[libtorch][unit]") {
    const at::Tensor input = ramp();
    const auto knows_it = [&](const at::Tensor& x) { return x.is_same(input) ? x * 3 : twice(x); };
    CHECK(fake::verify(model(input, twice), model(input, knows_it)).code == pass);
    CHECK(verify_as_timed(model(input, twice), model(input, knows_it)).code == fail);
}

TEST_CASE("large sparse inputs and nested ones are compared as they are", "[libtorch][unit]") {
    constexpr std::int64_t n = 300'000;  // 360 GB of elements
    const at::Tensor edges = at::sparse_coo_tensor(at::arange(8).view({2, 4}) * 1000, at::ones({4}), {n, n}).coalesce();
    const auto sum = [](const at::Tensor& x) { return x.is_sparse() ? x._values().sum() : x.sum(); };
    CHECK(fake::verify(model(edges, sum), model(edges, sum)).code == pass);
    const at::Tensor nested = at::_nested_tensor_from_tensor_list({ramp(), ramp().slice(0, 0, 1)});
    CHECK(fake::verify(model(nested, [](const at::Tensor& x) { return at::ones({x.size(0)}); }),
                       model(nested, [](const at::Tensor& x) { return at::ones({x.size(0)}); }))
              .code == pass);
}

TEST_CASE("a kernel that does not look at strides fails on an input with gaps, and on an expanded one",
          "[libtorch][unit]") {
    const auto ignores_strides = [](const at::Tensor& x) { return twice(at::as_strided(x, x.sizes(), {3, 1})); };
    const at::Tensor gaps = at::cat({ramp(), ramp() * 7}, 1).slice(1, 0, 3), contiguous = ramp();
    const at::Tensor expanded =
        at::arange(12, at::kFloat).view({4, 3}).slice(0, 0, 2).t().slice(1, 0, 1).expand({3, 2}).t();
    CHECK(fake::verify(model(contiguous, twice), model(contiguous, ignores_strides)).code == pass);
    CHECK(fake::verify(model(gaps, twice), model(gaps, ignores_strides)).code == fail);
    CHECK(fake::verify(model(expanded, twice), model(expanded, twice)).code == pass);
    CHECK(verify_as_timed(model(gaps, twice), model(gaps, ignores_strides)).code == fail);
}

TEST_CASE("inputs of dtypes that PyTorch cannot compare are compared bit by bit", "[libtorch][unit]") {
    const auto widened = [](const at::Tensor& x) { return x.to(at::kFloat) * 2; };
    const at::Tensor input = ramp().to(at::kFloat8_e4m3fn);
    const at::Tensor same = ramp().to(at::kFloat8_e4m3fn), other = (ramp() + 1).to(at::kFloat8_e4m3fn);
    CHECK(fake::verify(model(input, widened), model(same, widened)).code == pass);
    CHECK(verify_as_timed(model(input, widened), model(same, widened)).code == pass);
    CHECK(fake::verify(model(input, widened), model(other, widened)).code == verifier_didnt_run);
    CHECK(fake::verify(model(input, [](const at::Tensor& x) { return x; }),
                       model(same, [](const at::Tensor& x) { return x; }))
              .code == pass);
}
