// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What a run asks of LibTorch's subjects by --perf-with.

#include <perfspec/language/subjects/asked_settings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/outputs/bits-inl.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/subjects/on_device-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <ATen/ops/arange.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace perfspec::detail {

inline std::optional<at::ScalarType> floating_dtype_called(const std::string& name) {
    for (const at::ScalarType each : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble})
        if (dtype_name(each) == name) return each;
    return std::nullopt;
}

inline torch_settings settings_of(const asked_settings& asked) {
    torch_settings wanted;
    if (asked.threads) wanted.threads = static_cast<int>(*asked.threads);
    if (!asked.dtype.empty()) wanted.dtype = floating_dtype_called(asked.dtype);
    if (!asked.device.empty()) wanted.device = c10::Device{asked.device};
    return wanted;
}

/// Whether parameters and floating-point inputs have that dtype. Parameters that cannot be reached are those of the
/// inputs; those of a model that is not loaded yet are not known, so it is converted.
inline bool has_dtype(const torch_body& body, const std::string& name) {
    const auto has = [&](const at::Tensor& each) {
        return !each.is_floating_point() || dtype_name(each.scalar_type()) == name;
    };
    if (body.settings.dtype || !std::ranges::all_of(body.inputs, has)) return false;
    if (body.model.held) return std::ranges::all_of(body.model.held(), has);
    const auto dtype = floating_dtype(body.inputs);
    return !body.model.state && dtype && dtype_name(*dtype) == name;
}

/// What is asked of a subject beyond what it has already. So a point of a sweep that is as the code says is judged
/// everywhere.
inline asked_settings still_asked(const torch_body& body, asked_settings asked) {
    const auto rows = body.inputs.empty() || body.inputs.front().dim() == 0 ? -1 : body.inputs.front().size(0);
    if (asked.batch && rows == *asked.batch) asked.batch.reset();
    if (!asked.dtype.empty() && has_dtype(body, asked.dtype)) asked.dtype.clear();
    const std::string here = body.device.str();
    const bool is_any_of_kind = asked.device.find(':') == std::string::npos && here.starts_with(asked.device + ":");
    if (is_any_of_kind || asked.device == here) asked.device.clear();
    return asked;
}

/// Why a model cannot take what is asked, whatever its inputs are; empty where it may.
inline std::string why_model_stays(const torch_model& model, const asked_settings& asked) {
    if (!asked.device.empty())
        if (std::string missing = why_no_device(c10::Device{asked.device}); !missing.empty()) return missing;
    const bool elsewhere = !asked.device.empty() || !asked.dtype.empty();
    if (model.trains && elsewhere)
        return "it is trained, and its optimizer holds the parameters that it was given: move and convert the module in the code, "
               "module->to(at::kBFloat16); the run can ask it for threads";
    if (model.trains && asked.batch)
        return "it is trained, and its loss knows the targets of its own batch: write the batch in the code";
    if (elsewhere && !model.state && !model.adapts)
        return "its parameters cannot be reached, so they cannot be moved or converted: write the device and dtype in the code";
    return {};
}

/// Why inputs have no batch that can be changed; empty where they have one.
inline std::string why_no_batch(const tensor_list& inputs) {
    if (inputs.empty()) return "it has no inputs, so it has no batch";
    if (inputs.front().dim() == 0) return "its first input has no dimension, so it has no batch";
    return inputs.front().size(0) == 0 ? "its first input has no row that could be repeated" : "";
}

/// The inputs with another batch. Those that have as many rows as the first one are repeated from their first row on,
/// or cut.
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

/// Declares another device of a subject, and moves its inputs there.
inline void move_to(const subject& x, torch_body& body, c10::Device device) {
    body.inputs = converted(body.inputs, torch_settings{.device = device});
    body.device = body.inputs.empty() ? device : body.inputs.front().device();
    if (body.streams.count != 0) body.streams.device = body.device;
    if (body.graph) body.graph = std::make_shared<model_graph>(body.device);
    x.state().device = body.device.is_cpu() ? "" : body.device.str();
    if (!body.device.is_cpu()) x.state().kernels = kernel_view::device;
    settle_clock(x.state(), body);
}

/// Gives the inputs another batch. The declared work is that of the batch in the code, so it grows.
inline void change_batch(const subject& x, torch_body& body, std::int64_t rows) {
    const double more = static_cast<double>(rows) / static_cast<double>(body.inputs.front().size(0));
    x.state().work_factor *= more;
    body.inputs = with_batch(body.inputs, rows);
}

/// Asks the model itself, which may then run where it was invalid before. Returns why it cannot; empty where it can.
inline std::string adapt_model(const subject& x, torch_body& body, const torch_settings& wanted,
                               const tensor_list& inputs) {
    if (!body.model.adapts) return {};
    const std::string invalid_before = body.model.invalid_reason;
    std::string reason = body.model.adapts(body.model, wanted, inputs);
    if (x.state().invalid_reason == invalid_before) x.state().invalid_reason = body.model.invalid_reason;
    return reason;
}

/// Changes nothing where the subject runs so already: its converted parameters stay as they are.
inline std::string take_torch_settings(const subject& x, const asked_settings& all) {
    torch_body& body = *torch_body_of(x);
    const asked_settings asked = still_asked(body, all);
    if (std::string reason = why_model_stays(body.model, asked); !reason.empty()) return reason;
    if (body.graph && !asked.device.empty())
        if (std::string reason = why_no_graphs(c10::Device{asked.device}); !reason.empty()) return reason;
    if (std::string reason = asked.batch ? why_no_batch(body.inputs) : std::string{}; !reason.empty()) return reason;
    const torch_settings wanted = united(body.settings, settings_of(asked));
    const tensor_list inputs = converted(asked.batch ? with_batch(body.inputs, *asked.batch) : body.inputs, wanted);
    if (std::string reason = why_not_applicable(wanted, wanted.device.value_or(body.device), inputs); !reason.empty())
        return reason;
    if (std::string reason = adapt_model(x, body, wanted, inputs); !reason.empty()) return reason;
    if (wanted == body.settings && !asked.batch) return {};
    if (asked.batch) change_batch(x, body, *asked.batch);
    if (wanted != body.settings) body.converted.reset();
    body.settings = wanted;
    if (wanted.device) move_to(x, body, *wanted.device);
    body.inputs_to_run = inputs;
    return {};
}

}  // namespace perfspec::detail
