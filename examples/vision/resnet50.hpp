// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include <cstdint>

namespace vision {

/// ResNet50: 25,557,032 parameters under torchvision's names, so that its state dictionaries load.
///
/// Source: He et al., "Deep Residual Learning for Image Recognition" (2015), table 1; the stride of a block lies in its
/// 3x3 convolution, as in torchvision.
class resnet50_net : public torch::nn::Module {
public:
    resnet50_net();

    /// image [batch, 3, height, width] float; returns [batch, 1000] logits.
    at::Tensor forward(const at::Tensor& image);

private:
    torch::nn::Conv2d conv1_;
    torch::nn::BatchNorm2d bn1_;
    torch::nn::Sequential layer1_, layer2_, layer3_, layer4_;
    torch::nn::Linear fc_;
};

/// A ResNet50 in eval mode, its weights drawn from the seed: equal in every process on one kind of machine.
///
///     auto model = perfspec::eager("eager", vision::resnet50(), input);
[[nodiscard]] torch::nn::ModuleHolder<resnet50_net> resnet50(std::uint64_t seed = 0);

}  // namespace vision
