// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Models that depend on more than the values of their inputs.
#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/_nested_tensor_from_tensor_list.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/nextafter.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/zeros.h>

#include <support/evaluate_record.hpp>
#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::model;
using perfspec::accuracy;
using perfspec::subject;
using perfspec::tensor_list;
using perfspec::verdict;
using perfspec::verification;
using perfspec::detail::torch_model;
using enum perfspec::verification_code;

at::Tensor twice(const at::Tensor& x) { return x * 2; }
at::Tensor thrice(const at::Tensor& x) { return x * 3; }
at::Tensor throwing(const at::Tensor&) { throw std::runtime_error{"no kernel for this"}; }
at::Tensor exhausting(const at::Tensor&) { return at::zeros({1LL << 55}); }

at::Tensor ramp() { return at::arange(6, at::kFloat).view({2, 3}) + 1; }
const at::Tensor rows = at::arange(24, at::kFloat).reshape({8, 3});

verification verify(const subject& reference, const subject& candidate, const accuracy& how) {
    std::ignore = same_output(reference, candidate, how);
    return fake::verify(reference, candidate);
}

/// A model whose load step throws.
subject unloadable() {
    torch_model made;
    made.run = [](const tensor_list& given, std::uint64_t) { return given; };
    made.ready = [] { throw std::runtime_error{"no such file"}; };
    return perfspec::detail::torch_subject("unloadable", made, rows);
}

}  // namespace

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
}

TEST_CASE("inputs of dtypes that PyTorch cannot compare are compared bit by bit", "[libtorch][unit]") {
    const auto widened = [](const at::Tensor& x) { return x.to(at::kFloat) * 2; };
    const at::Tensor input = ramp().to(at::kFloat8_e4m3fn);
    const at::Tensor same = ramp().to(at::kFloat8_e4m3fn), other = (ramp() + 1).to(at::kFloat8_e4m3fn);
    CHECK(fake::verify(model(input, widened), model(same, widened)).code == pass);
    CHECK(fake::verify(model(input, widened), model(other, widened)).code == verifier_didnt_run);
    CHECK(fake::verify(model(input, [](const at::Tensor& x) { return x; }),
                       model(same, [](const at::Tensor& x) { return x; }))
              .code == pass);
}

TEST_CASE("same_output reports the bits of outputs that PASS if golden ones are requested", "[libtorch][unit]") {
    const accuracy kept{.golden = perfspec::golden_rule::kept};
    const auto next_float = [](const at::Tensor& x) { return at::nextafter(x, x + 1); };
    const auto found = verify(model(rows, twice), model(rows, twice), kept);
    CHECK(found.code == pass);
    REQUIRE(found.fingerprints.size() == 1);
    CHECK_THAT(found.fingerprints.front(), Catch::Matchers::Matches("output 1, float32\\[8,3\\]: [0-9a-f]{16}"));
    CHECK_THAT(found.made_by, Catch::Matchers::Matches("LibTorch [0-9.]+[^,]*, [0-9]+ threads"));
    CHECK(verify(model(rows, twice), model(rows, twice), kept).fingerprints == found.fingerprints);
    const auto off =
        model(rows, [&](const at::Tensor& x) { return next_float(twice(x)); });  // every element by its last bit
    CHECK(verify(model(rows, twice), off, kept).fingerprints != found.fingerprints);
    const auto strided = model(rows, [](const at::Tensor& x) { return twice(x).t().contiguous().t(); });
    CHECK(verify(model(rows, twice), strided, kept).fingerprints == found.fingerprints);
}

TEST_CASE("same_output reports no bits of outputs that FAIL, or without a request", "[libtorch][unit]") {
    CHECK(
        verify(model(rows, twice), model(rows, thrice), {.golden = perfspec::golden_rule::kept}).fingerprints.empty());
    CHECK(verify(model(rows, twice), model(rows, twice), {}).fingerprints.empty());
}

TEST_CASE("same_output is VERIFIER_DIDNT_RUN for golden outputs of a candidate whose runs differ", "[libtorch][unit]") {
    const auto drifting = model(rows, [calls = 0](const at::Tensor& x) mutable { return x * (2 + 1e-6 * ++calls); });
    const auto found = verify(model(rows, twice), drifting, {.golden = perfspec::golden_rule::kept});
    CHECK(found.code == verifier_didnt_run);
    CHECK_THAT(
        found.text,
        ContainsSubstring(
            "golden outputs need a deterministic candidate, but two runs of it differ\noutput 1, float32[8,3]: "));
    CHECK(found.fingerprints.empty());
}

TEST_CASE("same_output has codes for a lack of memory and for a model that cannot be loaded", "[libtorch][unit]") {
    const verification reference = fake::verify(model(rows, exhausting), model(rows, twice));
    CHECK(reference.code == eager_out_of_memory);
    CHECK_THAT(reference.text, StartsWith("the reference ran out of memory: "));
    const verification candidate = fake::verify(model(rows, twice), model(rows, exhausting));
    CHECK(candidate.code == out_of_memory);
    CHECK_THAT(candidate.text, StartsWith("the candidate ran out of memory: "));
    CHECK(fake::verify(unloadable(), model(rows, twice)).code == load_failed);
    const verification unloaded = fake::verify(model(rows, [](const at::Tensor& x) { return x; }), unloadable());
    CHECK(unloaded.code == load_failed);
    CHECK(unloaded.text == "the candidate could not be loaded: no such file");
}

TEST_CASE("what keeps a model from being timed has a code in its record", "[libtorch][unit]") {
    const auto exhausted =
        evaluate_record(latency(fake::named_model("exhausting", rows, exhausting)) < std::chrono::seconds(1));
    CHECK(exhausted.verdict == verdict::error);
    CHECK(exhausted.failure == perfspec::failure_kind::out_of_memory);
    CHECK(exhausted.reason.find('\n') == std::string::npos);  // no stack trace
    const auto thrown =
        evaluate_record(latency(fake::named_model("throwing", rows, throwing)) < std::chrono::seconds(1));
    CHECK(thrown.failure == perfspec::failure_kind::body_threw);
}
