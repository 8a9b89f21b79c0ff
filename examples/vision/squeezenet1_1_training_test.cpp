// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// One of the models in training: its gradients, its phases, and what a step costs beside a forward pass.
#include "models.hpp"

#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include <memory>

namespace {

using vision::network_ptr;

constexpr std::int64_t batch = 2;

perfspec::training_subject step_of(std::string_view name, const network_ptr& net, const at::Tensor& images,
                                   const at::Tensor& labels) {
    return perfspec::train(name, net, images,
                           [labels](const at::Tensor& y) { return at::cross_entropy_loss(y, labels); });
}

}  // namespace

TEST_CASE("a training step of squeezenet1_1", "[perf][vision][train]") {
    const auto net = vision::make_model("squeezenet1_1");
    const auto images = at::randn({batch, 3, 224, 224});
    const auto labels = at::randint(1000, {batch}, at::kLong);
    auto step = step_of("step", net, images, labels);
    auto plain = configured(step, {.onednn = false});
    // Both round differently, and so a few maxima of pooling lie elsewhere: gradients point the same way, and single
    // values differ.
    PERF_REQUIRE(same_output(plain, step, perfspec::accuracy{.cosine = 0.999}));  // the loss and 52 gradients
    PERF_CHECK(speedup(plain, step) > 0.5);

    auto with_sgd = step_of("sgd", net, images, labels)
                        .optimizer(std::make_shared<torch::optim::SGD>(net->parameters(),
                                                                       torch::optim::SGDOptions(0.01).momentum(0.9)));
    auto with_adam =
        step_of("adam", net, images, labels).optimizer(std::make_shared<torch::optim::Adam>(net->parameters()));
    PERF_MEASURE(layers(with_sgd.phases()));
    PERF_CHECK(latency(with_adam) < 1.5 * latency(with_sgd));
    PERF_CHECK(latency(with_sgd) < 10 * latency(perfspec::eager("forward", net, images).unverified()));
}
