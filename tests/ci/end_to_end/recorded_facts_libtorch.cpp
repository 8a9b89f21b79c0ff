// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The same with LibTorch. A count needs no time and few processes.
#include "libtorch/fake_module.hpp"

#include <perfspec/catch2.hpp>

#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>

#include <catch2/catch_test_macros.hpp>

TEST_CASE("facts") {
    const auto model = fake::named_model("relu", at::ones({8}), [](const at::Tensor& x) { return at::relu(x); });
    PERF_CHECK(operators(model) <= baseline());
}
