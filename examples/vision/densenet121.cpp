// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "densenet121.hpp"

#include "initialize.hpp"
#include "layers.hpp"

#include <ATen/ops/cat.h>

#include <memory>
#include <string>
#include <vector>

namespace vision {
namespace {

using torch::nn::BatchNorm2d;
using torch::nn::Conv2d;

constexpr std::int64_t growth = 32;   // channels that a layer adds
constexpr std::int64_t widening = 4;  // times as many between its convolutions

class dense_layer : public torch::nn::Module {
public:
    explicit dense_layer(std::int64_t in)
        : norm1_{register_module("norm1", BatchNorm2d{in})}, conv1_{register_module(
                                                                 "conv1", without_bias({in, widening * growth, 1}))},
          norm2_{register_module("norm2", BatchNorm2d{widening * growth})},
          conv2_{register_module("conv2", without_bias({widening * growth, growth, 3}))} {}

    at::Tensor forward(const at::Tensor& x) {
        const auto narrow = conv1_->forward(norm1_->forward(x).relu_());
        return conv2_->forward(norm2_->forward(narrow).relu_());
    }

private:
    BatchNorm2d norm1_;
    Conv2d conv1_;
    BatchNorm2d norm2_;
    Conv2d conv2_;
};

/// Each layer gets the block's input and the outputs of all layers before it.
class dense_block : public torch::nn::Module {
public:
    dense_block(std::int64_t in, std::int64_t layers) {
        for (std::int64_t i = 0; i < layers; ++i) {
            layers_.push_back(
                register_module("denselayer" + std::to_string(i + 1), std::make_shared<dense_layer>(in + i * growth)));
        }
    }

    at::Tensor forward(at::Tensor x) {
        for (const auto& layer : layers_) x = at::cat({x, layer->forward(x)}, 1);
        return x;
    }

private:
    std::vector<std::shared_ptr<dense_layer>> layers_;
};

/// Halves channels, height and width between blocks.
chain_ptr transition(std::int64_t in) {
    auto all = chained();
    all->push_back("norm", BatchNorm2d{in});
    all->push_back("relu", relu());
    all->push_back("conv", without_bias({in, in / 2, 1}));
    all->push_back("pool", torch::nn::AvgPool2d{torch::nn::AvgPool2dOptions(2).stride(2)});
    return all;
}

class densenet121_net final : public network {
public:
    at::Tensor forward(const at::Tensor& image) override {
        return classifier_->forward(channel_means(features_->forward(image).relu_()));
    }

private:
    static constexpr std::int64_t last_channels = 1024;

    static chain_ptr blocks() {
        std::int64_t channels = 64;
        auto all = chained();
        all->push_back("conv0", without_bias({.in = 3, .out = channels, .kernel = 7, .stride = 2}));
        all->push_back("norm0", BatchNorm2d{channels});
        all->push_back("relu0", relu());
        all->push_back("pool0", max_pool(3, 2, 1));
        for (int block = 1; const std::int64_t layers : {6, 12, 24, 16}) {
            if (block > 1) {
                all->push_back("transition" + std::to_string(block - 1), transition(channels));
                channels /= 2;
            }
            all->push_back("denseblock" + std::to_string(block++), std::make_shared<dense_block>(channels, layers));
            channels += layers * growth;
        }
        all->push_back("norm5", BatchNorm2d{last_channels});
        return all;
    }

    chain_ptr features_{register_module("features", blocks())};
    torch::nn::Linear classifier_{register_module("classifier", torch::nn::Linear{last_channels, classes})};
};

}  // namespace

network_ptr densenet121(std::uint64_t seed) { return made_from<densenet121_net>(seed); }

}  // namespace vision
