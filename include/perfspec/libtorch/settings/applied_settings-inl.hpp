// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/gpu/gpu_machine.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/outputs/accuracy-inl.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/settings/float32_precision-inl.hpp>
#include <perfspec/libtorch/subjects/on_device-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/arange.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Settings of a run (--perf-with) for LibTorch's subjects.

namespace perfspec::inline v0_2::detail {

inline std::optional<at::ScalarType> floating_dtype_called(const std::string& name) {
    for (const at::ScalarType each : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble})
        if (dtype_name(each) == name) return each;
    return std::nullopt;
}

inline torch_settings settings_of(const requested_settings& requested) {
    torch_settings settings;
    if (requested.threads) settings.threads = static_cast<int>(*requested.threads);
    if (!requested.dtype.empty()) settings.dtype = floating_dtype_called(requested.dtype);
    if (!requested.device.empty()) settings.device = c10::Device{requested.device};
    return settings;
}

/// Whether parameters and floating-point inputs have that dtype. Inaccessible parameters count as those of the inputs.
/// Parameters of a model that is not loaded yet are unknown, so it is converted.
inline bool has_dtype(const torch_body& body, const std::string& name) {
    const auto has = [&](const at::Tensor& each) {
        return !each.is_floating_point() || dtype_name(each.scalar_type()) == name;
    };
    if (body.settings.dtype || !std::ranges::all_of(body.inputs, has)) return false;
    if (body.model.resident) return std::ranges::all_of(body.model.resident(), has);
    const auto dtype = floating_dtype(body.inputs);
    return !body.model.state && dtype && dtype_name(*dtype) == name;
}

/// The requested settings that a subject does not have already. So a point of a sweep with the settings of the code is
/// judged for every subject.
inline requested_settings missing_settings(const torch_body& body, requested_settings requested) {
    const auto rows = body.inputs.empty() || body.inputs.front().dim() == 0 ? -1 : body.inputs.front().size(0);
    if (requested.batch && rows == *requested.batch) requested.batch.reset();
    if (!requested.dtype.empty() && has_dtype(body, requested.dtype)) requested.dtype.clear();
    const std::string here = body.device.str();
    const bool is_same_type =
        requested.device.find(':') == std::string::npos && here.starts_with(requested.device + ":");
    if (is_same_type || requested.device == here) requested.device.clear();
    return requested;
}

/// Why a model cannot take the requested settings, for any inputs; empty if it may.
inline std::string why_model_stays(const torch_model& model, const requested_settings& requested) {
    if (!requested.device.empty())
        if (std::string missing = why_no_device(c10::Device{requested.device}); !missing.empty()) return missing;
    const bool elsewhere = !requested.device.empty() || !requested.dtype.empty();
    if (model.trains && elsewhere)
        return "it is trained, and its optimizer keeps the parameters that it was given. Move or convert the module in "
               "the code, module->to(at::kBFloat16). --perf-with can set only its threads";
    if (model.trains && requested.batch)
        return "it is trained, and the targets of its loss fit only the batch in the code: change the batch there";
    if (elsewhere && !model.state && !model.adapts)
        return "perfspec cannot reach its parameters, so it cannot move or convert them: set the device and dtype in "
               "the code";
    return {};
}

/// Why inputs have no batch that can be changed; empty if they have one.
inline std::string why_no_batch(const tensor_list& inputs) {
    if (inputs.empty()) return "it has no inputs, so it has no batch";
    if (inputs.front().dim() == 0) return "its first input has no dimension, so it has no batch";
    return inputs.front().size(0) == 0 ? "its first input has no row that could be repeated" : "";
}

/// The inputs with another batch: inputs with as many rows as the first one are cut, or repeated from their first row.
inline tensor_list with_batch(const tensor_list& inputs, std::int64_t rows) {
    const std::int64_t before = inputs.front().size(0);
    tensor_list all;
    for (const at::Tensor& each : inputs) {
        if (each.dim() == 0 || each.size(0) != before || rows == before) {
            all.push_back(each);
            continue;
        }
        const at::Tensor chosen =
            at::arange(rows, at::TensorOptions{}.dtype(at::kLong).device(each.device())).remainder(before);
        all.push_back(each.detach().index_select(0, chosen).contiguous(each.suggest_memory_format()));
    }
    return all;
}

/// Moves the inputs of a subject to another device, and declares it.
inline void move_to(const subject& x, torch_body& body, c10::Device device) {
    body.inputs = converted(body.inputs, torch_settings{.device = device});
    body.device = body.inputs.empty() ? device : body.inputs.front().device();
    if (body.streams.count != 0) body.streams.device = body.device;
    if (body.graph) body.graph = std::make_shared<model_graph>(body.device);
    x.state().device = body.device.is_cpu() ? "" : body.device.str();
    if (!body.device.is_cpu()) model_of(x).kernels = kernel_view::device;
    settle_clock(x, body);
}

/// Gives the inputs another batch. The declared work is that of the batch in the code, so it grows.
inline void change_batch(const subject& x, torch_body& body, std::int64_t rows) {
    const double more = static_cast<double>(rows) / static_cast<double>(body.inputs.front().size(0));
    x.state().work_factor *= more;
    body.inputs = with_batch(body.inputs, rows);
}

/// Adapts the model itself, which may make an invalid one valid. Returns why it cannot; empty if it can.
inline std::string adapt_model(const subject& x, torch_body& body, const torch_settings& wanted,
                               const tensor_list& inputs) {
    if (!body.model.adapts) return {};
    const std::string reason_before = body.model.error_reason;
    std::string reason = body.model.adapts(body.model, wanted, inputs);
    if (x.state().error_reason == reason_before) x.state().error_reason = body.model.error_reason;
    return reason;
}

/// Keeps the converted parameters of a subject that has the settings already.
inline std::string take_torch_settings(const subject& x, const requested_settings& requested) {
    torch_body& body = *torch_body_of(x);
    const requested_settings missing = missing_settings(body, requested);
    if (std::string reason = why_model_stays(body.model, missing); !reason.empty()) return reason;
    if (body.graph && !missing.device.empty())
        if (std::string reason = why_no_graphs(c10::Device{missing.device}); !reason.empty()) return reason;
    if (std::string reason = missing.batch ? why_no_batch(body.inputs) : std::string{}; !reason.empty()) return reason;
    const torch_settings wanted = united(body.settings, settings_of(missing));
    const tensor_list inputs = converted(missing.batch ? with_batch(body.inputs, *missing.batch) : body.inputs, wanted);
    if (std::string reason = why_not_applicable(wanted, wanted.device.value_or(body.device), inputs); !reason.empty())
        return reason;
    if (std::string reason = adapt_model(x, body, wanted, inputs); !reason.empty()) return reason;
    if (wanted == body.settings && !missing.batch) return {};
    if (missing.batch) change_batch(x, body, *missing.batch);
    if (wanted != body.settings) body.converted.reset();
    body.settings = wanted;
    if (wanted.device) move_to(x, body, *wanted.device);
    body.inputs_to_run = inputs;
    return {};
}

}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {
namespace detail {

/// Calls `f` with the name of each setting, and with its values in all of these.
template <class F, class... Settings> void for_each_setting(const F& f, Settings&... of) {
    f("device", of.device...);
    f("threads", of.threads...);
    f("dtype", of.dtype...);
    f("autocast", of.autocast...);
    f("channels_last", of.channels_last...);
    f("onednn", of.onednn...);
    f("deterministic", of.deterministic...);
    f("tf32", of.tf32...);
    f("cudnn_benchmark", of.cudnn_benchmark...);
}

inline std::string axis_text(bool value) { return value ? "on" : "off"; }
inline std::string axis_text(int value) { return std::to_string(value); }
inline std::string axis_text(at::ScalarType value) { return dtype_name(value); }
inline std::string axis_text(c10::Device value) { return value.str(); }

/// The given settings as axes: {"threads", "2"}, {"autocast", "bfloat16"}.
inline std::vector<std::pair<std::string, std::string>> axes_of(const torch_settings& s) {
    std::vector<std::pair<std::string, std::string>> axes;
    for_each_setting(
        [&](const char* name, const auto& value) {
            if (value) axes.emplace_back(name, axis_text(*value));
        },
        s);
    return axes;
}

inline void check_settings(const torch_settings& s, const torch_model& model, const std::string& name) {
    const std::string where = "configured(\"" + name + "\"): ";
    if (axes_of(s).empty()) throw input_error(where + "no setting is given: give one, such as {.threads = 2}");
    constexpr int max_threads = 1024;  // OpenMP ends the program if the system gives it no more threads
    if (s.threads && (*s.threads < 1 || *s.threads > max_threads))
        throw input_error(where + "threads is " + std::to_string(*s.threads) +
                          ": give 1 to 1024, such as {.threads = 2}");
    if (s.dtype && !at::isFloatingType(*s.dtype))
        throw input_error(where + "dtype is " + dtype_name(*s.dtype) +
                          ": give a floating-point one, such as at::kBFloat16");
    if (s.autocast && *s.autocast != at::kBFloat16 && *s.autocast != at::kHalf)
        throw input_error(where + "autocast is to " + dtype_name(*s.autocast) + ": give at::kBFloat16 or at::kHalf");
    if (converts(s) && (!model.state || model.trains))
        throw input_error(where + "its parameters cannot be converted, because it is " +
                          (model.trains ? "trained: convert the module itself, module->to(at::kBFloat16)"
                                        : "compiled: export the model for that device, dtype and memory format"));
}

}  // namespace detail

inline namespace language {

subject configured(const subject& x, const torch_settings& settings) {
    const detail::torch_body* const original = detail::torch_body_of(x);
    const std::string name(x.name());
    if (original == nullptr)
        throw input_error("configured(\"" + name +
                          "\"): only LibTorch subjects have settings of PyTorch: give one, such as perfspec::eager(…)");
    if (original->graph)
        throw input_error("configured(\"" + name +
                          "\"): it is captured in a graph: write as_graph(configured(x, settings))");
    detail::check_settings(settings, original->model, name);
    subject made = detail::same_model(x);
    detail::torch_body& body = *detail::torch_body_of(made);
    body.settings = detail::united(original->settings, settings);
    const std::string missing = settings.device ? detail::why_no_device(*settings.device) : std::string{};
    if (settings.device && missing.empty()) detail::move_to(made, body, *settings.device);
    if (!missing.empty()) body.settings.device.reset();
    body.inputs_to_run = detail::converted(body.inputs, body.settings);
    for (const auto& [axis, value] : detail::axes_of(settings)) {
        made.axis(axis, value);
        made.state().settings.push_back(axis);
    }
    if (const std::string reason = detail::why_not_applicable(body.settings, body.device, body.inputs); !reason.empty())
        made.lacks(reason);
    detail::note_missing_device(made, missing);
    return made;
}

}  // namespace language
}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

applied_settings::applied_settings(const torch_settings& wanted, c10::DeviceType device) {
    at::Context& context = at::globalContext();
    if (wanted.threads) {
        undo_.emplace_back([before = at::get_num_threads()] { at::set_num_threads(before); });
        at::set_num_threads(*wanted.threads);
    }
    if (wanted.onednn) {
        undo_.emplace_back([&context, before = context.userEnabledMkldnn()] { context.setUserEnabledMkldnn(before); });
        context.setUserEnabledMkldnn(*wanted.onednn);
    }
    if (wanted.tf32) {
        undo_.emplace_back(float32_precision_now());
        context.setAllowTF32CuBLAS(*wanted.tf32);
        context.setAllowTF32CuDNN(*wanted.tf32);
    }
    if (wanted.cudnn_benchmark) {
        undo_.emplace_back([&context, before = context.benchmarkCuDNN()] { context.setBenchmarkCuDNN(before); });
        context.setBenchmarkCuDNN(*wanted.cudnn_benchmark);
    }
    if (wanted.deterministic) be_deterministic(*wanted.deterministic);
    if (wanted.autocast) cast_automatically(*wanted.autocast, device);
}

void applied_settings::be_deterministic(bool wanted) {
    at::Context& context = at::globalContext();
    undo_.emplace_back([&context, all = context.deterministicAlgorithms(),
                        warns = context.deterministicAlgorithmsWarnOnly(), cudnn = context.deterministicCuDNN()] {
        context.setDeterministicAlgorithms(all, warns);
        context.setDeterministicCuDNN(cudnn);
    });
    context.setDeterministicAlgorithms(wanted, /*warn_only=*/false);
    context.setDeterministicCuDNN(wanted);
}

void applied_settings::cast_automatically(at::ScalarType wanted, c10::DeviceType device) {
    undo_.emplace_back([device, on = at::autocast::is_autocast_enabled(device),
                        dtype = at::autocast::get_autocast_dtype(device),
                        keeps = at::autocast::is_autocast_cache_enabled()] {
        at::autocast::set_autocast_enabled(device, on);
        at::autocast::set_autocast_dtype(device, dtype);
        at::autocast::set_autocast_cache_enabled(keeps);
    });
    at::autocast::set_autocast_enabled(device, true);
    at::autocast::set_autocast_dtype(device, wanted);
    at::autocast::set_autocast_cache_enabled(false);  // conversions of one iteration must not save work in the next one
}

saved_random_numbers::saved_random_numbers(c10::Device device) {
    const auto save_those_of = [this](c10::Device of) {
        const at::Generator& generator = at::globalContext().defaultGenerator(of);
        all_.push_back({generator, generator.get_state()});
    };
    save_those_of(c10::Device{c10::kCPU});
    if (!device.is_cpu()) save_those_of(device);
}

saved_random_numbers::~saved_random_numbers() {
    for (saved& each : all_) each.generator.set_state(each.state);
}

void saved_random_numbers::seed(std::uint64_t seed) {
    for (saved& each : all_) each.generator.set_current_seed(seed);
}

tensor_list saved_random_numbers::now() const {
    tensor_list states;
    for (const saved& each : all_) states.push_back(each.generator.get_state());
    return states;
}

at::Tensor converted(const at::Tensor& tensor, const torch_settings& wanted) {
    at::Tensor copy = tensor.detach();
    if (wanted.device) copy = copy.to(*wanted.device);
    if (wanted.dtype && tensor.is_floating_point()) copy = copy.to(*wanted.dtype);
    if (wanted.channels_last && tensor.dim() == 4)
        copy = copy.contiguous(*wanted.channels_last ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous);
    return copy;
}

tensor_list converted(const tensor_list& tensors, const torch_settings& wanted) {
    tensor_list all;
    for (const at::Tensor& each : tensors) all.push_back(converted(each, wanted));
    return all;
}

converted_tensors::converted_tensors(const tensor_list& originals, const torch_settings& wanted) {
    const c10::AutoGradMode no_gradients{false};
    for (const at::Tensor& each : originals) all_.push_back({each, each.detach(), converted(each, wanted)});
}

void converted_tensors::apply() const {
    for (const replacement& each : all_) each.tensor.set_data(each.converted);
}

void converted_tensors::restore() const {
    for (const replacement& each : all_) each.tensor.set_data(each.original);
}

torch_settings united(torch_settings earlier, const torch_settings& later) {
    for_each_setting(
        [](const char*, auto& old, const auto& now) {
            if (now) old = now;
        },
        earlier, later);
    return earlier;
}

std::string why_not_applicable(const torch_settings& wanted, c10::Device device, const tensor_list& inputs) {
    const std::string here = c10::DeviceTypeName(device.type(), /*lower_case=*/true);
    const auto is_image = [](const at::Tensor& each) { return each.dim() == 4; };
    if (wanted.tf32 && !device.is_cuda()) return "TF32 needs a CUDA device, and the inputs are on " + here;
    if (wanted.cudnn_benchmark && !device.is_cuda()) return "cuDNN needs a CUDA device, and the inputs are on " + here;
    if (wanted.onednn.value_or(false) && !at::hasMKLDNN()) return "this LibTorch is built without oneDNN";
    if (wanted.autocast && !at::autocast::is_autocast_available(device.type()))
        return "this LibTorch has no autocast on " + here;
    if (wanted.channels_last && std::ranges::none_of(inputs, is_image))
        return "channels_last needs an input of four dimensions, but there is none";
    return {};
}

}  // namespace perfspec::inline v0_2::detail
