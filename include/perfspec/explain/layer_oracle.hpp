// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perfspec {

/// The variant of a model that a layer is taken from.
enum class layer_side : std::uint8_t { first, second };

/// The fastest mixture of two variants, layer by layer.
struct layer_choice {
    std::vector<layer_side> sides{};
    double total{};          ///< of the layers and of the switches
    std::size_t switches{};  ///< neighbouring layers of different sides
};

/// Chooses the mixture with the smallest sum of layer times and switching costs. If sums are equal, fewer switches win; then the mixture
/// that stays longer with the first variant at the end.
///
/// first, second  times of the layers in their order, in one unit of your choice
/// switching      the cost of going from one variant to the other between two layers, in the same unit; 0: the minimum of each layer
/// throws         input_error if there are no layers, or different numbers of them; for a time that is not finite, or a cost below 0
/// Method:        dynamic programming with two states per layer, O(layers).
///
///     choose_layers({{3, 1, 3}}, {{1, 2, 1}}, 2.0).sides == second, second, second: the way over the first costs 4 to save 1
[[nodiscard]] layer_choice choose_layers(std::span<const double> first, std::span<const double> second, double switching = 0.0);

}  // namespace perfspec
