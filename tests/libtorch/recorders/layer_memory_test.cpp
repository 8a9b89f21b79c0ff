// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The memory of layers and of phases of training, exactly.
#include <torch/nn/modules/container/functional.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <perfspec/libtorch.hpp>
#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace {

using perfspec::record;

/// "linear: 1024 at its peak, 512 after it, 1 block"
std::vector<std::string> rows_of(const record& r) {
    const auto number = [](const perfspec::part_value& p) { return std::to_string(static_cast<long>(p.value.centre)); };
    std::vector<std::string> rows;
    for (std::size_t i = 0; i + 2 < r.parts.size(); i += 3)
        rows.push_back(r.parts[i].part + ": " + number(r.parts[i]) + " at its peak, " + number(r.parts[i + 1]) +
                       " after it, " + number(r.parts[i + 2]) +
                       (r.parts[i + 2].value.centre == 1.0 ? " block" : " blocks"));
    return rows;
}

bool varies(const record& r) {
    return std::ranges::any_of(r.parts, [](const perfspec::part_value& p) { return p.mark == "varies"; });
}

constexpr std::int64_t batch = 8;

/// Outputs of 8 x 32, 8 x 32, and 8 x 16 floats.
torch::nn::Sequential small_network() {
    return torch::nn::Sequential{torch::nn::Linear(64, 32),
                                 torch::nn::Functional([](const at::Tensor& x) { return at::relu(x); }),
                                 torch::nn::Linear(32, 16)};
}

}  // namespace

TEST_CASE("layer_memory of a Sequential is the outputs that are alive while each layer runs", "[libtorch][unit]") {
    const record r = perfspec::evaluate(layer_memory(perfspec::layered("net", small_network(), at::ones({batch, 64}))));
    REQUIRE(r.verdict == perfspec::verdict::holds);
    CHECK(rows_of(r) == std::vector<std::string>{"0: 1024 at its peak, 1024 after it, 1 block",
                                                 "1: 2048 at its peak, 1024 after it, 1 block",
                                                 "2: 1536 at its peak, 0 after it, 1 block",  // its output is dropped
                                                 "end to end: 2048 at its peak, 0 after it, 3 blocks"});
    CHECK_FALSE(varies(r));
    CHECK(r.evidence.exact);
    CHECK(r.estimate.value().centre == 2048);
}

TEST_CASE("layer_memory of a training step is what forward keeps, and the gradients", "[libtorch][unit]") {
    const auto net = small_network();
    const auto step = perfspec::train("step", net, at::ones({batch, 64}), [](const at::Tensor& y) { return y.sum(); });
    const record r = perfspec::evaluate(layer_memory(step.phases()));
    REQUIRE(r.verdict == perfspec::verdict::holds);
    // Forward keeps the output of relu, 1024 bytes, for backward, and leaves its own output of 512. A loss has 4 bytes.
    // The gradients have (64 * 32 + 32 + 32 * 16 + 16) * 4 = 10432 bytes. Beside them, backward needs the gradient of
    // relu's input, the loss, and the gradient of the loss.
    CHECK(rows_of(r) == std::vector<std::string>{"forward: 2048 at its peak, 1536 after it, 3 blocks",
                                                 "loss: 1540 at its peak, 1028 after it, 1 block",
                                                 "backward: 11464 at its peak, 10432 after it, 9 blocks",
                                                 "end to end: 11464 at its peak, 10432 after it, 13 blocks"});
    CHECK_FALSE(varies(r));
}

TEST_CASE("layer_memory of a step with momentum does not count the optimizer's state, which the first step made",
          "[libtorch][unit]") {
    const auto net = small_network();
    const auto options = torch::optim::SGDOptions(0.1).momentum(0.9);
    const auto step = perfspec::train("step", net, at::ones({batch, 64}), [](const at::Tensor& y) {
                          return y.sum();
                      }).optimizer(std::make_shared<torch::optim::SGD>(net->parameters(), options));
    const auto rows = rows_of(perfspec::evaluate(layer_memory(step.phases())));
    REQUIRE(rows.size() == 5);
    CHECK(rows[2] == "backward: 11464 at its peak, 10432 after it, 9 blocks");
    CHECK(rows[3].starts_with("optimizer: "));
    CHECK(rows[3].find(" 10432 after it") != std::string::npos);
}
