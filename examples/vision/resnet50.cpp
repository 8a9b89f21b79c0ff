// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "resnet50.hpp"

#include "initialize.hpp"
#include "layers.hpp"

#include <ATen/ops/max_pool2d.h>

#include <memory>

namespace vision {
namespace {

using torch::nn::BatchNorm2d;
using torch::nn::Conv2d;

constexpr std::int64_t block_expansion = 4;  // a block's output channels per channel of its 3x3 convolution

class bottleneck : public torch::nn::Module {
public:
    bottleneck(std::int64_t in, std::int64_t width, std::int64_t stride)
        : conv1_{register_module("conv1", without_bias({in, width, 1}))}, bn1_{register_module("bn1",
                                                                                               BatchNorm2d{width})},
          conv2_{register_module("conv2", without_bias({width, width, 3, stride}))}, bn2_{register_module(
                                                                                         "bn2", BatchNorm2d{width})},
          conv3_{register_module("conv3", without_bias({width, width * block_expansion, 1}))},
          bn3_{register_module("bn3", BatchNorm2d{width * block_expansion})} {
        if (stride == 1 && in == width * block_expansion) return;
        downsample_ = register_module("downsample", chained(without_bias({in, width * block_expansion, 1, stride}),
                                                            BatchNorm2d{width * block_expansion}));
    }

    at::Tensor forward(const at::Tensor& x) {
        const auto shortcut = downsample_ == nullptr ? x : downsample_->forward(x);
        auto y = bn1_->forward(conv1_->forward(x)).relu_();
        y = bn2_->forward(conv2_->forward(y)).relu_();
        y = bn3_->forward(conv3_->forward(y));
        return y.add_(shortcut).relu_();
    }

private:
    Conv2d conv1_;
    BatchNorm2d bn1_;
    Conv2d conv2_;
    BatchNorm2d bn2_;
    Conv2d conv3_;
    BatchNorm2d bn3_;
    chain_ptr downsample_;
};

chain_ptr stage(std::int64_t in, std::int64_t width, int blocks, std::int64_t stride) {
    auto result = chained();
    result->push_back(std::make_shared<bottleneck>(in, width, stride));
    for (int block = 1; block < blocks; ++block) {
        result->push_back(std::make_shared<bottleneck>(width * block_expansion, width, 1));
    }
    return result;
}

class resnet50_net final : public network {
public:
    at::Tensor forward(const at::Tensor& image) override {
        auto x = bn1_->forward(conv1_->forward(image)).relu_();
        x = at::max_pool2d(x, /*kernel_size=*/3, /*stride=*/2, /*padding=*/1);
        for (auto* layer : {&layer1_, &layer2_, &layer3_, &layer4_}) x = (*layer)->forward(x);
        return fc_->forward(channel_means(x));
    }

private:
    Conv2d conv1_{register_module("conv1", without_bias({.in = 3, .out = 64, .kernel = 7, .stride = 2}))};
    BatchNorm2d bn1_{register_module("bn1", BatchNorm2d{64})};
    chain_ptr layer1_{register_module("layer1", stage(64, 64, 3, 1))};
    chain_ptr layer2_{register_module("layer2", stage(256, 128, 4, 2))};
    chain_ptr layer3_{register_module("layer3", stage(512, 256, 6, 2))};
    chain_ptr layer4_{register_module("layer4", stage(1024, 512, 3, 2))};
    torch::nn::Linear fc_{register_module("fc", torch::nn::Linear{512 * block_expansion, classes})};
};

}  // namespace

network_ptr resnet50(std::uint64_t seed) { return made_from<resnet50_net>(seed); }

}  // namespace vision
