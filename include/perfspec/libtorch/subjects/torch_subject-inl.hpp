// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/outputs/accuracy-inl.hpp>
#include <perfspec/libtorch/outputs/verify-inl.hpp>
#include <perfspec/libtorch/settings/applied_settings-inl.hpp>
#include <perfspec/libtorch/subjects/device_time-inl.hpp>
#include <perfspec/libtorch/subjects/eager.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

run_scope::run_scope(torch_body& body)
    : body_(body), settings_(body.settings, body.device.type()), random_(body.device) {
    if (body.model.ready) without_trace([&] { body.model.ready(); });
    if (!converts(body.settings)) return;
    if (!body.converted) body.converted.emplace(body.model.state ? body.model.state() : tensor_list{}, body.settings);
    body.converted->apply();
}

run_scope::~run_scope() {
    if (body_.converted) body_.converted->restore();
    if (body_.model.restore) body_.model.restore();
}

/// Throws if no sample waits for the device of an output, whose work may go on after the clock stops.
inline void require_waited_for(const torch_body& body, const tensor_list& outputs) {
    for (const at::Tensor& each : outputs) {
        if (!each.defined() || each.is_cpu() || each.device() == body.device) continue;
        if (each.device().type() == body.device.type() && !body.device.has_index()) continue;
        if (body.also_on && std::ranges::find(*body.also_on, each.device()) != body.also_on->end()) continue;
        const std::string where = each.device().str();
        throw measurement_failure(
            failure_kind::refused,
            "an output of \"" + std::string(body.name) + "\" is on " + where + ", but its first input is on " +
                body.device.str() +
                ", so perfspec does not wait until the output is computed: first put that input on " + where +
                ", or let the model return the output on " + body.device.str());
    }
}

tensor_list torch_body::call(const tensor_list& arguments, std::uint64_t iterations) const {
    const auto run = [&] {
        tensor_list outputs = without_trace([&] { return model.run(arguments, iterations); });
        require_waited_for(*this, outputs);
        return outputs;
    };
    if (model.trains) {
        const c10::AutoGradMode gradients{true};
        return run();
    }
    const c10::InferenceMode inference;
    return run();
}

named_tensors torch_body::results(const tensor_list& arguments) const {
    if (graph) return numbered(graph->compute(*this, arguments));
    if (!model.results) return numbered(call(arguments));
    const c10::AutoGradMode gradients{true};
    return without_trace([&] { return model.results(arguments); });
}

inline torch_body& body_at(void* self) { return *static_cast<torch_body*>(self); }

/// Devices of parameters and buffers other than that of the inputs. A device in the settings has all of them.
inline std::vector<c10::Device> other_devices_of(const torch_body& body) {
    std::vector<c10::Device> others;
    if (!body.model.state || body.settings.device) return others;
    for (const at::Tensor& each : body.model.state()) {
        if (!each.defined() || each.is_cpu() || each.device() == body.device) continue;
        if (std::ranges::find(others, each.device()) == others.end()) others.push_back(each.device());
    }
    return others;
}

void find_devices(torch_body& body) {
    if (!body.also_on) body.also_on = other_devices_of(body);
}

/// Finds the devices for which samples wait. Throws for a subject on the processor with parameters on a device.
inline void settle_devices(torch_body& body) {
    find_devices(body);
    if (body.device.is_cpu() && !body.also_on->empty())
        throw measurement_failure(
            failure_kind::refused,
            "the first input of \"" + std::string(body.name) + "\" is on cpu, but it has parameters on " +
                body.also_on->front().str() +
                ": perfspec waits for the device of the first input, so put that input there first");
}

inline void prepare_torch(void* self, std::uint64_t) {
    torch_body& body = body_at(self);
    without_trace([&] { body.sample.emplace(body); });  // a model may be loaded here
    settle_devices(body);
    if (body.streams.count != 0) make_ready(body.streams);
    if (body.graph) body.graph->capture(body, body.inputs_to_run);
}

inline void discard_torch(void* self) noexcept { body_at(self).sample.reset(); }

inline void run_torch(void* self, std::uint64_t iterations) {
    const torch_body& body = body_at(self);
    if (body.graph) return do_not_optimize(body.graph->replay(iterations));
    if (body.streams.count == 0) return do_not_optimize(body.call(body.inputs_to_run, iterations));
    run_on_each(body.streams, iterations, [&] { do_not_optimize(body.call(body.inputs_to_run)); });
}

inline void wait_torch(void* self) {
    const torch_body& body = body_at(self);
    wait_for(body.streams.count == 0 ? body.device : body.streams.device);
    if (!body.also_on) return;
    for (const c10::Device each : *body.also_on) wait_for(each);
}

inline double time_torch_on_device(void* self) {
    torch_body& body = body_at(self);
    if (body.graph)
        return device_time_of(body.clock, body.name, body.graph->device(),
                              [&] { do_not_optimize(body.graph->replay(1)); });
    const auto run_once = [&] { do_not_optimize(body.call(body.inputs_to_run)); };
    if (body.streams.count != 0) return device_time_of(body.clock, body.name, body.streams, run_once);
    return device_time_of(body.clock, body.name, body.device, run_once);
}

inline verification verify_torch(void* reference, void* candidate) {
    try {
        return verify(body_at(reference), body_at(candidate));
    } catch (const c10::Error& error) {  // not of the models, which `verify` reports itself
        const std::string text = "comparing the outputs threw: " + first_line(error.what_without_backtrace());
        using enum verification_code;
        return {is_lack_of_memory(error) ? out_of_memory : verifier_didnt_run, text, {}};
    }
}

inline constexpr body_functions torch_functions{.run = run_torch,
                                                .destroy = destroy_body<torch_body>,
                                                .prepare = prepare_torch,
                                                .discard = discard_torch,
                                                .wait = wait_torch,
                                                .same_output = verify_torch,
                                                .take_settings = take_torch_settings};

inline c10::Device device_of(const torch_model& model, const tensor_list& inputs) {
    if (!inputs.empty()) return inputs.front().device();
    const tensor_list state = model.state ? model.state() : tensor_list{};
    return state.empty() ? c10::Device{c10::kCPU} : state.front().device();
}

/// The bytes of resident tensors on the processor, in the dtype in which they run. Tensors that share memory count
/// once.
inline double held_bytes(void* self) {
    const torch_body& body = body_at(self);
    std::set<const c10::StorageImpl*> counted;
    double bytes = 0.0;
    for (const at::Tensor& each : body.model.resident()) {
        const bool is_new = each.defined() && each.is_cpu() && each.has_storage() &&
                            counted.insert(each.storage().unsafeGetStorageImpl()).second;
        if (!is_new) continue;
        const auto size = static_cast<double>(each.storage().nbytes());
        const bool changes = body.settings.dtype && each.is_floating_point();
        bytes += changes ? size / static_cast<double>(each.element_size()) *
                               static_cast<double>(c10::elementSize(*body.settings.dtype))
                         : size;
    }
    return bytes;
}

void settle_clock(const subject& x, torch_body& body) {
    body.also_on.reset();
    body.clock.waits_for_last = body.model.waits_for_last;
    body.clock.select_timers(x, body.device);
}

/// Declares the device and dtype of the body, and whether it trains.
inline void declare_identity(subject& made, torch_body& body) {
    subject_state& state = made.state();
    const auto tell = [&](const char* axis, const std::string& value) {
        made.axis(axis, value);
        state.settings.emplace_back(axis);
    };
    if (!body.device.is_cpu()) {
        state.device = body.device.str();
        model_of(made).kernels = kernel_view::device;
        tell("device", state.device);
    }
    settle_clock(made, body);
    const auto dtype = body.model.dtype ? body.model.dtype : floating_dtype(body.inputs);
    if (dtype && *dtype != at::kFloat) tell("dtype", dtype_name(*dtype));
    if (body.model.trains) tell("test", "train");
}

subject torch_subject(std::string_view name, torch_model model, tensor_list inputs) {
    const auto undefined = std::ranges::find_if_not(inputs, &at::Tensor::defined);
    if (undefined != inputs.end()) {
        throw input_error("subject \"" + std::string{name} + "\": input " +
                          std::to_string(undefined - inputs.begin() + 1) +
                          " is an undefined tensor: give one with values, such as at::randn({1, 3, 224, 224})");
    }
    const c10::Device device = device_of(model, inputs);
    subject made{name, torch_functions, sizeof(torch_body)};
    ::new (made.storage())
        torch_body{.model = std::move(model), .inputs = std::move(inputs), .device = device, .name = made.name()};
    made.constructed();
    declare_identity(made, body_at(made.storage()));
    if (const auto& reason = body_at(made.storage()).model.error_reason; !reason.empty()) made.refuse(reason);
    made.state().caveat = [](void* self) { return body_at(self).clock.caveat(); };
    made.state().report_slow_samples = [](void* self) { return body_at(self).clock.report_slow_samples(); };
    readings_of(made).device_ns = time_torch_on_device;
    readings_of(made).traced = warmed_before_trace<run_torch, wait_torch>(made.storage());
    if (body_at(made.storage()).model.resident) made.state().held_bytes = held_bytes;
    return made;
}

torch_body* torch_body_of(const subject& x) {
    return x.state().functions == &torch_functions ? static_cast<torch_body*>(x.storage()) : nullptr;
}

subject same_model(const subject& x) {
    const torch_body& original = *torch_body_of(x);
    subject made = torch_subject(x.name(), original.model, original.inputs);
    torch_body& body = *torch_body_of(made);
    body.how = original.how;
    body.settings = original.settings;
    body.streams = original.streams;
    body.inputs_to_run = original.inputs_to_run;
    body.clock.is_host_synchronized = original.clock.is_host_synchronized;
    declare_like(made, x);
    load_like(made, x);
    settle_clock(made, body);
    return made;
}

void no_such_forward(std::string_view name, std::size_t inputs) {
    throw input_error("subject \"" + std::string{name} + "\": the module's forward() does not take " +
                      std::to_string(inputs) + (inputs == 1 ? " tensor" : " tensors") +
                      ": give as many inputs as it has parameters, at most 4");
}

}  // namespace detail

inline namespace language {

claim same_output(const subject& reference, const subject& candidate, const accuracy& how) {
    detail::torch_body* const body = detail::torch_body_of(candidate);
    if (body == nullptr || detail::torch_body_of(reference) == nullptr) {
        throw input_error(
            "same_output(\"" + std::string{reference.name()} + "\", \"" + std::string{candidate.name()} +
            "\"): only LibTorch subjects, such as perfspec::eager(…), have an accuracy: leave it out, or compare two "
            "of these");
    }
    detail::check_accuracy(how);
    body->how = how;
    return same_output(reference, candidate);
}

}  // namespace language
}  // namespace perfspec::inline v0_2
