// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <memory>

namespace vision {

/// What each model of this folder is: a `torch::nn` module from images to logits. How it is built stays in its source
/// file, whose headers of LibTorch take a compiler twenty seconds.
class network : public torch::nn::Module {
public:
    /// image [batch, 3, height, width] float; returns [batch, 1000] logits.
    virtual at::Tensor forward(const at::Tensor& image) = 0;
};

/// A model in eval mode, its weights drawn from the seed: equal in every process on one kind of machine.
///
///     auto model = perfspec::eager("eager", vision::resnet50(), input);
using network_ptr = std::shared_ptr<network>;

}  // namespace vision
