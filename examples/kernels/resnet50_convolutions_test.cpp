// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The 53 convolutions of examples/vision's ResNet50, each on an input of its size in the model, compared with the whole
// model.
#include <resnet50.hpp>

#include <torch/nn/modules/conv.h>

#include "kernel.hpp"

#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/randn.h>

#include <string>

namespace {

const at::Tensor image = at::randn({1, 3, 96, 96});

/// The convolutions alone. A block's first one and its shortcut start from the block's input, the others from the
/// convolution before.
perfspec::layer_list convolutions_of(const vision::network_ptr& model) {
    const at::NoGradGuard no_gradients;
    perfspec::layer_list all;
    at::Tensor given = image;  // the block's input
    at::Tensor last = image;   // the output of the convolution before, or of the one before the block's shortcut
    for (const auto& module : model->named_modules()) {
        const auto* const convolution = module.value()->as<torch::nn::Conv2d>();
        if (convolution == nullptr) continue;
        const std::string& name = module.key();
        const bool is_shortcut = name.find("downsample") != std::string::npos;
        if (name.ends_with("conv1")) given = last;
        const auto input = at::randn((is_shortcut ? given : last).sizes());
        auto run = [module = module.value(), input](const at::Tensor&) {
            return module->as<torch::nn::Conv2d>()->forward(input);
        };
        if (!is_shortcut) last = run(input);
        if (name == "conv1") last = at::max_pool2d(last, /*kernel_size=*/3, /*stride=*/2, /*padding=*/1);
        all.push_back({name, run});
    }
    return all;
}

}  // namespace

TEST_CASE("resnet50's convolutions alone and inside the model", "[perf][resnet50]") {
    const auto model = vision::resnet50();
    const auto alone_list = convolutions_of(model);
    REQUIRE(alone_list.size() == 53);

    const auto alone = kernels::on_one_thread("convolutions", alone_list, image);
    const auto whole = perfspec::configured(perfspec::eager("resnet50", model, image), {.threads = 1}).unverified();
    PERF_CHECK(latency(alone) < 1.5 * latency(whole));  // the model runs them, and everything else
    PERF_CHECK(latency(alone) > 0.2 * latency(whole));  // and they are much of its time
    PERF_MEASURE(profile(alone));                       // by operators
    PERF_MEASURE(profile(whole));
}
