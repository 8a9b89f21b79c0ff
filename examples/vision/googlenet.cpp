// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "googlenet.hpp"

#include "initialize.hpp"
#include "layers.hpp"

#include <ATen/ops/cat.h>

#include <memory>

namespace vision {
namespace {

class convolution_norm_relu : public torch::nn::Module {
public:
    explicit convolution_norm_relu(const convolution& shape)
        : conv_{register_module("conv", without_bias(shape))},
          bn_{register_module("bn", torch::nn::BatchNorm2d{torch::nn::BatchNorm2dOptions(shape.out).eps(0.001)})} {}

    at::Tensor forward(const at::Tensor& x) { return bn_->forward(conv_->forward(x)).relu_(); }

private:
    torch::nn::Conv2d conv_;
    torch::nn::BatchNorm2d bn_;
};

std::shared_ptr<convolution_norm_relu> unit(const convolution& shape) {
    return std::make_shared<convolution_norm_relu>(shape);
}

/// Output channels of an inception module's branches, and of the 1x1 convolutions ("reduce") before two of them; a row
/// of table 1.
struct inception_widths {
    std::int64_t in, one, three_reduce, three, five_reduce, five, pool;
};

class inception_module : public torch::nn::Module {
public:
    explicit inception_module(const inception_widths& w)
        : branch1_{register_module("branch1", unit({w.in, w.one, 1}))},
          branch2_{
              register_module("branch2", chained(unit({w.in, w.three_reduce, 1}), unit({w.three_reduce, w.three, 3})))},
          branch3_{
              register_module("branch3", chained(unit({w.in, w.five_reduce, 1}), unit({w.five_reduce, w.five, 3})))},
          branch4_{register_module("branch4", chained(max_pool_up(3, 1, 1), unit({w.in, w.pool, 1})))} {}

    at::Tensor forward(const at::Tensor& x) {
        return at::cat({branch1_->forward(x), branch2_->forward(x), branch3_->forward(x), branch4_->forward(x)}, 1);
    }

private:
    std::shared_ptr<convolution_norm_relu> branch1_;
    chain_ptr branch2_, branch3_, branch4_;
};

class googlenet_net final : public network {
public:
    googlenet_net() {
        add("conv1", unit({.in = 3, .out = 64, .kernel = 7, .stride = 2}));
        add("maxpool1", max_pool_up(3, 2));
        add("conv2", unit({64, 64, 1}));
        add("conv3", unit({64, 192, 3}));
        add("maxpool2", max_pool_up(3, 2));
        add("inception3a", inception({192, 64, 96, 128, 16, 32, 32}));
        add("inception3b", inception({256, 128, 128, 192, 32, 96, 64}));
        add("maxpool3", max_pool_up(3, 2));
        add("inception4a", inception({480, 192, 96, 208, 16, 48, 64}));
        add("inception4b", inception({512, 160, 112, 224, 24, 64, 64}));
        add("inception4c", inception({512, 128, 128, 256, 24, 64, 64}));
        add("inception4d", inception({512, 112, 144, 288, 32, 64, 64}));
        add("inception4e", inception({528, 256, 160, 320, 32, 128, 128}));
        add("maxpool4", max_pool_up(2, 2));
        add("inception5a", inception({832, 256, 160, 320, 32, 128, 128}));
        add("inception5b", inception({832, 384, 192, 384, 48, 128, 128}));
        fc_ = register_module("fc", torch::nn::Linear{1024, classes});
    }

    at::Tensor forward(const at::Tensor& image) override { return fc_->forward(channel_means(steps_->forward(image))); }

private:
    static std::shared_ptr<inception_module> inception(const inception_widths& widths) {
        return std::make_shared<inception_module>(widths);
    }

    /// Adds a child under its own name as the next step of forward(). The sequence is not a child: its children would
    /// have a second name.
    template <class Step> void add(const char* name, const Step& step) {
        steps_->push_back(register_module(name, step));
    }

    chain_ptr steps_ = chained();
    torch::nn::Linear fc_{nullptr};
};

}  // namespace

network_ptr googlenet(std::uint64_t seed) { return made_from<googlenet_net>(seed); }

}  // namespace vision
