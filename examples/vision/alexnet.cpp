// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "alexnet.hpp"

#include "initialize.hpp"
#include "layers.hpp"

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/flatten.h>

namespace vision {
namespace {

using torch::nn::Dropout;
using torch::nn::Linear;

class alexnet_net final : public network {
public:
    at::Tensor forward(const at::Tensor& image) override {
        const auto maps = at::adaptive_avg_pool2d(features_->forward(image), {last_size, last_size});
        return classifier_->forward(at::flatten(maps, 1));
    }

private:
    static constexpr std::int64_t last_size =
        6;  // height and width of the last feature maps, for any size of the image

    static chain_ptr convolutions() {
        return chained(with_bias({.in = 3, .out = 64, .kernel = 11, .stride = 4, .padding = 2}), relu(),
                       max_pool(3, 2),                                                      //
                       with_bias({64, 192, 5}), relu(), max_pool(3, 2),                     //
                       with_bias({192, 384, 3}), relu(), with_bias({384, 256, 3}), relu(),  //
                       with_bias({256, 256, 3}), relu(), max_pool(3, 2));
    }
    static chain_ptr linear_layers() {
        return chained(Dropout{}, Linear{256 * last_size * last_size, 4096}, relu(),  //
                       Dropout{}, Linear{4096, 4096}, relu(),                         //
                       Linear{4096, classes});
    }

    chain_ptr features_{register_module("features", convolutions())};
    chain_ptr classifier_{register_module("classifier", linear_layers())};
};

}  // namespace

network_ptr alexnet(std::uint64_t seed) { return made_from<alexnet_net>(seed); }

}  // namespace vision
