// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "initialize.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include <cmath>

namespace vision {
namespace {

// How many elements one output depends on: all but the first dimension, also for convolutions with groups.
double fan_in(const at::Tensor& weight) {
    return static_cast<double>(weight.numel()) / static_cast<double>(weight.size(0));
}

void fill_weights(const at::Tensor& weight, const at::Tensor& bias, const at::Generator& generator) {
    weight.normal_(0.0, std::sqrt(2.0 / fan_in(weight)), generator);
    if (bias.defined()) bias.normal_(0.0, 0.05, generator);
}

void fill_batch_norm(const torch::nn::BatchNorm2dImpl& norm, const at::Generator& generator) {
    norm.weight.uniform_(0.4, 0.8, generator);
    norm.bias.normal_(0.0, 0.1, generator);
    norm.running_mean.normal_(0.0, 0.1, generator);
    norm.running_var.uniform_(0.5, 1.5, generator);
}

}  // namespace

void initialize(torch::nn::Module& model, std::uint64_t seed) {
    const c10::AutoGradMode no_gradients{false};
    const auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    for (const auto& module : model.modules(/*include_self=*/false)) {
        if (const auto* convolution = module->as<torch::nn::Conv2d>()) {
            fill_weights(convolution->weight, convolution->bias, generator);
        } else if (const auto* linear = module->as<torch::nn::Linear>()) {
            fill_weights(linear->weight, linear->bias, generator);
        } else if (const auto* norm = module->as<torch::nn::BatchNorm2d>()) {
            fill_batch_norm(*norm, generator);
        }
    }
}

keep_global_generator::keep_global_generator() : state_{at::detail::getDefaultCPUGenerator().get_state()} {}

keep_global_generator::~keep_global_generator() {
    auto generator = at::detail::getDefaultCPUGenerator();
    generator.set_state(state_);
}

}  // namespace vision
