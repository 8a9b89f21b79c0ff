// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/torch_model.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace perfspec {
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
    for (; iterations > 1; --iterations) keep(Call::once(module, inputs));
    return as_tensors(Call::once(module, inputs));
}

template <class Module> using eager_run = tensor_list (*)(Module&, const tensor_list&, std::uint64_t);

/// The loop over a forward() with this many tensors; null if there is no such forward().
template <class Module, std::size_t Inputs> constexpr eager_run<Module> eager_run_of() {
    using call = forward_call<Module, std::make_index_sequence<Inputs>>;
    if constexpr (call::possible) return run_eagerly<call, Module>;
    return nullptr;
}

template <class Module> eager_run<Module> find_eager_run(std::size_t inputs) {
    constexpr eager_run<Module> all[] = {eager_run_of<Module, 0>(), eager_run_of<Module, 1>(),
                                         eager_run_of<Module, 2>(), eager_run_of<Module, 3>(),
                                         eager_run_of<Module, 4>()};
    return inputs < std::size(all) ? all[inputs] : nullptr;
}

/// Throws `input_error`: forward() of the named subject does not take this many tensors.
[[noreturn]] void no_such_forward(std::string_view name, std::size_t inputs);

}  // namespace detail

/// A `torch::nn` module in eager C++: one iteration is one call of `forward(inputs…)`, under `c10::InferenceMode`.
///
/// module  a `torch::nn::ModuleHolder`, or a `std::shared_ptr` to a module; shared with the caller; stays in its train
/// or eval mode. inputs  one tensor or up to four in a list, on the module's device; the same in every iteration, so
/// forward() must not change them. throws  `input_error` if forward() does not take that many tensors. The module is in
/// memory already, so there is nothing to load: `peak_memory(x, including_load)` adds the bytes of its parameters and
/// buffers.
///
///     auto model = perfspec::eager("eager", vision::resnet50(), at::randn({1, 3, 224, 224}));
template <class Module> [[nodiscard]] subject eager(std::string_view name, Module module, tensor_list inputs) {
    const detail::eager_run<Module> run = detail::find_eager_run<Module>(inputs.size());
    if (run == nullptr) detail::no_such_forward(name, inputs.size());
    detail::torch_model model;
    model.run = [module, run](const tensor_list& given, std::uint64_t iterations) mutable {
        return run(module, given, iterations);
    };
    model.state = [module]() {
        tensor_list all{module->parameters()};
        for (const at::Tensor& buffer : module->buffers()) all.push_back(buffer);
        return all;
    };
    model.held = model.state;
    model.dtype = detail::floating_dtype(tensor_list{module->parameters()});
    return detail::torch_subject(name, std::move(model), std::move(inputs));
}

}  // namespace perfspec
