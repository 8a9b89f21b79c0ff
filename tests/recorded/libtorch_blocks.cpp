// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Blocks of include/perfspec/README.md and of include/perfspec/libtorch/subjects/README.md that need LibTorch
// (blocks.cmake). They are compiled, not run: there is no such package.
#include <torch/nn/modules/linear.h>

#include "language_1.inc"

void claims_on_a_model_and_its_package(const torch::nn::Linear& net, const at::Tensor& input);

void claims_on_a_model_and_its_package(const torch::nn::Linear& net, const at::Tensor& input) {
#include "libtorch_1.inc"
}
