// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/evaluation.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace perfspec {

/// The variant of a model that a layer is taken from. Further ones have no names: `layer_side{4}` is the fifth.
enum class layer_side : std::uint8_t { first, second, third, fourth };

/// The place of a variant in the list of variants: 0 for the first.
///
///     for (const layer_side side : chosen_layers(found)) std::puts(names[index_of(side)]);
[[nodiscard]] constexpr std::size_t index_of(layer_side side) noexcept { return static_cast<std::size_t>(side); }

namespace detail {

inline constexpr std::size_t most_variants = 256;  ///< what a layer_side can tell apart

/// The fastest mixture of several variants, layer by layer.
struct layer_choice {
    std::vector<layer_side> sides{};
    double total{};          ///< of the layers and of the switches
    std::size_t switches{};  ///< neighbouring layers of different sides
};

/// Chooses the mixture with the smallest sum of layer times and switching costs. If sums are equal, fewer switches win.
/// If these are equal, too, ties are settled from the last layer back: the last layer is of the earliest variant in the
/// list; each layer before it is of the variant of the layer behind it where that is as good, otherwise of the earliest
/// variant.
///
/// variants   [variants][layers]: times of the layers in their order, in one unit of your choice; 2 to 256 variants
/// switching  the cost of going from one variant to another between two layers, in the same unit; 0: the minimum of
///            each layer
/// Method:    dynamic programming with a state for each variant, O(layers * variants^2).
///
///     choose_layers({{3, 1, 3}, {1, 2, 1}, {9, 9, 9}}, 2.0).sides == second, second, second: the way over the first
///     costs 4 to save 1
[[nodiscard]] layer_choice choose_layers(const std::vector<std::vector<double>>& variants, double switching = 0.0);
}  // namespace detail

/// The variant that an oracle took each layer from. Empty without an oracle: for another query, or if nothing
/// was measured.
///
///     const auto found = perfspec::evaluate(oracle(eager, compiled));
///     auto mixed = perfspec::hybrid("mixed", {eager, compiled}, chosen_layers(found));
[[nodiscard]] std::vector<layer_side> chosen_layers(const evaluation& found);

/// How much longer a variant takes end to end than the oracle, as a fraction: 0.1 for 10 %. Nothing without an
/// oracle, or if it has no such variant.
///
/// This is a number, not a claim: the oracle is not a subject, because nothing runs it. Claim something about a subject
/// that runs the mixture: `speedup(compiled, mixed) < 1.1`.
///
///     const auto found = perfspec::evaluate(oracle(eager, compiled, traced));
///     oracle_gap(found, layer_side::third);  // of traced
[[nodiscard]] std::optional<double> oracle_gap(const evaluation& found, layer_side variant = layer_side::second);

}  // namespace perfspec
