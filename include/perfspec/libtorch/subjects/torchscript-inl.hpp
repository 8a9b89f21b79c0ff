// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/body_result.hpp>
#include <perfspec/libtorch/packages/package-inl.hpp>
#include <perfspec/libtorch/subjects/saved_model.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/core/function.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <utility>

namespace perfspec::inline v0_2 {
namespace detail {

/// How a model is prepared after loading, and whether TorchScript may specialize it.
struct script_mode {
    enum class preparation : unsigned char { none, freeze, optimize };
    preparation prepared{};
    bool specialized{true};
};

/// The outputs of forward(). Throws std::runtime_error for anything but a tensor, or a list or a tuple of tensors.
inline tensor_list tensors_of(const c10::IValue& output) {
    if (output.isTensor()) return {output.toTensor()};
    if (output.isTensorList()) return output.toTensorVector();
    tensor_list all;
    if (output.isTuple()) {
        for (const c10::IValue& each : output.toTupleRef().elements()) {
            if (each.isTensor()) all.push_back(each.toTensor());
        }
        if (all.size() == output.toTupleRef().elements().size()) return all;
    }
    throw std::runtime_error{"forward() returned " + output.type()->repr_str() +
                             ": return a tensor, or a list or tuple of tensors"};
}

/// The message of an operation, without the source lines that the interpreter writes before it.
inline std::string without_place(const std::string& text) {
    for (const std::string_view begin : {"\nRuntimeError: ", "<--- HERE\n"}) {
        const auto at = text.rfind(begin);
        if (at != std::string::npos) return first_line(text.substr(begin.front() == '\n' ? at + 1 : at + begin.size()));
    }
    return text;
}

inline tensor_list state_of_module(const torch::jit::Module& module) {
    tensor_list all;
    for (const at::Tensor& each : module.parameters()) all.push_back(each);
    for (const at::Tensor& each : module.buffers()) all.push_back(each);
    return all;
}

/// Throws an exception for that of an operation, whose type, such as of lack of memory, the interpreter has replaced.
[[noreturn]] inline void rethrow(const std::string& text) {
    if (is_of_allocator(text)) throw lack_of_memory(text);
    throw std::runtime_error{text};
}

/// The packed weights of quantized layers, unpacked. They are no parameters, but LibTorch unpacks them when it saves a
/// module.
inline tensor_list packed_tensors_of(const torch::jit::Module& module) {
    tensor_list all;
    for (const c10::IValue& each : module.attributes()) {
        torch::jit::Function* const unpack =
            each.isCustomClass() ? each.toObject()->type()->findMethod("__getstate__") : nullptr;
        if (unpack == nullptr) continue;
        (*unpack)({each}).visit([&](const c10::IValue& part) {
            if (part.isTensor()) all.push_back(part.toTensor());
            return false;
        });
    }
    return all;
}

/// Parameters, buffers and packed weights of a module.
inline tensor_list tensors_of(const torch::jit::Module& module) {
    tensor_list all = state_of_module(module);
    for (at::Tensor& each : packed_tensors_of(module)) all.push_back(std::move(each));
    return all;
}

/// A TorchScript model that is loaded and prepared on first use.
class script_model {
public:
    /// resident  the tensors in memory before loading; none for a model in a file
    explicit script_model(std::function<torch::jit::Module()> load, std::function<tensor_list()> resident = {})
        : load_{std::move(load)}, resident_{std::move(resident)} {}

    void prepare_by(std::string_view modifier, script_mode wanted) {
        if (loaded_) {
            throw input_error("torchscript(…)." + std::string{modifier} +
                              "(): the model ran already: call this directly after torchscript(…)");
        }
        if (wanted.prepared == script_mode::preparation::optimize && !wanted.specialized) {
            throw input_error("torchscript(…)." + std::string{modifier} +
                              "(): optimized() and unoptimized() contradict each other: leave one out");
        }
        mode_ = wanted;
    }

    [[nodiscard]] script_mode mode() const { return mode_; }
    [[nodiscard]] const std::function<tensor_list()>& resident() const { return resident_; }

    void ready() {
        if (loaded_) return;
        module_ = without_trace([&] { return prepared(load_()); });
        loaded_ = true;
    }

    tensor_list run(const tensor_list& inputs, std::uint64_t iterations) {
        const torch::jit::GraphOptimizerEnabledGuard specializing{mode_.specialized};
        const std::vector<c10::IValue> arguments(inputs.begin(), inputs.end());
        try {
            for (; iterations > 1; --iterations) do_not_optimize(module_.forward(arguments));
            return tensors_of(module_.forward(arguments));
        } catch (const std::runtime_error& error) { rethrow(without_place(error.what())); }
    }

    /// Empty for a prepared model: the constants of a frozen model cannot be reached. Before loading: what is in memory
    /// already.
    [[nodiscard]] tensor_list state() const {
        if (!loaded_) return resident_ ? resident_() : tensor_list{};
        return mode_.prepared == script_mode::preparation::none ? state_of_module(module_) : tensor_list{};
    }

private:
    [[nodiscard]] torch::jit::Module prepared(torch::jit::Module module) const {
        if (mode_.prepared == script_mode::preparation::none) return module;
        torch::jit::Module frozen =
            torch::jit::freeze(module);  // optimize_for_inference freezes only a module that has "training"
        return mode_.prepared == script_mode::preparation::freeze ? frozen : torch::jit::optimize_for_inference(frozen);
    }

    std::function<torch::jit::Module()> load_;
    std::function<tensor_list()> resident_;
    torch::jit::Module module_;
    script_mode mode_;
    bool loaded_{};
};

inline torch_model erased(const std::shared_ptr<script_model>& model, std::string_view error_reason) {
    torch_model result;
    result.resident = model->resident();
    result.ready = [model] { model->ready(); };
    result.run = [model](const tensor_list& inputs, std::uint64_t iterations) {
        return model->run(inputs, iterations);
    };
    result.state = [model] { return model->state(); };
    result.error_reason = error_reason;
    result.adapts = [model](torch_model&, const torch_settings& wanted, const tensor_list&) -> std::string {
        if (!converts(wanted) || model->mode().prepared == script_mode::preparation::none) return {};
        return "TorchScript freezes it, so its parameters are constants that cannot be moved or converted: export it on that device and in "
               "that dtype, or leave out frozen() and optimized()";
    };
    return result;
}

}  // namespace detail

torchscript_subject::torchscript_subject(std::string_view name, std::shared_ptr<detail::script_model> model,
                                         std::string_view error_reason, tensor_list inputs)
    : subject{detail::torch_subject(name, detail::erased(model, error_reason), std::move(inputs))}, model_{std::move(
                                                                                                        model)} {
    load([model = model_] { model->ready(); });
}

torchscript_subject& torchscript_subject::frozen() {
    auto mode = model_->mode();
    if (mode.prepared == detail::script_mode::preparation::none)
        mode.prepared = detail::script_mode::preparation::freeze;
    model_->prepare_by("frozen", mode);
    return *this;
}

torchscript_subject& torchscript_subject::optimized() {
    auto mode = model_->mode();
    mode.prepared = detail::script_mode::preparation::optimize;
    model_->prepare_by("optimized", mode);
    return *this;
}

torchscript_subject& torchscript_subject::unoptimized() {
    auto mode = model_->mode();
    mode.specialized = false;
    model_->prepare_by("unoptimized", mode);
    return *this;
}

torchscript_subject torchscript(std::string_view name, const std::string& file, tensor_list inputs) {
    std::string error_reason;
    if (!std::filesystem::exists(file)) {
        error_reason = "the TorchScript model " + file + " was not run: there is no such file. Build the target of " +
                       "perfspec_export_model that makes it, or make it with a Python that has torch: python3 " +
                       detail::export_script() + " --models models.py --model NAME --batch N --output " + file;
    }
    const c10::Device device = inputs.empty() ? c10::Device{c10::kCPU} : inputs.front().device();
    auto model = std::make_shared<detail::script_model>([file, device] { return torch::jit::load(file, device); });
    torchscript_subject made(name, std::move(model), error_reason, std::move(inputs));
    if (const std::string lacking = detail::why_not_exported(file); !lacking.empty()) made.lacks(lacking);
    return made;
}

torchscript_subject torchscript(std::string_view name, const torch::jit::Module& module, tensor_list inputs) {
    auto model = std::make_shared<detail::script_model>([module] { return module; },
                                                        [module] { return detail::tensors_of(module); });
    return {name, std::move(model), {}, std::move(inputs)};
}

}  // namespace perfspec::inline v0_2
