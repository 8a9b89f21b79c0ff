// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace perfspec::inline v0_2::detail {

/// A model with its type erased. Every LibTorch subject consists of one.
struct torch_model {
    /// Calls the model `iterations` times on the same inputs and returns the outputs of the last call.
    std::function<tensor_list(const tensor_list& inputs, std::uint64_t iterations)> run{};
    /// Runs once and returns all tensors to compare: outputs, and gradients with their role. No later run changes these
    /// tensors. Called with gradients on. Empty: the results of `run` are compared.
    std::function<named_tensors(const tensor_list& inputs)> results{};
    /// Parameters and buffers, for a copy in double precision; empty if the model cannot be converted.
    std::function<tensor_list()> state{};
    /// Parameters and buffers that are in memory before the model is loaded. Empty for a model in a file.
    std::function<tensor_list()> resident{};
    /// Loads the model on first use, and checks it in later calls. Called before every sample, outside the clock.
    /// Throws.
    std::function<void()> ready{};
    /// Restores changes of a run. Called after every sample, outside the clock, and between compared runs.
    std::function<void()> restore{};
    /// A run waits on the processor until the device is done with the run before it.
    bool waits_for_last{};
    /// Runs with gradients, instead of under `c10::InferenceMode`.
    bool trains{};
    /// The dtype of its parameters, if known before loading; otherwise that of its inputs counts.
    std::optional<at::ScalarType> dtype{};
    /// Not empty: why the model must not run, neither to measure nor to verify it.
    std::string error_reason{};
    /// Not empty: why the model must not run on inputs of other shapes.
    std::string fixed_shapes{};
    /// Why the model must not run on these inputs; empty if it may. Not set: it may run on any.
    std::function<std::string(const tensor_list& inputs)> refuses{};
    /// Adapts the model itself to settings and inputs of a run. Returns why it cannot; empty if it can. Not set: it
    /// runs under all settings to which its state can be converted.
    std::function<std::string(torch_model& self, const torch_settings& wanted, const tensor_list& inputs)> adapts{};
    /// The same model, loaded separately for the capture of a graph. Not set: it can be captured as it is.
    std::function<torch_model()> capturable{};
};

/// The first floating-point dtype among tensors, or none.
[[nodiscard]] inline std::optional<at::ScalarType> floating_dtype(const tensor_list& tensors) {
    for (const at::Tensor& each : tensors)
        if (each.defined() && each.is_floating_point()) return each.scalar_type();
    return std::nullopt;
}

/// A subject that runs the model under `c10::InferenceMode`, unless the model trains, and waits for the device of its
/// inputs. It has axes for a device other than the processor, a dtype other than float32, and training. Throws
/// `input_error` for an undefined tensor among the inputs.
[[nodiscard]] subject torch_subject(std::string_view name, torch_model model, tensor_list inputs);

}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {
namespace detail {

template <std::size_t> using input_tensor = const at::Tensor&;

/// Calls a module with as many tensors as there are indices. The number is decided once per subject.
template <class Module, class Indices> struct forward_call;

template <class Module, std::size_t... I> struct forward_call<Module, std::index_sequence<I...>> {
    static constexpr bool possible = requires(Module & m, input_tensor<I>... inputs) { m->forward(inputs...); };

    static auto once(Module& m, const tensor_list& inputs) { return m->forward(inputs[I]...); }
};

inline tensor_list as_tensors(at::Tensor output) { return {std::move(output)}; }
inline tensor_list as_tensors(std::vector<at::Tensor> outputs) { return {std::move(outputs)}; }
template <std::same_as<at::Tensor>... T> tensor_list as_tensors(std::tuple<T...> outputs) {
    return std::apply([](auto&... each) { return tensor_list{std::move(each)...}; }, outputs);
}
template <class T> inline constexpr bool gives_tensors = requires(T output) { as_tensors(std::move(output)); };

template <class Call, class Module>
tensor_list run_eagerly(Module& module, const tensor_list& inputs, std::uint64_t iterations) {
    using output = decltype(Call::once(module, inputs));
    static_assert(gives_tensors<output>,
                  "perfspec: forward() returns a tensor, a std::vector or a std::tuple of tensors");
    for (; iterations > 1; --iterations) do_not_optimize(Call::once(module, inputs));
    return as_tensors(Call::once(module, inputs));
}

/// Throws `input_error`: forward() of the named subject does not take this many tensors.
[[noreturn]] void no_such_forward(std::string_view name, std::size_t inputs);

/// Calls `f` with the forward_call that takes this many tensors. Throws `input_error` if the module has none.
template <class Module, std::size_t Inputs = 0, class F>
void with_forward(std::string_view name, std::size_t inputs, const F& f) {
    if constexpr (Inputs > 4) {
        no_such_forward(name, inputs);
    } else {
        using call = forward_call<Module, std::make_index_sequence<Inputs>>;
        if constexpr (call::possible) {
            if (inputs == Inputs) return f.template operator()<call>();
        }
        with_forward<Module, Inputs + 1>(name, inputs, f);
    }
}

}  // namespace detail

/// A `torch::nn` module in eager C++: one iteration is one call of `forward(inputs…)`, under `c10::InferenceMode`.
///
/// module  a `torch::nn::ModuleHolder`, or a `std::shared_ptr` to a module; shared with the caller; stays in its train
///         or eval mode
///
/// inputs  one tensor or up to four in a list, on the module's device; the same in every iteration, so forward() must
///         not change them
///
/// Throws `input_error` if forward() does not take that many tensors. The module is in memory already, so there is
/// nothing to load: `peak_memory(x, including_load)` adds the bytes of its parameters and buffers.
///
///     auto model = perfspec::eager("eager", vision::resnet50(), at::randn({1, 3, 224, 224}));
template <class Module> [[nodiscard]] subject eager(std::string_view name, Module module, tensor_list inputs) {
    detail::torch_model model;
    detail::with_forward<Module>(name, inputs.size(), [&]<class Call>() {
        model.run = [module](const tensor_list& arguments, std::uint64_t iterations) mutable {
            return detail::run_eagerly<Call>(module, arguments, iterations);
        };
    });
    model.state = [module]() {
        tensor_list all{module->parameters()};
        for (const at::Tensor& buffer : module->buffers()) all.push_back(buffer);
        return all;
    };
    model.resident = model.state;
    model.dtype = detail::floating_dtype(tensor_list{module->parameters()});
    return detail::torch_subject(name, std::move(model), std::move(inputs));
}

}  // namespace perfspec::inline v0_2
