// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Convolution blocks by length: n different blocks in a row compared with n times the first one.
#include "kernel.hpp"

#include <perfspec/catch2.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/randn.h>
#include <catch2/generators/catch_generators.hpp>

#include <string>

namespace {

constexpr int channels = 32;

perfspec::named_layer block(const std::string& name) {
    const auto weight =
        0.08 * at::randn({channels, channels, 3, 3});  // about sqrt(2 / fan_in): the values stay finite over any length
    return {name, [weight](const at::Tensor& x) { return at::conv2d(x, weight, {}, 1, 1).relu_(); }};
}

}  // namespace

TEST_CASE("convolution blocks by length", "[perf][blocks]") {
    const int length = GENERATE(1, 2, 4, 8);
    const auto image = at::randn({1, channels, 28, 28});
    perfspec::layer_list different;
    perfspec::layer_list same;
    const auto first = block("first");
    for (int i = 0; i < length; ++i) {
        const auto name = "block " + std::to_string(i);
        different.push_back(block(name));
        same.push_back({name, [first, image](const at::Tensor&) { return first.run(image); }});
    }
    const auto chain = kernels::on_one_thread("blocks in a row", different, image).axis("length", length);
    const auto repeated = kernels::on_one_thread("one block repeated", same, image).axis("length", length);

    PERF_MEASURE(latency(chain), budget(100ms));
    PERF_MEASURE(latency(repeated), budget(100ms));
    PERF_CHECK(latency(chain) < 2 * latency(repeated));  // a block does not cost more because it is in a row
    PERF_CHECK(latency(chain) > 0.5 * latency(repeated));
}
