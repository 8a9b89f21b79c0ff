// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/required_gpu.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/settings/asked_settings-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/quantity/error.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {

inline std::string on_or_off(bool value) { return value ? "on" : "off"; }

/// The given settings as axes: {"threads", "2"}, {"autocast", "bfloat16"}.
inline std::vector<std::pair<std::string, std::string>> axes_of(const torch_settings& s) {
    std::vector<std::pair<std::string, std::string>> axes;
    const auto add_switch = [&](const char* name, const std::optional<bool>& value) {
        if (value) axes.emplace_back(name, on_or_off(*value));
    };
    if (s.device) axes.emplace_back("device", s.device->str());
    if (s.threads) axes.emplace_back("threads", std::to_string(*s.threads));
    if (s.dtype) axes.emplace_back("dtype", dtype_name(*s.dtype));
    if (s.autocast) axes.emplace_back("autocast", dtype_name(*s.autocast));
    add_switch("channels_last", s.channels_last);
    add_switch("onednn", s.onednn);
    add_switch("deterministic", s.deterministic);
    add_switch("tf32", s.tf32);
    add_switch("cudnn_benchmark", s.cudnn_benchmark);
    return axes;
}

inline void check_settings(const torch_settings& s, const torch_model& model, const std::string& name) {
    const std::string where = "configured(\"" + name + "\"): ";
    if (axes_of(s).empty()) throw input_error(where + "no setting is given: give one, such as {.threads = 2}");
    constexpr int max_threads = 1024;  // OpenMP ends the program where the system gives it no more threads
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
                          "\"): settings of PyTorch are for LibTorch's subjects, such as perfspec::eager(…)");
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
}  // namespace perfspec
