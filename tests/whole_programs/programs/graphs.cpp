// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Graphs that do less than their models, on a fake device; and honest ones.
#include "graphs/fake_graph.hpp"

#include <perfspec/catch2.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rand.h>

#include <catch2/catch_test_macros.hpp>

#include <chrono>

namespace {

constexpr int size = 64;

at::Tensor product(const at::Tensor& x) { return at::matmul(x, x) / size; }

}  // namespace

TEST_CASE("work on another stream") {
    const fake::device device;
    const auto elsewhere = fake::named_model("model", at::rand({size, size}), [](const at::Tensor& x) {
        const at::Tensor y = at::empty_like(x);
        fake::graphs::launch_elsewhere([&] { y.copy_(product(x)); });
        return y;
    });
    const auto graph = fake::graph_of(elsewhere, device);
    PERF_CHECK(latency(graph) < std::chrono::hours(1));
}

TEST_CASE("a graph of all that a model does") {  // true
    const fake::device device;
    const auto x = fake::named_model("model", at::rand({size, size}), fake::kernel_of(product));
    PERF_CHECK(speedup(x, fake::graph_of(x, device)) > 1e-6);
}
