// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Time to accuracy: how long training takes until the loss is low enough. A change that makes each step faster may need
// more of them, so both are claimed: the steps, which are the same in every run because the seed is fixed, and the
// seconds.
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>

#include <chrono>
#include <stdexcept>

namespace {

namespace nn = torch::nn;

constexpr double low_enough = 0.1;
constexpr int most_steps = 1000;

struct progress {
    int steps;
    double seconds;
};

/// Trains from the same weights on the same points, until the loss is low enough. A training that does not get there is
/// an error, not a slow one.
progress train_with(double momentum) {
    torch::manual_seed(1);
    const at::Tensor points = at::randn({256, 16});
    const at::Tensor labels = at::matmul(points, at::randn({16, 4})).argmax(1);
    nn::Sequential net{nn::Linear(16, 32), nn::ReLU(), nn::Linear(32, 4)};
    torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.1).momentum(momentum));
    const auto start = std::chrono::steady_clock::now();
    for (int steps = 1; steps <= most_steps; ++steps) {
        sgd.zero_grad();
        const at::Tensor loss = at::cross_entropy_loss(net->forward(points), labels);
        if (loss.item<double>() < low_enough)
            return {steps - 1, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
        loss.backward();
        sgd.step();
    }
    throw std::runtime_error("the loss is not low enough after 1000 steps");
}

}  // namespace

TEST_CASE("momentum brings the loss below 0.1 in a quarter of the steps, and in a second", "[perf]") {
    auto plain = perfspec::subject("plain", [] { return train_with(0.0).steps; });
    auto momentum = perfspec::subject("momentum", [] { return train_with(0.9).steps; });
    auto seconds = perfspec::subject("momentum", [] { return train_with(0.9).seconds; });

    PERF_CHECK(metric("steps", less_is_better, momentum) <= 100);
    PERF_CHECK(metric("steps", less_is_better, momentum) < 0.25 * metric("steps", less_is_better, plain));
    PERF_CHECK(metric("s", less_is_better, seconds) < 1);
}
