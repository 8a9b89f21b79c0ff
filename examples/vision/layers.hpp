// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What several models are built of, with less to write than LibTorch's options. Only their source files include this.

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/pooling.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace vision {

inline constexpr std::int64_t classes = 1000;  // of ImageNet

/// A convolution's shape; its padding keeps the size at stride 1.
struct convolution {
    std::int64_t in, out, kernel;
    std::int64_t stride = 1;
    std::int64_t groups = 1;
    std::int64_t padding = kernel / 2;
};

inline torch::nn::Conv2dOptions options_of(const convolution& c) {
    return torch::nn::Conv2dOptions(c.in, c.out, c.kernel).stride(c.stride).padding(c.padding).groups(c.groups);
}
inline torch::nn::Conv2d with_bias(const convolution& c) { return torch::nn::Conv2d{options_of(c)}; }
inline torch::nn::Conv2d without_bias(const convolution& c) { return torch::nn::Conv2d{options_of(c).bias(false)}; }

inline torch::nn::ReLU relu() { return torch::nn::ReLU{torch::nn::ReLUOptions(/*inplace=*/true)}; }
inline torch::nn::MaxPool2d max_pool(std::int64_t kernel, std::int64_t stride, std::int64_t padding = 0) {
    return torch::nn::MaxPool2d{torch::nn::MaxPool2dOptions(kernel).stride(stride).padding(padding)};
}
/// Windows that stick out at the end count too.
inline torch::nn::MaxPool2d max_pool_up(std::int64_t kernel, std::int64_t stride, std::int64_t padding = 0) {
    return torch::nn::MaxPool2d{torch::nn::MaxPool2dOptions(kernel).stride(stride).padding(padding).ceil_mode(true)};
}

/// Modules one after the other, named by their place or as `push_back` says. Unlike `torch::nn::Sequential`, whose
/// forward() is a template, it may be a part of another one.
class chain final : public torch::nn::SequentialImpl {
public:
    using SequentialImpl::SequentialImpl;
    at::Tensor forward(const at::Tensor& x) { return SequentialImpl::forward(x); }
};
using chain_ptr = std::shared_ptr<chain>;

template <class... Steps> [[nodiscard]] chain_ptr chained(Steps&&... steps) {
    auto all = std::make_shared<chain>();
    (all->push_back(std::forward<Steps>(steps)), ...);
    return all;
}

/// The mean of each channel: [batch, channels, height, width] to [batch, channels].
inline at::Tensor channel_means(const at::Tensor& x) { return x.mean({2, 3}); }

}  // namespace vision
