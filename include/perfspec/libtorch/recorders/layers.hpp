// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/best_mixture.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/libtorch/subjects/eager.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// A layer: its name, and its function of the output of the layer before it. Every layer but the first may work in
/// place.
struct named_layer {
    std::string name;
    std::function<at::Tensor(const at::Tensor&)> run;
};

/// Layers in their order; the model is their fold.
using layer_list = std::vector<named_layer>;

/// A LibTorch model in layers: a subject that runs all of them. It works in every query, and in `layers`,
/// `best_mixture` and `hybrid`.
class layered_model : public layered_subject {
public:
    layered_model(layered_subject parts, layer_list layers, at::Tensor input)
        : layered_subject(std::move(parts)), layers_(std::move(layers)), input_(std::move(input)) {}

    [[nodiscard]] const layer_list& list() const noexcept { return layers_; }
    [[nodiscard]] const at::Tensor& input() const noexcept { return input_; }

private:
    layer_list layers_;
    at::Tensor input_;
};

namespace detail {

template <class Module>
concept HasNamedLayers = requires(Module& m) {
    m->named_layers();
};

/// The required part of `torch::nn::Sequential`, without its header.
template <class Module>
concept Sequential = requires(Module& m, at::Tensor x) {
    m->named_children();
    (*m->begin()).template forward<at::Tensor>(x);
};

template <class Module> layer_list layers_of(Module& module) {
    static_assert(
        HasNamedLayers<Module> || Sequential<Module>,
        "perfspec: a module says what its layers are by named_layers(), or is a torch::nn::Sequential: else list them, "
        "layered(\"net\", {{\"conv1\", f}, {\"relu\", g}}, input)");
    layer_list all;
    if constexpr (HasNamedLayers<Module>) {
        // The module lives as long as its layers.
        for (auto& [name, run] : module->named_layers())
            all.push_back({name, [module, run = run](const at::Tensor& x) mutable { return run(x); }});
    } else if constexpr (Sequential<Module>) {
        auto each = module->begin();
        for (const auto& child : module->named_children())
            all.push_back({child.key(), [any = *each++](const at::Tensor& x) mutable {
                               return any.template forward<at::Tensor>(x);
                           }});
    }
    return all;
}

/// The prefixes and steps of the layers, with a subject of the whole model. Throws input_error like `layered`.
[[nodiscard]] layered_model layered_around(const subject& whole, layer_list layers, const at::Tensor& input);

}  // namespace detail

/// A model in layers on one input, under `c10::InferenceMode`, from an explicit list.
/// Throws input_error for no layers, one without a name or a function, or two of one name.
///
///     auto net = perfspec::layered("net", {{"conv", conv}, {"relu", [](auto& x) { return at::relu(x); }}}, input);
///     PERF_MEASURE(layers(net));
[[nodiscard]] layered_model layered(std::string_view name, layer_list layers, const at::Tensor& input);

/// The same for a `torch::nn::Sequential`, or for a module (a holder or a `std::shared_ptr`) that lists its layers:
/// `named_layers()` returns pairs of a name and a function of a tensor, and `forward` is their fold. The order of the
/// children of other modules is unknown.
template <class Module>
[[nodiscard]] layered_model layered(std::string_view name, Module module, const at::Tensor& input) {
    return detail::layered_around(eager(name, module, input), detail::layers_of(module), input);
}

/// A model that runs a mixture of variants, each layer in the chosen one, to test the prediction of a mixture.
///
/// variants  two or more, in the order of the mixture
/// choice    a side for each layer, such as `chosen_layers(found)` of a mixture; empty, if none was measured: all
///           layers of the last variant
/// throws    input_error for variants with different layers, fewer than two of them, a choice for another number of
///           layers, or of a missing variant
///
///     const auto found = perfspec::evaluate(best_mixture(eager, compiled));
///     auto mixed = perfspec::hybrid("mixed", {eager, compiled}, chosen_layers(found));
///     PERF_CHECK(speedup(compiled, mixed) > 1.0);
[[nodiscard]] layered_model hybrid(std::string_view name, const std::vector<layered_model>& variants,
                                   const std::vector<layer_side>& choice);

}  // namespace perfspec::inline v0_2
