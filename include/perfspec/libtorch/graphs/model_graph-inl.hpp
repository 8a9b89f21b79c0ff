// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// A graph holds what was started on one stream while it was captured. What a model does on the processor, or on another stream, is not in
// it. A replay then leaves the outputs of the capture, which look right. Three things find that:
//  - each output must be written by a replay, in every element, unless the model itself leaves it from call to call;
//  - where outputs are compared, they are destroyed before the replay;
//  - floating-point inputs have other values while the model is captured, so what was computed then is wrong.

#include <perfspec/language/subjects/keep.hpp>
#include <perfspec/libtorch/graphs/model_graph.hpp>
#include <perfspec/libtorch/outputs/remembered-inl.hpp>
#include <perfspec/libtorch/outputs/writable-inl.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/settings/float32_precision-inl.hpp>
#include <perfspec/libtorch/subjects/stream_set-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// Halves floating-point inputs as long as this object lives. A half is a value that a model takes where it takes the whole. Integers may be
/// indices, and stay.
class halved_inputs {
public:
    halved_inputs(const tensor_list& inputs, c10::Device device) : device_(device) {
        // All are copied before one is changed: two inputs may share memory.
        for (const at::Tensor& each : inputs)
            if (can_be_halved(each)) changed_.push_back({each.detach(), each.detach().clone()});
        try {
            for (const change& each : changed_) write_values(each.tensor, each.before * one_half);
            wait_for(device_);  // the capture is on another stream
        } catch (...) {
            put_back();
            throw;
        }
    }
    halved_inputs(const halved_inputs&) = delete;
    halved_inputs& operator=(const halved_inputs&) = delete;
    ~halved_inputs() { put_back(); }

private:
    void put_back() noexcept {
        try {
            wait_for(device_);
            for (const change& each : changed_) write_values(each.tensor, each.before);
        } catch (const std::exception&) {}  // a device that fails here fails again in what follows
    }

    static constexpr double one_half = 0.5;

    static bool can_be_halved(const at::Tensor& x) {
        if (!may_be_changed(x)) return false;
        return x.is_complex() || (x.is_floating_point() && x.element_size() > 1);  // those of one byte have no arithmetic
    }

    struct change {
        at::Tensor tensor;
        at::Tensor before;
    };
    std::vector<change> changed_;
    c10::Device device_;
};

/// A capture, which ends with this object at the latest: a stream that captures can do nothing else.
class capture_scope {
public:
    explicit capture_scope(device_graph& graph) : graph_(graph) { graph_.begin(); }
    capture_scope(const capture_scope&) = delete;
    capture_scope& operator=(const capture_scope&) = delete;
    ~capture_scope() {
        if (ended_) return;
        try {
            graph_.end();
        } catch (const std::exception&) {}  // what failed first is thrown already
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
         {context.deterministicAlgorithms(), context.deterministicCuDNN(), context.benchmarkCuDNN(), context.userEnabledCuDNN(),
          context.userEnabledFlashSDP(), context.userEnabledMemEfficientSDP(), context.userEnabledMathSDP(), context.userEnabledCuDNNSDP()})
        all.push_back(each);
    all.push_back(static_cast<int>(context.allowFP16ReductionCuBLAS()));
    all.push_back(static_cast<int>(context.allowBF16ReductionCuBLAS()));
    if (!at::autocast::is_autocast_available(type) || !at::autocast::is_autocast_enabled(type)) return all;
    all.push_back(static_cast<int>(at::autocast::get_autocast_dtype(type)));
    return all;
}

/// Whether both are the same elements of memory.
inline bool is_same_memory(const at::Tensor& a, const at::Tensor& b) {
    if (!a.defined() || !b.defined()) return a.defined() == b.defined();
    if (!a.has_storage() || !b.has_storage() || a.layout() != at::kStrided || b.layout() != at::kStrided) return false;
    return memory_of(a) == memory_of(b) && a.storage_offset() == b.storage_offset() && a.scalar_type() == b.scalar_type() &&
           a.sizes() == b.sizes() && a.strides() == b.strides();
}

model_graph::basis model_graph::basis_of(const torch_body& body, const tensor_list& inputs) {
    basis made{{}, settings_now(body.device.type())};
    const auto add = [&](const tensor_list& all) {
        for (const at::Tensor& each : all) made.tensors.push_back(each.defined() ? each.detach() : each);
    };
    add(inputs);
    if (body.model.state) add(body.model.state());
    return made;
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

/// Work on the processor is in no graph: what is read there is read once, while the model is captured.
inline void require_inputs_on(c10::Device device, const tensor_list& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].defined() && inputs[i].device() != device)
            throw std::runtime_error{"input " + std::to_string(i + 1) + " is on " + inputs[i].device().str() +
                                     ", which a graph reads once, while it is captured: put it on " + device.str()};
}

void model_graph::capture(const torch_body& body, const tensor_list& inputs) {
    if (graph_ && is_same(basis_, basis_of(body, inputs))) return;
    forget();
    require_inputs_on(body.device, inputs);
    if (const std::string lacking = why_no_graphs(device_); !lacking.empty()) throw std::runtime_error{lacking};
    const kept_random_numbers random{body.device};
    const c10::DeviceGuard there{device_};
    try {
        record(body, inputs);
        without_trace([&] { check_outputs(body, inputs); });
        basis_ = basis_of(body, inputs);
    } catch (...) {
        forget();
        throw;
    }
}

void model_graph::record(const torch_body& body, const tensor_list& inputs) {
    // As many as PyTorch's make_graphed_callables: libraries choose algorithms, and TorchScript specialises, in the first calls.
    constexpr int warm_calls = 3;
    const halved_inputs other{inputs, device_};
    if (!side_) side_ = c10::impl::VirtualGuardImpl{device_.type()}.getStreamFromGlobalPool(device_);
    const on_stream current{*side_};
    for (int i = 0; i < warm_calls; ++i) keep(body.call(inputs));
    wait_for(device_);
    try {
        graph_ = make_device_graph(device_.type());
        without_trace([&] {
            capture_scope capturing{*graph_};
            outputs_ = body.call(inputs);
            capturing.end();
        });
    } catch (const std::exception& error) {
        throw std::runtime_error{"it could not be captured in a graph: " + first_line(error.what()) +
                                 "; what waits for the device, or reads a result on the processor, cannot be captured"};
    }
}

/// The elements that hold a value. Floating-point numbers of one byte cannot be compared as they are.
inline at::Tensor that_hold(const at::Tensor& x, double value) { return (x.is_floating_point() ? x.to(at::kFloat) : x).eq(value); }

/// Whether a call of the model leaves an output as it is: the model has kept it since an earlier call.
inline bool is_kept(const torch_body& body, const tensor_list& inputs, const at::Tensor& output, std::size_t index) {
    destroyed_result destroyed{output};
    destroyed.destroy();
    try {
        destroyed.look();
        const tensor_list later = body.call(inputs);
        const bool kept = index < later.size() && destroyed.is_returned_again(later[index]);
        destroyed.restore();
        return kept;
    } catch (...) {
        destroyed.restore();
        throw;
    }
}

void model_graph::check_outputs(const torch_body& body, const tensor_list& inputs) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        if (may_be_changed(outputs_[i]) && !is_given(body, inputs, outputs_[i])) indices.push_back(i);
    if (indices.empty())
        throw std::runtime_error{"whether a graph of it computes anything cannot be seen: its outputs are its inputs, parameters or "
                                 "buffers, or have no elements of their own"};
    const std::vector<std::int64_t> left = elements_left(body, indices);
    for (std::size_t n = 0; n < indices.size(); ++n)
        if (left[n] == 0) written_.push_back(outputs_[indices[n]]);
    for (std::size_t n = 0; n < indices.size(); ++n) {
        const at::Tensor& output = outputs_[indices[n]];
        if (left[n] == 0 || (!written_.empty() && is_kept(body, inputs, output, indices[n]))) continue;
        throw std::runtime_error{"a replay of its graph does not write " + std::to_string(left[n]) + " of " +
                                 std::to_string(output.numel()) + " elements of output " + std::to_string(indices[n] + 1) +
                                 ": the model computes them on another stream or on the processor, or an earlier call did"};
    }
}

std::vector<std::int64_t> model_graph::elements_left(const torch_body& body, const std::vector<std::size_t>& indices) {
    tensor_list outputs, before;
    for (const std::size_t i : indices) outputs.push_back(outputs_[i]);
    for (const at::Tensor& each : outputs) before.push_back(each.clone());
    // An output may hold one of two values, not both.
    const auto put_back = [&](std::size_t n) { write_values(outputs[n], before[n]); };
    try {
        const tensor_list zeros = left_by_replay(body, outputs, 0.0);
        const tensor_list ones = left_by_replay(body, outputs, 1.0);
        std::vector<std::int64_t> left;
        for (std::size_t n = 0; n < outputs.size(); ++n) {
            left.push_back(zeros[n].logical_and(ones[n]).sum().item<std::int64_t>());
            if (left[n] != 0) put_back(n);  // the model may keep it
        }
        return left;
    } catch (...) {
        for (std::size_t n = 0; n < outputs.size(); ++n) put_back(n);
        throw;
    }
}

tensor_list model_graph::left_by_replay(const torch_body& body, const tensor_list& outputs, double value) {
    const kept_random_numbers same{body.device};  // else what is drawn could be either value by turns
    for (const at::Tensor& each : outputs) {
        const writing_scope writing{each};
        each.fill_(value);
    }
    wait_for(device_);
    replay(1);
    wait_for(device_);
    tensor_list left;
    for (const at::Tensor& each : outputs) left.push_back(that_hold(each, value));
    return left;
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

}  // namespace perfspec::detail
