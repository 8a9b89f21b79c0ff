// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The bytes of a model that is in memory when its subject is made, exactly.
#include <torch/csrc/jit/api/module.h>

#include "fake_device.hpp"
#include "fake_module.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/libtorch/subjects/saved_model.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/report/json_lines.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <support/evaluate_record.hpp>
#include <support/test.hpp>

namespace {

const at::Tensor input = at::ones({4});

/// None if the subject does not know.
std::optional<double> held_bytes_of(const perfspec::subject& x) {
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
    CHECK(held_bytes_of(perfspec::eager("eager", std::make_shared<module_with_buffer>(), input)) == 25 * 4 + 8);
    CHECK(held_bytes_of(fake::model(input, copy_of)) == 0.0);
    CHECK_NOTHROW(perfspec::require_model(perfspec::eager("eager", std::make_shared<module_with_buffer>(), input)));
    CHECK_THROWS_RECORDED(std::exception, perfspec::require_model(fake::model(input, copy_of)));
}

TEST_CASE("tensors that share memory are held once, with all of it", "[libtorch][unit]") {
    const at::Tensor weight = at::ones({100});
    CHECK(held_bytes_of(fake::model(input, copy_of, {weight, weight, weight.view({10, 10}), at::ones({5})})) ==
          400 + 20);
    CHECK(held_bytes_of(fake::model(input, copy_of, {weight.slice(0, 0, 10)})) == 400);
}

TEST_CASE("a model that runs in another dtype holds its parameters in that dtype", "[libtorch][unit]") {
    const auto model = perfspec::eager("eager", std::make_shared<module_with_buffer>(), input);
    CHECK(held_bytes_of(perfspec::configured(model, {.dtype = at::kBFloat16})) ==
          25 * 2 + 8);  // whole numbers stay what they are
    CHECK(held_bytes_of(perfspec::configured(model, {.dtype = at::kDouble})) == 25 * 8 + 8);
    CHECK(held_bytes_of(perfspec::configured(model, {.threads = 1})) == 25 * 4 + 8);
}

TEST_CASE("a training step and the model in layers hold what their module holds", "[libtorch][unit]") {
    const auto module = std::make_shared<module_with_buffer>();
    const auto step = perfspec::train("step", module, input, [](const at::Tensor& y) { return y.sum(); });
    CHECK(held_bytes_of(step) == 25 * 4 + 8);
    CHECK_NOTHROW(perfspec::require_model(step));
    const perfspec::layer_list functions{{"copy", copy_of}};
    CHECK_FALSE(
        held_bytes_of(perfspec::layered("net", functions, input)).has_value());  // what functions hold is not known
}

TEST_CASE("a model in a file is not held before it is loaded", "[libtorch][unit]") {
    const auto script = perfspec::torchscript("script", "no such file.pt", input);
    CHECK_FALSE(held_bytes_of(script).has_value());
    CHECK_FALSE(held_bytes_of(perfspec::aot_inductor("inductor", "no such file.pt2", input)).has_value());
    CHECK_NOTHROW(perfspec::require_model(script));
}

TEST_CASE("a module holds the weights that its quantized layers packed, as if they were not packed",
          "[libtorch][unit]") {
    const auto pack = c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "");
    torch::jit::Stack stack{at::quantize_per_tensor(at::ones({64, 32}), 0.1, 0, at::kQInt8), at::ones({64})};
    pack.callBoxed(&stack);
    torch::jit::Module layer{"packed"}, module{"toy"};
    layer.register_attribute("packed", stack.front().type(), stack.front());
    module.register_module("layer", layer);
    module.register_parameter("weight", at::ones({3}), /*is_buffer=*/false);
    CHECK(held_bytes_of(perfspec::torchscript("script", module, input)) == 64 * 32 + 64 * 4 + 3 * 4);
}

namespace {

using namespace perfspec::testing;
using perfspec::evaluate;
using perfspec::subject;
using perfspec::verdict;
using axes = std::vector<std::pair<std::string, std::string>>;

at::Tensor plus_one(const at::Tensor& x) { return x + 1; }

/// A subject of LibTorch as if its tensors were on a device.
subject on_a_device(const char* name, const fake::device& device) {
    perfspec::detail::torch_model model;
    model.run = [](const perfspec::tensor_list& x, auto) { return x; };
    const auto made = perfspec::detail::torch_subject(name, std::move(model), at::ones({2}));
    made.state().device = device.name().str();
    perfspec::detail::torch_body_of(made)->device = device.name();
    return made;
}

}  // namespace

TEST_CASE("a float32 model on the processor has no axes of its own", "[libtorch][unit]") {
    CHECK(fake::model(at::ones({2}), plus_one).state().axes.empty());
    CHECK(fake::model(at::ones({2}, at::kLong), plus_one).state().axes.empty());
    CHECK(fake::model(at::ones({2}), plus_one).state().device.empty());
}

TEST_CASE("a model in another dtype says so, by its parameters before its inputs", "[libtorch][unit]") {
    CHECK(fake::model(at::ones({2}, at::kBFloat16), plus_one).state().axes == axes{{"dtype", "bfloat16"}});
    CHECK(fake::model(at::ones({2}, at::kLong), plus_one, {at::ones({2}, at::kHalf)}).state().axes ==
          axes{{"dtype", "float16"}});
    const auto both = fake::model(at::ones({2}), plus_one, {at::ones({2}, at::kDouble)});
    CHECK(both.state().axes == axes{{"dtype", "float64"}});
    CHECK(configured(both, {.dtype = at::kBFloat16}).state().axes == axes{{"dtype", "bfloat16"}});
}

TEST_CASE("two dtypes of one model are distinguished in names and keys", "[libtorch][unit]") {
    const auto whole = fake::named_model("model", at::ones({2}), plus_one);
    const auto half = fake::named_model("model", at::ones({2}, at::kBFloat16), plus_one);
    const auto r = evaluate_record(speedup(whole, half) > 0.1, perfspec::language::rounds(30));
    CHECK(r.query == "speedup(model, model dtype=bfloat16)");
    CHECK_THAT(r.key, ContainsSubstring("dtype=bfloat16"));
}

TEST_CASE("baselines of a model on a device belong to the device, which is unknown where it does not report its model",
          "[libtorch][unit]") {
    const fake::device device;
    const auto r = evaluate_record(latency(on_a_device("there", device)) < std::chrono::hours(1));
    CHECK(r.hardware_key == "unknown-privateuseone");
    const auto work = on_device(subject("work", [] {}), device.name());
    CHECK(evaluate_record(latency(work) < std::chrono::hours(1)).hardware_key == "unknown-privateuseone");
    CHECK(evaluate_record(latency(fake::named_model("here", at::ones({2}), plus_one)) < std::chrono::hours(1))
              .hardware_key != "unknown-privateuseone");
}

TEST_CASE("a record reports the device of its subject", "[libtorch][unit]") {
    const fake::device device;
    const auto work = on_device(subject("work", [] {}), device.name());
    const perfspec::record r = evaluate_record(latency(work) < std::chrono::hours(1));
    CHECK(perfspec::detail::axis_of(r, "device") == "privateuseone:0");
    CHECK(r.hardware_key == "unknown-privateuseone");
}

TEST_CASE("device_time is what the device's clock says of one run", "[libtorch][unit]") {
    const fake::device device;
    const auto work = subject("work", [&] { device.work(1.5); });
    CHECK(take_device_time(on_device(work, device.name())) == 1.5e6);
    CHECK(take_device_time(streams(on_device(work, device.name()), 3)) == 1.5e6);  // at once
    const auto waits = subject("waits", [&] {
        if (device.current_stream() % 3 == 2) device.work(0.5);
        device.work(1.5);
    });
    CHECK(take_device_time(streams(on_device(waits, device.name()), 3)) == 2.0e6);
}

TEST_CASE("device_time of a LibTorch subject is that of one iteration of its model", "[libtorch][unit]") {
    const fake::device device;
    perfspec::detail::torch_model model;
    model.run = [&](const perfspec::tensor_list& x, std::uint64_t iterations) {
        device.work(0.25 * static_cast<double>(iterations));
        return x;
    };
    const auto there = streams(perfspec::detail::torch_subject("there", std::move(model), at::ones({2})), 2);
    perfspec::detail::torch_body_of(there)->streams.device = device.name();  // the tensors stay on the processor
    CHECK(take_device_time(there) == 0.25e6);
}

TEST_CASE("device_time on the processor is skipped", "[libtorch][unit]") {
    const auto here = fake::named_model("on the processor", at::ones({2}), plus_one);
    const auto r = evaluate_record(device_time(here) < std::chrono::seconds(1));
    CHECK(r.verdict == verdict::skipped);
    CHECK_THAT(r.reason, ContainsSubstring("the subject runs on the processor"));
    const auto other = on_device(subject("other", [] {}), at::kCPU);
    CHECK(evaluate_record(device_time(other) < std::chrono::seconds(1)).verdict == verdict::skipped);
}
