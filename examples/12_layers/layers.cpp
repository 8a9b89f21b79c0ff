// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Where the time of a model goes: its layers timed in four ways, its operators, and the best mixtures of two and of
// three variants, which are then run.
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/ops/relu.h>
#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <vector>

namespace {

using namespace std::chrono_literals;
using torch::nn::BatchNorm2d;
using torch::nn::Conv2d;

const at::Tensor image = at::ones({1, 16, 32, 32});

Conv2d convolution() { return Conv2d{torch::nn::Conv2dOptions(16, 16, 3).padding(1).bias(false)}; }

/// A convolution, and the normalization after it.
struct block {
    Conv2d conv = convolution();
    BatchNorm2d norm{16};

    block() { norm->eval(); }
};

/// The block as it was trained: three operators.
at::Tensor run_eagerly(block b, const at::Tensor& x) { return at::relu(b.norm(b.conv(x))); }

/// The first step of an inference compiler: it folds the normalization into the weights.
Conv2d folded(const block& b) {
    const torch::NoGradGuard no_gradients;
    Conv2d all{torch::nn::Conv2dOptions(16, 16, 3).padding(1)};
    const at::Tensor scale = b.norm->weight / (b.norm->running_var + b.norm->options.eps()).sqrt();
    all->weight.copy_(b.conv->weight * scale.view({-1, 1, 1, 1}));
    all->bias.copy_(b.norm->bias - b.norm->running_mean * scale);
    return all;
}

/// A second step: the weights lie in memory channel by channel, as kernels for vectors want them. Where the layer
/// before leaves another layout, its output is copied: that is what a change of variant costs.
Conv2d reordered(const block& b) {
    const torch::NoGradGuard no_gradients;
    Conv2d all = folded(b);
    all->weight.set_data(all->weight.contiguous(at::MemoryFormat::ChannelsLast));
    return all;
}

/// A model of three blocks, as trained and as compilers change it.
struct network {
    perfspec::layer_list as_trained, by_folding, by_layout;

    network() {
        for (const char* name : {"block1", "block2", "block3"}) {
            const block b;
            as_trained.push_back({name, [b](const at::Tensor& x) { return run_eagerly(b, x); }});
            by_folding.push_back({name, [conv = folded(b)](const at::Tensor& x) mutable { return conv(x).relu_(); }});
            by_layout.push_back({name, [conv = reordered(b)](const at::Tensor& x) mutable {
                                     return conv(x.contiguous(at::MemoryFormat::ChannelsLast)).relu_();
                                 }});
        }
    }
};

}  // namespace

TEST_CASE("layers of a Sequential", "[perf][libtorch]") {
    torch::nn::Sequential net{{{"stem", convolution()}, {"norm", BatchNorm2d{16}}, {"conv", convolution()}}};
    net->eval();
    PERF_MEASURE(layers(perfspec::layered("net", net, image)));
}

TEST_CASE("the best mixture of two variants", "[perf][libtorch]") {
    const network net;
    auto eager = perfspec::layered("eager", net.as_trained, image);
    auto compiled = perfspec::layered("folded", net.by_folding, image);

    PERF_REQUIRE(same_output(eager, compiled));
    PERF_CHECK(operators(compiled) < operators(eager));
    PERF_CHECK(operators(compiled, "aten::batch_norm") == 0);  // folded into the convolutions
    PERF_MEASURE(profile(eager));

    const auto found = perfspec::evaluate(
        best_mixture(eager, compiled));  // PERF_MEASURE(best_mixture(eager, compiled)) would print its table
    auto mixed = perfspec::hybrid("mixed", {eager, compiled}, chosen_layers(found));
    PERF_CHECK(speedup(eager, mixed) > 1.0);
    PERF_MEASURE(
        speedup(compiled,
                mixed));  // about 1 where the compiler wins every layer: the mixture is then the compiled model
}

TEST_CASE("the best mixture of three variants", "[perf][libtorch]") {
    const network net;
    const std::vector variants{perfspec::layered("eager", net.as_trained, image),
                               perfspec::layered("folded", net.by_folding, image),
                               perfspec::layered("reordered", net.by_layout, image)};
    const auto found = perfspec::evaluate(best_mixture(variants, {.switching = 5us}));
    auto mixed = perfspec::hybrid("mixed", variants, chosen_layers(found));
    PERF_REQUIRE(same_output(variants[0], mixed));
    PERF_CHECK(speedup(variants[0], mixed) > 1.0);

    PERF_MEASURE(best_mixture(
        variants, {.from = perfspec::layer_timing::subtraction}));  // of the first n layers, which no timer interrupts
}
