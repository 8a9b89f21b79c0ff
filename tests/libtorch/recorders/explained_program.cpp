// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// What explanation.py runs: two convolutions and a linear layer, whose claims are explained by their operators.

#include "fake_module.hpp"

#include <perfspec/catch2.hpp>

#include <ATen/ops/conv2d.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>

#include <catch2/catch_test_macros.hpp>

namespace {

/// [8, 3, 32, 32] becomes [8, 16, 32, 32], [8, 32, 32, 32], and [8, 10].
perfspec::subject small_network() {
    const at::Tensor first = at::ones({16, 3, 3, 3}), second = at::ones({32, 16, 3, 3}), last = at::ones({10, 32768});
    return fake::named_model("net", at::ones({8, 3, 32, 32}), [=](const at::Tensor& image) {
        const at::Tensor half = at::relu(at::conv2d(image, first, {}, 1, 1));
        return at::linear(at::flatten(at::relu(at::conv2d(half, second, {}, 1, 1)), 1), last);
    });
}

}  // namespace

TEST_CASE("violated") { PERF_CHECK(latency(small_network()) < 1ns, perfspec::confirm(perfspec::off)); }

TEST_CASE("profile") { PERF_RECORD(profile(small_network()), perfspec::rounds(10)); }

TEST_CASE("by shape") { PERF_RECORD(profile(small_network(), by_shape), perfspec::rounds(10)); }
