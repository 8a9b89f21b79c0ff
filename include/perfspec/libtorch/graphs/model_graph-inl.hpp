// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/body_result.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/settings/float32_precision-inl.hpp>
#include <perfspec/libtorch/subjects/device_time-inl.hpp>
#include <perfspec/libtorch/subjects/on_device-inl.hpp>
#include <perfspec/libtorch/subjects/on_device.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/Context.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <algorithm>
#include <c10/core/DeviceGuard.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

inline void check_graph(const subject& x) {
    const std::string call = "as_graph(\"" + std::string(x.name()) + "\"): ";
    const torch_body* const body = torch_body_of(x);
    if (body == nullptr)
        throw input_error(
            call +
            "only a LibTorch subject can be captured, such as perfspec::eager(…). If you have a CUDA graph already, "
            "write perfspec::cuda_graph(\"step\", executable)");
    if (body->model.trains)
        throw input_error(
            call + "a training step cannot be captured, because it makes new gradients: give the model, eager(…)");
    if (body->streams.count != 0)
        throw input_error(
            call +
            "it runs on several streams, but replays of a graph run one after the other: give the subject that it was "
            "made from");
    if (body->graph) throw input_error(call + "it is a graph already: give the subject that it was made from");
}

}  // namespace detail

inline namespace language {

subject as_graph(const subject& x) {
    detail::check_graph(x);
    subject made = detail::same_model(x);
    detail::subject_state& state = made.state();
    detail::torch_body& body = *detail::torch_body_of(made);
    body.graph = std::make_shared<detail::model_graph>(body.device);
    const bool is_loaded_apart = body.model.capturable != nullptr;
    if (is_loaded_apart) body.model = body.model.capturable();
    settle_clock(made, body);  // runs of a package wait for each other, replays of its graph do not
    // It is captured before the first sample, so times that include loading include the capture.
    made.load([inner = x, is_loaded_apart] {
        if (!is_loaded_apart) detail::load_once(inner);
    });
    if (const std::string lacking = detail::why_no_graphs(body.device); !lacking.empty() && state.skip_reason.empty())
        made.lacks(lacking);
    model_of(made).hidden_operators =
        "\"" + state.name +
        "\" is replayed as a graph, and a replay calls no operators: give the subject that the graph "
        "was made from";
    model_of(made).hidden_memory =
        "\"" + state.name +
        "\" is replayed as a graph, whose memory was allocated when it was captured: give the subject that "
        "the graph was made from";
    made.axis("graph", "on");
    state.settings.emplace_back("graph");
    return made;
}

}  // namespace language
}  // namespace perfspec::inline v0_2

// A graph contains only the work that one stream started during the capture. Without the model's work on the processor
// or another stream, a replay does not change the outputs of the capture, which look right. So a replay must write
// every element of each output that the capture made, and a comparison of outputs destroys them before the replay.
// Other tensors, such as inputs, parameters, or an output that the model returns in each call, are never written to.

namespace perfspec::inline v0_2::detail {

inline const void* memory_of(const at::Tensor& tensor) {
    return tensor.has_storage() ? tensor.storage().data() : nullptr;
}

/// Whether an output of a capture may be filled: it has its own memory, allocated by LibTorch.
inline bool may_be_filled(const at::Tensor& tensor) {
    return tensor.defined() && tensor.has_storage() && !tensor.is_quantized() && tensor.numel() > 0 &&
           tensor.storage().resizable() && at::has_internal_overlap(tensor) == at::MemOverlap::No;
}

/// Whether the memory is that of an input, a parameter or a buffer of the model.
inline bool belongs_to_model(const torch_body& body, const tensor_list& inputs, const at::Tensor& tensor) {
    const auto shares = [&](const at::Tensor& each) { return each.defined() && memory_of(each) == memory_of(tensor); };
    const auto within = [&](const std::function<tensor_list()>& list) {
        return list && std::ranges::any_of(list(), shares);
    };
    return std::ranges::any_of(inputs, shares) || within(body.model.state) || within(body.model.resident);
}

/// The mode in which an output of a capture was made, so that it can be filled.
class filling_scope {
public:
    explicit filling_scope(const at::Tensor& tensor) : inference_(tensor.is_inference()) {}

private:
    c10::InferenceMode inference_;
    c10::AutoGradMode no_gradients_{false};
};

/// Changes every value of an output, to NaN if its dtype has it.
inline void destroy_values(const at::Tensor& output) {
    const filling_scope filling(output);
    if (output.is_floating_point() || output.is_complex()) output.fill_(std::numeric_limits<double>::quiet_NaN());
    else if (output.scalar_type() == at::kBool) output.logical_not_();
    else output.add_(1);
}

/// A capture. It ends with this object at the latest, because a capturing stream can do nothing else.
class capture_scope {
public:
    explicit capture_scope(device_graph& graph) : graph_(graph) { graph_.begin(); }
    capture_scope(const capture_scope&) = delete;
    capture_scope& operator=(const capture_scope&) = delete;
    ~capture_scope() {
        if (ended_) return;
        try {
            graph_.end();
        } catch (const std::exception&) {}  // the first failure is being thrown
    }

    void end() {
        ended_ = true;
        graph_.end();
    }

private:
    device_graph& graph_;
    bool ended_{};
};

inline std::vector<int> settings_now(c10::DeviceType type) {
    const at::Context& context = at::globalContext();
    std::vector<int> all = float32_precisions();
    for (const bool each :
         {context.deterministicAlgorithms(), context.deterministicCuDNN(), context.benchmarkCuDNN(),
          context.userEnabledCuDNN(), context.userEnabledFlashSDP(), context.userEnabledMemEfficientSDP(),
          context.userEnabledMathSDP(), context.userEnabledCuDNNSDP()})
        all.push_back(each);
    all.push_back(static_cast<int>(context.allowFP16ReductionCuBLAS()));
    all.push_back(static_cast<int>(context.allowBF16ReductionCuBLAS()));
    if (!at::autocast::is_autocast_available(type) || !at::autocast::is_autocast_enabled(type)) return all;
    all.push_back(static_cast<int>(at::autocast::get_autocast_dtype(type)));
    return all;
}

/// Whether both are the same elements in memory.
inline bool is_same_memory(const at::Tensor& a, const at::Tensor& b) {
    if (!a.defined() || !b.defined()) return a.defined() == b.defined();
    if (!a.has_storage() || !b.has_storage() || a.layout() != at::kStrided || b.layout() != at::kStrided) return false;
    return memory_of(a) == memory_of(b) && a.storage_offset() == b.storage_offset() &&
           a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

model_graph::basis model_graph::basis_of(const torch_body& body, const tensor_list& inputs) {
    basis result{{}, settings_now(body.device.type())};
    const auto add = [&](const tensor_list& all) {
        for (const at::Tensor& each : all) result.tensors.push_back(each.defined() ? each.detach() : each);
    };
    add(inputs);
    if (body.model.state) add(body.model.state());
    return result;
}

bool model_graph::is_same(const basis& a, const basis& b) {
    return a.settings == b.settings && std::ranges::equal(a.tensors, b.tensors, is_same_memory);
}

void model_graph::forget() noexcept {
    outputs_.clear();
    written_.clear();
    graph_.reset();
    basis_ = {};
}

/// Graphs do not contain work on the processor: an input there would be read only during the capture.
inline void require_inputs_on(c10::Device device, const tensor_list& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].defined() && inputs[i].device() != device)
            throw std::runtime_error{"input " + std::to_string(i + 1) + " is on " + inputs[i].device().str() +
                                     ", and a graph would read it only once, during the capture: put it on " +
                                     device.str()};
}

void model_graph::capture(const torch_body& body, const tensor_list& inputs) {
    if (graph_ && is_same(basis_, basis_of(body, inputs))) return;
    forget();
    require_inputs_on(body.device, inputs);
    if (const std::string lacking = why_no_graphs(device_); !lacking.empty()) throw std::runtime_error{lacking};
    const saved_random_numbers random{body.device};
    const c10::DeviceGuard there{device_};
    try {
        const tensor_list earlier = record(body, inputs);
        without_trace([&] { check_outputs(body, inputs, earlier); });
        basis_ = basis_of(body, inputs);
    } catch (...) {
        forget();
        throw;
    }
}

tensor_list model_graph::record(const torch_body& body, const tensor_list& inputs) {
    // As in PyTorch's make_graphed_callables: in first calls libraries choose algorithms, and TorchScript specializes.
    constexpr int warm_calls = 3;
    if (!side_) side_ = c10::impl::VirtualGuardImpl{device_.type()}.getStreamFromGlobalPool(device_);
    const on_stream current{*side_};
    tensor_list earlier;
    for (int i = 0; i < warm_calls; ++i) do_not_optimize(earlier = body.call(inputs));
    wait_for(device_);
    try {
        graph_ = make_device_graph(device_.type());
        without_trace([&] {
            capture_scope capturing{*graph_};
            outputs_ = body.call(inputs);
            capturing.end();
        });
    } catch (const std::exception& error) {
        throw std::runtime_error{
            "it could not be captured in a graph: " + first_line(error.what()) +
            "; a model that waits for the device, or reads a result on the processor, cannot be captured"};
    }
    return earlier;
}

/// The elements with a value. Floating-point numbers of one byte cannot be compared directly.
inline at::Tensor elements_with(const at::Tensor& x, double value) {
    return (x.is_floating_point() ? x.to(at::kFloat) : x).eq(value);
}

void model_graph::check_outputs(const torch_body& body, const tensor_list& inputs, const tensor_list& earlier) {
    bool is_any_kept = false;  // the model returns one tensor in each call, such as a grid or a result buffer
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (!may_be_filled(outputs_[i]) || belongs_to_model(body, inputs, outputs_[i])) continue;
        const bool is_kept = i < earlier.size() && is_same_memory(earlier[i], outputs_[i]);
        is_any_kept = is_any_kept || is_kept;
        if (!is_kept) indices.push_back(i);
    }
    if (indices.empty() && !is_any_kept)
        throw std::runtime_error{
            "perfspec cannot check whether a graph of it computes anything, because its outputs are its inputs, "
            "parameters or buffers, or are empty"};
    for (const std::size_t i : indices) written_.push_back(outputs_[i]);
    const std::vector<std::int64_t> unwritten = count_unwritten(body);
    for (std::size_t n = 0; n < indices.size(); ++n) {
        if (unwritten[n] == 0) continue;
        throw std::runtime_error{"a replay of its graph does not write " + std::to_string(unwritten[n]) + " of " +
                                 std::to_string(written_[n].numel()) + " elements of output " +
                                 std::to_string(indices[n] + 1) +
                                 ": the model computes them on another stream or on the processor"};
    }
}

std::vector<std::int64_t> model_graph::count_unwritten(const torch_body& body) {
    // An output element may be one of the two values, but not both.
    const tensor_list zeros = elements_unchanged_from(body, 0.0);
    const tensor_list ones = elements_unchanged_from(body, 1.0);
    std::vector<std::int64_t> counts;
    for (std::size_t n = 0; n < written_.size(); ++n)
        counts.push_back(zeros[n].logical_and(ones[n]).sum().item<std::int64_t>());
    return counts;
}

tensor_list model_graph::elements_unchanged_from(const torch_body& body, double value) {
    const saved_random_numbers same{body.device};  // otherwise a drawn element could equal each value by chance
    for (const at::Tensor& each : written_) {
        const filling_scope filling{each};
        each.fill_(value);
    }
    wait_for(device_);
    replay(1);
    wait_for(device_);
    tensor_list unwritten;
    for (const at::Tensor& each : written_) unwritten.push_back(elements_with(each, value));
    return unwritten;
}

const tensor_list& model_graph::replay(std::uint64_t iterations) {
    const c10::DeviceGuard there{device_};
    without_trace([&] {
        for (; iterations != 0; --iterations) graph_->replay();
    });
    return outputs_;
}

const tensor_list& model_graph::compute(const torch_body& body, const tensor_list& inputs) {
    capture(body, inputs);
    for (const at::Tensor& each : written_) destroy_values(each);
    wait_for(device_);
    replay(1);
    wait_for(device_);
    return outputs_;
}

}  // namespace perfspec::inline v0_2::detail
