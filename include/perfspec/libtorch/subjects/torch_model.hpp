// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// A model with its type erased: what every LibTorch subject is made of.
struct torch_model {
    /// Calls the model that many times on the same inputs and returns what the last call returned.
    std::function<tensor_list(const tensor_list& inputs, std::uint64_t iterations)> run{};
    /// Runs once and returns all that is compared: outputs, and gradients as such, none of which a later run changes; empty: what `run` returns.
    /// Called with gradients on.
    std::function<named_tensors(const tensor_list& inputs)> results{};
    /// Parameters and buffers, for a copy in double precision; empty where the model cannot be converted.
    std::function<tensor_list()> state{};
    /// Loads on first use and checks what may have changed since; before every sample, outside the clock. Throws.
    std::function<void()> ready{};
    /// Keeps what a run changes, and puts it back from then on; before and after every sample, outside the clock.
    std::function<void()> restore{};
    /// Runs with gradients, instead of under `c10::InferenceMode`.
    bool trains{};
    /// Not empty: it must not be run, for this reason, neither to be measured nor to be verified.
    std::string invalid_reason{};
    /// The same, found by reading what `ready` will load: too dear for a model that is never run. Throws nothing.
    std::function<std::string()> inspect{};
    /// Not empty: it must not be run on inputs of other shapes, for this reason.
    std::string fixed_shapes{};
};

/// A subject that runs the model under `c10::InferenceMode` and waits for the device of its inputs.
/// Throws `input_error` for an input that is no tensor.
[[nodiscard]] subject torch_subject(std::string_view name, torch_model model, tensor_list inputs);

}  // namespace perfspec::detail
