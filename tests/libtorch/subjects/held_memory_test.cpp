// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The bytes of a model that is in memory when its subject is made, exactly.
#include <torch/csrc/jit/api/module.h>

#include "fake_module.hpp"

#include <perfspec/libtorch/subjects/torchscript.hpp>
#include <perfspec/measure/loaded_memory.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_tensor.h>

#include <support/test.hpp>

namespace {

const at::Tensor input = at::ones({4});

/// Nothing where the subject does not say.
std::optional<double> held(const perfspec::subject& x) {
    const auto bytes = x.state().held_bytes;
    return bytes == nullptr ? std::nullopt : std::optional(bytes(x.storage()));
}

at::Tensor copy_of(const at::Tensor& x) { return x + 1; }

/// A weight of 25 floats, and a buffer of one 8-byte number.
struct module_with_buffer {
    at::Tensor weight = at::full({25}, 2.0F).requires_grad_();
    at::Tensor calls = at::arange(1);

    at::Tensor forward(const at::Tensor& x) { return x * weight[0]; }
    std::vector<at::Tensor> parameters() const { return {weight}; }
    std::vector<at::Tensor> buffers() const { return {calls}; }
};

}  // namespace

TEST_CASE("an eager model holds the bytes of its parameters and buffers", "[libtorch][unit]") {
    CHECK(held(perfspec::eager("eager", std::make_shared<module_with_buffer>(), input)) == 25 * 4 + 8);
    CHECK(held(fake::model(input, copy_of)) == 0.0);
    CHECK_NOTHROW(perfspec::require_model(perfspec::eager("eager", std::make_shared<module_with_buffer>(), input)));
    CHECK_THROWS_WITH(perfspec::require_model(fake::model(input, copy_of)),
                      Catch::Matchers::ContainsSubstring("has nothing to load"));
}

TEST_CASE("tensors that share memory are held once, with all of it", "[libtorch][unit]") {
    const at::Tensor weight = at::ones({100});
    CHECK(held(fake::model(input, copy_of, {weight, weight, weight.view({10, 10}), at::ones({5})})) == 400 + 20);
    CHECK(held(fake::model(input, copy_of, {weight.slice(0, 0, 10)})) == 400);
}

TEST_CASE("a model that runs in another dtype holds its parameters in that dtype", "[libtorch][unit]") {
    const auto model = perfspec::eager("eager", std::make_shared<module_with_buffer>(), input);
    CHECK(held(perfspec::configured(model, {.dtype = at::kBFloat16})) ==
          25 * 2 + 8);  // whole numbers stay what they are
    CHECK(held(perfspec::configured(model, {.dtype = at::kDouble})) == 25 * 8 + 8);
    CHECK(held(perfspec::configured(model, {.threads = 1})) == 25 * 4 + 8);
}

TEST_CASE("a training step and the model in layers hold what their module holds", "[libtorch][unit]") {
    const auto module = std::make_shared<module_with_buffer>();
    const auto step = perfspec::train("step", module, input, [](const at::Tensor& y) { return y.sum(); });
    CHECK(held(step) == 25 * 4 + 8);
    CHECK_NOTHROW(perfspec::require_model(step));
    const perfspec::layer_list functions{{"copy", copy_of}};
    CHECK_FALSE(held(perfspec::layered("net", functions, input)).has_value());  // what functions hold is not known
}

TEST_CASE("a model in a file is not held before it is loaded", "[libtorch][unit]") {
    const auto script = perfspec::torchscript("script", "no such file.pt", input);
    CHECK_FALSE(held(script).has_value());
    CHECK_FALSE(held(perfspec::aot_inductor("inductor", "no such file.pt2", input)).has_value());
    CHECK_NOTHROW(perfspec::require_model(script));
}

TEST_CASE("a module holds the weights that its quantised layers packed, as if they were not packed",
          "[libtorch][unit]") {
    const auto pack = c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "");
    torch::jit::Stack stack{at::quantize_per_tensor(at::ones({64, 32}), 0.1, 0, at::kQInt8), at::ones({64})};
    pack.callBoxed(&stack);
    torch::jit::Module layer{"packed"}, module{"toy"};
    layer.register_attribute("packed", stack.front().type(), stack.front());
    module.register_module("layer", layer);
    module.register_parameter("weight", at::ones({3}), /*is_buffer=*/false);
    CHECK(held(perfspec::torchscript("script", module, input)) == 64 * 32 + 64 * 4 + 3 * 4);
}
