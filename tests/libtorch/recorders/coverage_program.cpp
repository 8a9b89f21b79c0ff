// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// For coverage.py: profiles of two modules, one of them also as a training step. Results go to PERFSPEC_OUTPUT.

#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sum.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

namespace {

/// A linear layer that can be trained.
struct classifier {
    at::Tensor weight = at::full({10, 64}, 0.01f).requires_grad_();

    at::Tensor forward(const at::Tensor& x) { return at::softmax(at::linear(x, weight), 1); }
    std::vector<at::Tensor> parameters() const { return {weight}; }
    std::vector<at::Tensor> buffers() const { return {}; }
};

int profile_both() {
    const at::Tensor image = at::ones({1, 3, 32, 32});
    const at::Tensor filters = at::ones({8, 3, 3, 3});
    const auto features = fake::named_model(
        "features", image, [&](const at::Tensor& x) { return at::max_pool2d(at::relu(at::conv2d(x, filters)), 2); });
    const auto model = std::make_shared<classifier>();
    const at::Tensor rows = at::ones({4, 64});
    const auto loss = [](const at::Tensor& out) { return at::sum(out); };
    const auto step = perfspec::train("step", model, rows, loss).axis("model", "classifier").axis("test", "train");
    const auto inference = perfspec::eager("inference", model, rows).axis("model", "classifier").axis("test", "eval");
    constexpr int skip = 77;
    int failed = 0;
    for (const perfspec::subject& x :
         {perfspec::subject(features), perfspec::subject(step), perfspec::subject(inference)}) {
        const perfspec::evaluation r = perfspec::evaluate(profile(x), perfspec::rounds(10));
        std::printf("%s: %s %s\n", r.query.c_str(), perfspec::to_string(r.verdict), r.reason.c_str());
        if (r.verdict == perfspec::verdict::skipped) return skip;
        if (r.verdict != perfspec::verdict::measured) ++failed;
    }
    return failed;
}

}  // namespace

int main() {
    try {
        return profile_both();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
