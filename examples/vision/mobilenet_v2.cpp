// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "mobilenet_v2.hpp"

#include "initialize.hpp"
#include "layers.hpp"

#include <memory>

namespace vision {
namespace {

using torch::nn::BatchNorm2d;

chain_ptr convolution_norm_relu6(const convolution& shape) {
    return chained(without_bias(shape), BatchNorm2d{shape.out},
                   torch::nn::ReLU6{torch::nn::ReLU6Options(/*inplace=*/true)});
}

/// Many channels between few, `expansion` times as many, and each is filtered alone. The input is added where the
/// shapes agree.
class inverted_residual : public torch::nn::Module {
public:
    inverted_residual(std::int64_t in, std::int64_t out, std::int64_t expansion, std::int64_t stride)
        : conv_{register_module("conv", layers(in, out, expansion, stride))}, adds_input_{stride == 1 && in == out} {}

    at::Tensor forward(const at::Tensor& x) { return adds_input_ ? conv_->forward(x).add_(x) : conv_->forward(x); }

private:
    static chain_ptr layers(std::int64_t in, std::int64_t out, std::int64_t expansion, std::int64_t stride) {
        const std::int64_t wide = in * expansion;
        auto all = chained();
        if (expansion != 1) all->push_back(convolution_norm_relu6({in, wide, 1}));
        all->push_back(
            convolution_norm_relu6({.in = wide, .out = wide, .kernel = 3, .stride = stride, .groups = wide}));
        all->push_back(without_bias({wide, out, 1}));
        all->push_back(BatchNorm2d{out});
        return all;
    }

    chain_ptr conv_;
    bool adds_input_;
};

class mobilenet_v2_net final : public network {
public:
    at::Tensor forward(const at::Tensor& image) override {
        return classifier_->forward(channel_means(features_->forward(image)));
    }

private:
    static constexpr std::int64_t last_channels = 1280;

    static chain_ptr blocks() {
        struct stage {
            std::int64_t expansion, channels, repeated, stride;
        };
        std::int64_t channels = 32;
        auto all = chained();
        all->push_back(convolution_norm_relu6({.in = 3, .out = channels, .kernel = 3, .stride = 2}));
        for (const stage& s : {stage{1, 16, 1, 1},
                               {6, 24, 2, 2},
                               {6, 32, 3, 2},
                               {6, 64, 4, 2},
                               {6, 96, 3, 1},
                               {6, 160, 3, 2},
                               {6, 320, 1, 1}}) {
            for (std::int64_t block = 0; block < s.repeated; ++block) {
                all->push_back(
                    std::make_shared<inverted_residual>(channels, s.channels, s.expansion, block == 0 ? s.stride : 1));
                channels = s.channels;
            }
        }
        all->push_back(convolution_norm_relu6({channels, last_channels, 1}));
        return all;
    }

    chain_ptr features_{register_module("features", blocks())};
    chain_ptr classifier_{
        register_module("classifier", chained(torch::nn::Dropout{0.2}, torch::nn::Linear{last_channels, classes}))};
};

}  // namespace

network_ptr mobilenet_v2(std::uint64_t seed) { return made_from<mobilenet_v2_net>(seed); }

}  // namespace vision
