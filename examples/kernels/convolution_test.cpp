// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The effect of kernel size, stride and padding on one convolution. Every combination is recorded; claims state what
// holds for all.
#include "kernel.hpp"

#include <perfspec/catch2.hpp>

#include <ATen/ops/conv2d.h>
#include <ATen/ops/randn.h>
#include <catch2/generators/catch_generators.hpp>

#include <cstdint>
#include <string_view>

namespace {

struct shape {
    std::int64_t kernel, stride, padding;
};

constexpr std::int64_t channels = 32;

perfspec::subject convolution(std::string_view name, shape s) {
    const auto weight = at::randn({channels, channels, s.kernel, s.kernel});
    const auto run = [weight, s](const at::Tensor& x) { return at::conv2d(x, weight, {}, s.stride, s.padding); };
    return kernels::on_one_thread(name, {{"conv", run}}, at::randn({1, channels, 56, 56}));
}

}  // namespace

TEST_CASE("cells of the convolution ablation", "[perf][convolution]") {
    const std::int64_t kernel = GENERATE(1, 3, 5);
    const std::int64_t stride = GENERATE(1, 2);
    const std::int64_t padding = GENERATE(1, 2, 3);
    const auto cell = convolution("conv", {kernel, stride, padding})
                          .axis("kernel", kernel)
                          .axis("stride", stride)
                          .axis("padding", padding);
    PERF_MEASURE(latency(cell), budget(100ms));
}

TEST_CASE("convolution of stride 2 is faster than of stride 1", "[perf][convolution]") {
    const std::int64_t kernel = GENERATE(3, 5);  // of 1, other operators run at stride 2, and gain little
    const std::int64_t padding = GENERATE(1, 2, 3);
    const auto dense = convolution("dense", {kernel, 1, padding}).axis("kernel", kernel).axis("padding", padding);
    const auto strided = convolution("strided", {kernel, 2, padding}).axis("kernel", kernel).axis("padding", padding);
    PERF_CHECK(speedup(dense, strided) > 1.0);  // a quarter of the output
}

TEST_CASE("convolution of a larger kernel is slower", "[perf][convolution]") {
    const std::int64_t stride = GENERATE(1, 2);
    const auto small = convolution("3x3", {3, stride, 1}).axis("stride", stride);
    const auto large = convolution("5x5", {5, stride, 2}).axis("stride", stride);  // of the same output
    PERF_CHECK(latency(large) > 1.2 * latency(small));                             // 25 / 9 of the operations
}
