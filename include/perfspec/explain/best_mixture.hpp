// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/evaluation.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace perfspec::inline v0_2 {

/// The variant of a model for a layer. Further variants have no names: `layer_side{4}` is the fifth.
enum class layer_side : std::uint8_t { first, second, third, fourth };

/// The index of a variant in the list of variants, from 0.
///
///     for (const layer_side side : chosen_layers(found)) std::puts(names[index_of(side)]);
[[nodiscard]] constexpr std::size_t index_of(layer_side side) noexcept { return static_cast<std::size_t>(side); }

namespace detail {

inline constexpr std::size_t most_variants = 256;  ///< the values of a layer_side

/// The fastest mixture of several variants, layer by layer.
struct layer_choice {
    std::vector<layer_side> sides{};
    double total{};          ///< sum over the layers and the switches
    std::size_t switches{};  ///< neighboring layers of different sides
};

/// Chooses the mixture with the smallest sum of layer times and switching costs. If sums are equal, fewer switches win.
/// Other ties are resolved from the last layer back: the last layer gets the earliest of the best variants; each layer
/// before it gets the next layer's variant if that is as good, otherwise the earliest.
///
/// variants   [variants][layers]: times of the layers in their order, in one unit of your choice; 2 to 256 variants
/// switching  the cost of a change of variant between two layers, in the same unit; 0: the minimum of each layer
/// Method:    dynamic programming with a state for each variant, O(layers * variants^2).
///
///     choose_layers({{3, 1, 3}, {1, 2, 1}, {9, 9, 9}}, 2.0).sides == second, second, second: the way over the first
///     costs 4 to save 1
[[nodiscard]] layer_choice choose_layers(const std::vector<std::vector<double>>& variants, double switching = 0.0);
}  // namespace detail

/// The variant that a mixture chose for each layer. Empty for another query, or if nothing was measured.
///
///     const auto found = perfspec::evaluate(best_mixture(eager, compiled));
///     auto mixed = perfspec::hybrid("mixed", {eager, compiled}, chosen_layers(found));
[[nodiscard]] std::vector<layer_side> chosen_layers(const evaluation& found);

/// How much longer a variant takes end to end than the mixture, as a fraction: 0.1 for 10 %. Empty without a mixture or
/// such a variant.
///
/// This is a number and not a claim, because nothing runs the mixture. Make the claim on a subject that runs the
/// mixture: `speedup(compiled, mixed) < 1.1`.
///
///     const auto found = perfspec::evaluate(best_mixture(eager, compiled, traced));
///     mixture_gap(found, layer_side::third);  // of traced
[[nodiscard]] std::optional<double> mixture_gap(const evaluation& found, layer_side variant = layer_side::second);

}  // namespace perfspec::inline v0_2
