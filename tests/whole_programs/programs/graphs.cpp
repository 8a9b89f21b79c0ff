// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Graphs of models that do less than their models do, on a device that is a fake; and honest ones.
#include "graphs/fake_graph.hpp"

#include <perfspec/catch2.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rand.h>

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <functional>

namespace {

using function = std::function<at::Tensor(const at::Tensor&)>;

constexpr int size = 64;

at::Tensor product(const at::Tensor& x) { return at::matmul(x, x) / size; }

/// A speedup that nobody has: both do the same work.
void claim_speedup_of(const function& model) {
    const fake::device device;
    const auto x = fake::named_model("model", at::rand({size, size}), model);
    const auto graph = fake::graph_of(x, device);
    PERF_CHECK(speedup(x, graph) > 1e-6);
}

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

TEST_CASE("a model that waits for its device") {
    claim_speedup_of([](const at::Tensor& x) {
        const at::Tensor y = fake::kernel_of(product)(x);
        fake::graphs::synchronise();
        return y;
    });
}

TEST_CASE("the memory of a replay") {
    const fake::device device;
    const auto x = fake::named_model("model", at::rand({size, size}), fake::kernel_of(product));
    const auto graph = fake::graph_of(x, device);
    PERF_CHECK(tensor_memory(graph) < tensor_memory(x));
}

TEST_CASE("a graph of all that a model does") { claim_speedup_of(fake::kernel_of(product)); }
