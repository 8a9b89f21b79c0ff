// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "squeezenet1_1.hpp"

#include "initialize.hpp"
#include "layers.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/flatten.h>

#include <memory>

namespace vision {
namespace {

using torch::nn::Conv2d;

/// Few channels between many: `squeeze` of them, the input of as many 1x1 as 3x3 convolutions.
class fire_module : public torch::nn::Module {
public:
    fire_module(std::int64_t in, std::int64_t squeeze, std::int64_t expand)
        : squeeze_{register_module("squeeze", with_bias({in, squeeze, 1}))},
          expand1x1_{register_module("expand1x1", with_bias({squeeze, expand, 1}))},
          expand3x3_{register_module("expand3x3", with_bias({squeeze, expand, 3}))} {}

    at::Tensor forward(const at::Tensor& x) {
        const auto squeezed = squeeze_->forward(x).relu_();
        return at::cat({expand1x1_->forward(squeezed).relu_(), expand3x3_->forward(squeezed).relu_()}, 1);
    }

private:
    Conv2d squeeze_, expand1x1_, expand3x3_;
};

std::shared_ptr<fire_module> fire(std::int64_t in, std::int64_t squeeze, std::int64_t expand) {
    return std::make_shared<fire_module>(in, squeeze, expand);
}

class squeezenet1_1_net final : public network {
public:
    at::Tensor forward(const at::Tensor& image) override {
        return at::flatten(classifier_->forward(features_->forward(image)), 1);
    }

private:
    static chain_ptr fire_modules() {
        return chained(with_bias({.in = 3, .out = 64, .kernel = 3, .stride = 2, .padding = 0}), relu(),
                       max_pool_up(3, 2),                                          //
                       fire(64, 16, 64), fire(128, 16, 64), max_pool_up(3, 2),     //
                       fire(128, 32, 128), fire(256, 32, 128), max_pool_up(3, 2),  //
                       fire(256, 48, 192), fire(384, 48, 192), fire(384, 64, 256), fire(512, 64, 256));
    }
    static chain_ptr last_convolution() {
        return chained(torch::nn::Dropout{}, with_bias({512, classes, 1}), relu(), torch::nn::AdaptiveAvgPool2d{1});
    }

    chain_ptr features_{register_module("features", fire_modules())};
    chain_ptr classifier_{register_module("classifier", last_convolution())};
};

}  // namespace

network_ptr squeezenet1_1(std::uint64_t seed) { return made_from<squeezenet1_1_net>(seed); }

}  // namespace vision
