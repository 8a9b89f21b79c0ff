// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "resnet50.hpp"

#include "initialise.hpp"

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/max_pool2d.h>

#include <memory>

namespace vision {
namespace {

constexpr std::int64_t expansion = 4;  // a block's output channels per channel of its 3x3 convolution

torch::nn::Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride = 1) {
    return torch::nn::Conv2d{torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false)};
}

class bottleneck : public torch::nn::Module {
public:
    bottleneck(std::int64_t in, std::int64_t width, std::int64_t stride)
        : conv1_{register_module("conv1", convolution(in, width, 1))}, bn1_{register_module("bn1", torch::nn::BatchNorm2d{width})},
          conv2_{register_module("conv2", convolution(width, width, 3, stride))}, bn2_{register_module("bn2",
                                                                                                       torch::nn::BatchNorm2d{width})},
          conv3_{register_module("conv3", convolution(width, width * expansion, 1))}, bn3_{register_module("bn3", torch::nn::BatchNorm2d{
                                                                                                                      width * expansion})} {
        if (stride != 1 || in != width * expansion) {
            downsample_ = register_module("downsample", torch::nn::Sequential{convolution(in, width * expansion, 1, stride),
                                                                              torch::nn::BatchNorm2d{width * expansion}});
        }
    }

    at::Tensor forward(const at::Tensor& x) {
        const auto shortcut = downsample_.is_empty() ? x : downsample_->forward(x);
        auto y = bn1_->forward(conv1_->forward(x)).relu_();
        y = bn2_->forward(conv2_->forward(y)).relu_();
        y = bn3_->forward(conv3_->forward(y));
        return y.add_(shortcut).relu_();
    }

private:
    torch::nn::Conv2d conv1_;
    torch::nn::BatchNorm2d bn1_;
    torch::nn::Conv2d conv2_;
    torch::nn::BatchNorm2d bn2_;
    torch::nn::Conv2d conv3_;
    torch::nn::BatchNorm2d bn3_;
    torch::nn::Sequential downsample_{nullptr};
};

torch::nn::Sequential stage(std::int64_t in, std::int64_t width, int blocks, std::int64_t stride) {
    torch::nn::Sequential result;
    result->push_back(std::make_shared<bottleneck>(in, width, stride));
    for (int block = 1; block < blocks; ++block) { result->push_back(std::make_shared<bottleneck>(width * expansion, width, 1)); }
    return result;
}

}  // namespace

resnet50_net::resnet50_net()
    : conv1_{register_module("conv1", torch::nn::Conv2d{torch::nn::Conv2dOptions(3, 64, 7).stride(2).padding(3).bias(false)})},
      bn1_{register_module("bn1", torch::nn::BatchNorm2d{64})}, layer1_{register_module("layer1", stage(64, 64, 3, 1))},
      layer2_{register_module("layer2", stage(256, 128, 4, 2))}, layer3_{register_module("layer3", stage(512, 256, 6, 2))},
      layer4_{register_module("layer4", stage(1024, 512, 3, 2))}, fc_{register_module("fc", torch::nn::Linear{512 * expansion, 1000})} {}

at::Tensor resnet50_net::forward(const at::Tensor& image) {
    auto x = bn1_->forward(conv1_->forward(image)).relu_();
    x = at::max_pool2d(x, /*kernel_size=*/3, /*stride=*/2, /*padding=*/1);
    for (auto* layer : {&layer1_, &layer2_, &layer3_, &layer4_}) x = (*layer)->forward(x);
    return fc_->forward(at::flatten(at::adaptive_avg_pool2d(x, {1, 1}), 1));
}

torch::nn::ModuleHolder<resnet50_net> resnet50(std::uint64_t seed) {
    const keep_global_generator untouched;
    torch::nn::ModuleHolder<resnet50_net> model;
    initialise(*model, seed);
    model->eval();
    return model;
}

}  // namespace vision
