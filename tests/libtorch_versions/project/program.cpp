// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// program PACKAGE: judges models with the LibTorch that it links. Another version compiled the package, that of
// tests/libtorch.
#include <torch/csrc/jit/api/module.h>

#include <perfspec/libtorch.hpp>
#include <perfspec/perfspec.hpp>

#include <ATen/ATen.h>
#include <torch/version.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <string>

namespace {

using perfspec::evaluate;
using perfspec::verdict;

/// The linear layer of tests/libtorch/packages/toy_models.py, as a module for `eager`.
struct linear_layer {
    at::Tensor weight = at::arange(32, at::kFloat).reshape({4, 8}) / 16 - 1;
    at::Tensor bias = at::arange(4, at::kFloat) / 4;
    double factor = 1;

    at::Tensor forward(const at::Tensor& x) const { return at::linear(x, weight, bias) * factor; }
    [[nodiscard]] std::vector<at::Tensor> parameters() const { return {weight, bias}; }
    [[nodiscard]] std::vector<at::Tensor> buffers() const { return {}; }
};

int faults = 0;

void expect(const char* what, const perfspec::evaluation& found, verdict expected) {
    const bool right = found.verdict == expected;
    std::cout << (right ? "  right: " : "  WRONG: ") << what << ": " << perfspec::to_string(found.verdict) << " "
              << found.reason << '\n';
    faults += right ? 0 : 1;
}

perfspec::subject linear(const char* name, const at::Tensor& input, double factor = 1) {
    return perfspec::eager(name, std::make_shared<linear_layer>(linear_layer{.factor = factor}), input);
}

torch::jit::Module script() {
    torch::jit::Module module{"linear"};
    const linear_layer layer;
    module.register_parameter("weight", layer.weight, /*is_buffer=*/false);
    module.register_parameter("bias", layer.bias, /*is_buffer=*/false);
    module.define("def forward(self, x):\n    return torch.matmul(x, self.weight.t()) + self.bias\n");
    module.eval();
    return module;
}

/// A package of a newer LibTorch is refused, one of an older LibTorch runs.
void judge_package(const std::string& file, const at::Tensor& input) {
    const auto package = perfspec::aot_inductor("package", file, input);
    const perfspec::evaluation found = evaluate(same_output(linear("eager", input), package));
    const bool is_newer = found.reason.find("newer than this LibTorch") != std::string::npos;
    expect("the package of another version", found, is_newer ? verdict::error : verdict::holds);
    const bool is_older_here = TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 13;
    if (is_newer != is_older_here) ++faults;
}

}  // namespace

int main(int argc, char** argv) {
    perfspec::init(argc, argv);
    std::cout << "LibTorch " << TORCH_VERSION << '\n';
    const at::Tensor input = at::arange(8, at::kFloat).reshape({1, 8}) / 8;
    const auto eager = linear("eager", input);
    expect("the same outputs", evaluate(same_output(eager, linear("again", input))), verdict::holds);
    expect("other outputs", evaluate(same_output(eager, linear("other", input, 1.01))), verdict::violated);
    expect("bfloat16", evaluate(same_output(eager, configured(eager, {.dtype = at::kBFloat16}))), verdict::holds);
    expect("autocast", evaluate(same_output(eager, configured(eager, {.autocast = at::kBFloat16}))), verdict::holds);
    expect("TorchScript", evaluate(same_output(eager, perfspec::torchscript("script", script(), input).frozen())),
           verdict::holds);
    expect("a latency", evaluate(latency(eager) < std::chrono::seconds(1)), verdict::holds);
    expect("operators", evaluate(operators(eager) >= 1), verdict::holds);
    expect("operations", evaluate(perfspec::flop_count(eager) >= 1), verdict::holds);
    if (argc > 1) judge_package(argv[1], input);
    return faults;
}
