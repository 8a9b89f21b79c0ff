// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/nextafter.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <tuple>

namespace {

using Catch::Matchers::ContainsSubstring;
using fake::model;
using perfspec::accuracy;
using perfspec::subject;
using perfspec::verification;
using enum perfspec::verification_code;

const at::Tensor input = at::arange(24, at::kFloat).reshape({8, 3});

at::Tensor twice(const at::Tensor& x) { return x * 2; }
at::Tensor thrice(const at::Tensor& x) { return x * 3; }

verification verify(const subject& reference, const subject& candidate, const accuracy& how) {
    std::ignore = same_output(reference, candidate, how);
    return fake::verify(reference, candidate);
}

}  // namespace

TEST_CASE("same_output tells the bits of outputs that PASS where golden ones are asked for", "[libtorch][unit]") {
    const accuracy kept{.golden = perfspec::golden_rule::kept};
    const auto next_float = [](const at::Tensor& x) { return at::nextafter(x, x + 1); };
    const auto found = verify(model(input, twice), model(input, twice), kept);
    CHECK(found.code == pass);
    REQUIRE(found.fingerprints.size() == 1);
    CHECK_THAT(found.fingerprints.front(), Catch::Matchers::Matches("output 1, float32\\[8,3\\]: [0-9a-f]{16}"));
    CHECK_THAT(found.made_by, Catch::Matchers::Matches("LibTorch [0-9.]+[^,]*, [0-9]+ threads"));
    CHECK(verify(model(input, twice), model(input, twice), kept).fingerprints == found.fingerprints);
    const auto off =
        model(input, [&](const at::Tensor& x) { return next_float(twice(x)); });  // every element by its last bit
    CHECK(verify(model(input, twice), off, kept).fingerprints != found.fingerprints);
    const auto strided = model(input, [](const at::Tensor& x) { return twice(x).t().contiguous().t(); });
    CHECK(verify(model(input, twice), strided, kept).fingerprints == found.fingerprints);
}

TEST_CASE("same_output tells no bits of outputs that FAIL, or that nobody asked for", "[libtorch][unit]") {
    CHECK(verify(model(input, twice), model(input, thrice), {.golden = perfspec::golden_rule::kept})
              .fingerprints.empty());
    CHECK(verify(model(input, twice), model(input, twice), {}).fingerprints.empty());
}

TEST_CASE("same_output is VERIFIER_DIDNT_RUN for golden outputs of a candidate whose runs differ", "[libtorch][unit]") {
    const auto drifting = model(input, [calls = 0](const at::Tensor& x) mutable { return x * (2 + 1e-6 * ++calls); });
    const auto found = verify(model(input, twice), drifting, {.golden = perfspec::golden_rule::kept});
    CHECK(found.code == verifier_didnt_run);
    CHECK_THAT(
        found.text,
        ContainsSubstring(
            "golden outputs were asked for, and two runs of the candidate differ\noutput 1, float32[8,3]: other"));
    CHECK(found.fingerprints.empty());
}
