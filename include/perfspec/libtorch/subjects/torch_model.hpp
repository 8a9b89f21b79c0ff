// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/settings/torch_settings.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// A model with its type erased. Every LibTorch subject consists of one.
struct torch_model {
    /// Calls the model `iterations` times on the same inputs and returns the outputs of the last call.
    std::function<tensor_list(const tensor_list& inputs, std::uint64_t iterations)> run{};
    /// Runs once and returns all tensors that are compared: outputs, and gradients marked as such. No later run changes
    /// these tensors. Called with gradients on. Empty: what `run` returns is compared.
    std::function<named_tensors(const tensor_list& inputs)> results{};
    /// Parameters and buffers, for a copy in double precision; empty where the model cannot be converted.
    std::function<tensor_list()> state{};
    /// What the program holds of the model before it is loaded: parameters and buffers. Empty where the model is in a
    /// file.
    std::function<tensor_list()> held{};
    /// Loads the model on first use and checks what may have changed since. Called before every sample, outside the
    /// clock. Throws.
    std::function<void()> ready{};
    /// Restores what a run changed. Called after every sample, outside the clock, and between runs that are compared.
    std::function<void()> restore{};
    /// What readers of a result should know of the runs since the last call; empty: nothing. Not set: there is never
    /// anything.
    std::function<std::string()> caveat{};
    /// A run waits on the processor until the device is done with the one before it.
    bool waits_for_last{};
    /// Runs with gradients, instead of under `c10::InferenceMode`.
    bool trains{};
    /// The dtype of its parameters, if it is known before the model is loaded; else that of its inputs counts.
    std::optional<at::ScalarType> dtype{};
    /// Not empty: the model must not be run, for this reason, whether to measure or to verify it.
    std::string invalid_reason{};
    /// Finds the same reason by reading what `ready` will load. That is too slow for a model that is never run. Throws
    /// nothing.
    std::function<std::string()> inspect{};
    /// Not empty: the model must not be run on inputs of other shapes, for this reason.
    std::string fixed_shapes{};
    /// Why the model must not be run on these inputs; empty where it may. Not set: it may be run on any.
    std::function<std::string(const tensor_list& inputs)> refuses{};
    /// Makes the model itself run under settings and on inputs that a run asks for. Returns why it cannot; empty where
    /// it can. Not set: it runs under any that its state can be converted to.
    std::function<std::string(torch_model& self, const torch_settings& wanted, const tensor_list& inputs)> adapts{};
    /// The same model, loaded apart so that it can be captured in a graph. Not set: it can be captured as it is.
    std::function<torch_model()> capturable{};
};

/// The first floating-point dtype among tensors; nothing where there is none.
[[nodiscard]] inline std::optional<at::ScalarType> floating_dtype(const tensor_list& tensors) {
    for (const at::Tensor& each : tensors)
        if (each.defined() && each.is_floating_point()) return each.scalar_type();
    return std::nullopt;
}

/// A subject that runs the model under `c10::InferenceMode`, unless the model trains, and waits for the device of its
/// inputs. Its axes tell what is unusual in it: a device other than the processor, a dtype other than float32, and
/// training. Throws `input_error` for an undefined tensor among the inputs.
[[nodiscard]] subject torch_subject(std::string_view name, torch_model model, tensor_list inputs);

}  // namespace perfspec::detail
