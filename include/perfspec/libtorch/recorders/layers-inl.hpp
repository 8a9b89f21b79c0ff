// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/recorders/layers.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

namespace perfspec::inline v0_2 {
namespace detail {

/// The layers of a model, and the tensor that one step passes to the next.
struct layer_chain {
    layer_list layers;
    at::Tensor current{};
};

inline void require_layers(std::string_view name, const layer_list& layers) {
    const std::string who = "layered(\"" + std::string(name) + "\"): ";
    const char* const write = ": write {{\"conv1\", f}, {\"relu\", g}}";
    if (layers.empty()) throw input_error(who + "it has no layers" + write);
    std::set<std::string_view> names;
    for (const named_layer& layer : layers) {
        if (layer.name.empty() || !layer.run) throw input_error(who + "a layer has no name or no function" + write);
        if (!names.insert(layer.name).second)
            throw input_error(who + "two layers are called \"" + layer.name + "\", but each needs its own name" +
                              write);
    }
}

inline at::Tensor fold(const layer_list& layers, std::size_t count, at::Tensor x) {
    for (std::size_t i = 0; i < count; ++i) x = layers[i].run(x);
    return x;
}

/// A subject of the first layers of a chain.
inline subject first_layers(std::string_view name, const std::shared_ptr<layer_chain>& chain, std::size_t count,
                            const at::Tensor& input) {
    torch_model model;
    model.run = [chain, count](const tensor_list& inputs, std::uint64_t iterations) -> tensor_list {
        for (; iterations > 1; --iterations) do_not_optimize(fold(chain->layers, count, inputs[0]));
        return fold(chain->layers, count, inputs[0]);
    };
    return torch_subject(name, std::move(model), input);
}

/// A subject of one layer. Its input is the output of the step before it.
inline subject step(const std::shared_ptr<layer_chain>& chain, std::size_t i, const at::Tensor& input) {
    torch_model model;
    model.run = [chain, i](const tensor_list& inputs, std::uint64_t) -> tensor_list {
        chain->current = chain->layers[i].run(i == 0 ? inputs[0] : chain->current);
        return i + 1 == chain->layers.size() ? std::move(chain->current) : chain->current;
    };
    return torch_subject(chain->layers[i].name, std::move(model), input);
}

layered_model layered_around(const subject& whole, layer_list layers, const at::Tensor& input) {
    require_layers(whole.name(), layers);
    const auto chain = std::make_shared<layer_chain>(layer_chain{layers, {}});
    std::vector<subject> prefixes, steps;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        prefixes.push_back(first_layers("up to " + layers[i].name, chain, i + 1, input));
        steps.push_back(step(chain, i, input));
    }
    return {{whole, std::move(prefixes), std::move(steps)}, std::move(layers), input};
}

inline void require_mixture(const std::string& who, const std::vector<layered_model>& variants,
                            const std::vector<layer_side>& choice) {
    if (variants.size() < 2)
        throw input_error(who + "there " + (variants.size() == 1 ? "is one variant" : "are no variants") +
                          ", but a mixture needs at least two: {eager, compiled}");
    const layer_list& layers = variants.front().list();
    for (const layered_model& each : variants)
        if (!std::ranges::equal(layers, each.list(), {}, &named_layer::name, &named_layer::name))
            throw input_error(who + "\"" + std::string(variants.front().name()) + "\" and \"" +
                              std::string(each.name()) +
                              "\" have different layers: give them the same names in the same order");
    const char* const of_an_mixture = ": pass chosen_layers(found) of their mixture";
    if (!choice.empty() && choice.size() != layers.size())
        throw input_error(who + "the choice has " + std::to_string(choice.size()) + " layers, but the variants have " +
                          std::to_string(layers.size()) + of_an_mixture);
    for (std::size_t i = 0; i < choice.size(); ++i)
        if (index_of(choice[i]) >= variants.size())
            throw input_error(who + "the choice for \"" + layers[i].name + "\" is variant " +
                              std::to_string(index_of(choice[i]) + 1) + ", but there are only " +
                              std::to_string(variants.size()) + of_an_mixture);
}

}  // namespace detail

layered_model layered(std::string_view name, layer_list layers, const at::Tensor& input) {
    detail::require_layers(name, layers);
    const auto chain = std::make_shared<detail::layer_chain>(detail::layer_chain{layers, {}});
    const subject whole = detail::first_layers(name, chain, layers.size(), input);
    return detail::layered_around(whole, std::move(layers), input);
}

layered_model hybrid(std::string_view name, const std::vector<layered_model>& variants,
                     const std::vector<layer_side>& choice) {
    detail::require_mixture("hybrid(\"" + std::string(name) + "\"): ", variants, choice);
    layer_list mixed = variants.back().list();
    for (std::size_t i = 0; i < choice.size(); ++i) mixed[i] = variants[index_of(choice[i])].list()[i];
    return layered(name, std::move(mixed), variants.front().input());
}

}  // namespace perfspec::inline v0_2
