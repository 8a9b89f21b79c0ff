// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <cstdint>
#include <stdexcept>

namespace {

using Catch::Matchers::StartsWith;
using fake::model;
using perfspec::subject;
using perfspec::tensor_list;
using perfspec::verdict;
using perfspec::verification;
using perfspec::detail::torch_model;
using enum perfspec::verification_code;

const at::Tensor input = at::arange(24, at::kFloat).reshape({8, 3});

at::Tensor twice(const at::Tensor& x) { return x * 2; }
at::Tensor throwing(const at::Tensor&) { throw std::runtime_error{"no kernel for this"}; }
at::Tensor exhausting(const at::Tensor&) { return at::zeros({1LL << 55}); }

/// A model whose load step throws.
subject unloadable() {
    torch_model made;
    made.run = [](const tensor_list& given, std::uint64_t) { return given; };
    made.ready = [] { throw std::runtime_error{"no such file"}; };
    return perfspec::detail::torch_subject("unloadable", made, input);
}

}  // namespace

TEST_CASE("same_output tells a lack of memory and a model that cannot be loaded by codes of their own",
          "[libtorch][unit]") {
    const verification reference = fake::verify(model(input, exhausting), model(input, twice));
    CHECK(reference.code == eager_out_of_memory);
    CHECK_THAT(reference.text, StartsWith("the reference ran out of memory: "));
    const verification candidate = fake::verify(model(input, twice), model(input, exhausting));
    CHECK(candidate.code == out_of_memory);
    CHECK_THAT(candidate.text, StartsWith("the candidate ran out of memory: "));
    CHECK(fake::verify(unloadable(), model(input, twice)).code == load_failed);
    const verification unloaded = fake::verify(model(input, [](const at::Tensor& x) { return x; }), unloadable());
    CHECK(unloaded.code == load_failed);
    CHECK(unloaded.text == "the candidate could not be loaded: no such file");
}

TEST_CASE("what keeps a model from being timed has a code in its record", "[libtorch][unit]") {
    const auto exhausted =
        perfspec::evaluate(latency(fake::named_model("exhausting", input, exhausting)) < std::chrono::seconds(1));
    CHECK(exhausted.verdict == verdict::invalid);
    CHECK(exhausted.failure == perfspec::failure_kind::out_of_memory);
    const auto thrown =
        perfspec::evaluate(latency(fake::named_model("throwing", input, throwing)) < std::chrono::seconds(1));
    CHECK(thrown.failure == perfspec::failure_kind::body_threw);
}
