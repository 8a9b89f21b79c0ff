// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perfspec {

/// Which of two variants of a model a layer is taken from.
enum class layer_side : std::uint8_t { first, second };

/// The fastest mixture of two variants, layer by layer.
struct layer_choice {
    std::vector<layer_side> sides{};
    double total{};          ///< of the layers and of the switches
    std::size_t switches{};  ///< neighbouring layers of different sides
};

/// The mixture with the smallest sum of layer times and switching costs. Of equal sums the one with fewer switches; then the one that keeps
/// to the first variant for longer at the end.
///
/// first, second  times of the layers in their order, in any one unit
/// switching      what it costs to go from one variant to the other between two layers, in the same unit; 0: the minimum of each layer
/// throws         input_error for no layers, a different number of them, a time that is not finite, or a cost that is none.
/// Method:        dynamic programming with two states a layer, O(layers).
///
///     choose_layers({{3, 1, 3}}, {{1, 2, 1}}, 2.0).sides == second, second, second: the way over the first costs 4 to save 1
[[nodiscard]] layer_choice choose_layers(std::span<const double> first, std::span<const double> second, double switching = 0.0);

}  // namespace perfspec
