// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A patch to one operator makes training slower: the violated claim names the operator, against the step before the
// patch or against a baseline of it, and a profile by shape says which of its calls. With EXAMPLE_SLOWER=1 the patch
// convolves one channel after the other.
#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace {

using convolution = at::Tensor (*)(const at::Tensor& image, const at::Tensor& weight);

at::Tensor convolve(const at::Tensor& image, const at::Tensor& weight) { return at::conv2d(image, weight, {}, 1, 1); }

/// The same sums in another order: one channel of the image after the other. No comparison of outputs notices.
at::Tensor convolve_by_channel(const at::Tensor& image, const at::Tensor& weight) {
    const auto of_channel = [&](std::int64_t c) { return convolve(image.narrow(1, c, 1), weight.narrow(1, c, 1)); };
    at::Tensor sum = of_channel(0);
    for (std::int64_t c = 1; c < image.size(1); ++c) sum = sum + of_channel(c);
    return sum;
}

/// What is trained, whatever convolves: two convolutions of unlike sizes, and a classifier of ten classes.
struct network {
    at::Tensor first = (at::randn({16, 3, 3, 3}) / 5).requires_grad_();
    at::Tensor second = (at::randn({64, 16, 3, 3}) / 12).requires_grad_();
    at::Tensor last = (at::randn({10, 64}) / 8).requires_grad_();
    convolution conv = convolve;

    at::Tensor forward(const at::Tensor& images) const {
        return at::linear(at::relu(conv(at::relu(conv(images, first)), second)).mean({2, 3}), last);
    }
    std::vector<at::Tensor> parameters() const { return {first, second, last}; }
    std::vector<at::Tensor> buffers() const { return {}; }
};

/// Eight images, and a training step of the network on them.
struct training {
    at::Tensor images = at::randn({8, 3, 32, 32});
    at::Tensor labels = at::randint(10, {8}, at::kLong);

    auto step(const char* name, std::shared_ptr<network> net) const {
        const auto loss = [labels = labels](const at::Tensor& y) { return at::cross_entropy_loss(y, labels); };
        return perfspec::train(name, std::move(net), images, loss);
    }
};

convolution patched_convolution() { return std::getenv("EXAMPLE_SLOWER") != nullptr ? convolve_by_channel : convolve; }

}  // namespace

TEST_CASE("a patch of the convolution leaves a step of training as fast as it was", "[perf]") {
    auto net = std::make_shared<network>();
    auto patched = std::make_shared<network>(*net);
    patched->conv = patched_convolution();
    const training data;
    auto before = data.step("before", net);
    auto after = data.step("after", patched);

    PERF_CHECK(speedup(before, after) > 0.8);  // names the operators that moved where it is violated
    PERF_MEASURE(profile(after, by_shape));    // which convolution takes how long
}

// Hidden from plain runs, because it records at its first one. against_baseline.cmake runs it: the baseline without the
// patch, the claim with it.
TEST_CASE("a step of training takes as long as when its baseline was recorded", "[.][baseline]") {
    auto net = std::make_shared<network>();
    net->conv = patched_convolution();
    auto step = training{}.step("step", net);

    PERF_CHECK(latency(step) < 1.2 * baseline());  // names the operators that moved since where it is violated
}
