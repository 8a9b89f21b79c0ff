// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/summary.hpp>

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The time that one layer adds to the prefix before it.
struct subtracted_layer {
    static constexpr std::string_view method = "prefix of n layers minus prefix of n - 1, in the same rounds";

    center_interval time;  ///< of the differences by round, so it includes the noise of both prefixes; may be negative
    bool resolved{};       ///< the interval has two ends and is above zero; otherwise the noise exceeds the layer
};

/// The times of layers, [layers][rounds], which may be below zero.
///
/// prefixes  [layers][rounds] times of one iteration; row n is the model stopped after layer n. The first layer is the
///           first prefix.
inline std::vector<std::vector<double>> differences_of_prefixes(std::span<const std::vector<double>> prefixes) {
    std::vector<std::vector<double>> layers(prefixes.begin(), prefixes.end());
    for (std::size_t n = 1; n < layers.size(); ++n)
        for (std::size_t round = 0; round < layers[n].size(); ++round) layers[n][round] -= prefixes[n - 1][round];
    return layers;
}

/// The time of one layer from its differences by round.
inline subtracted_layer subtracted(std::span<const double> differences) {
    const center_interval time = signed_rank_interval(differences);
    return {time, time.low > 0.0 && std::isfinite(time.high)};
}

/// The time of each layer, as the difference of two prefixes that were measured in the same rounds.
///
/// Method:    layer subtraction, Goldfarb, "Evaluating the PyTorch Compiler in the Vision Domain" (2024), 4.2.3; the
/// interval is ours.
inline std::vector<subtracted_layer> layer_subtraction(std::span<const std::vector<double>> prefixes) {
    std::vector<subtracted_layer> layers;
    for (const std::vector<double>& differences : differences_of_prefixes(prefixes))
        layers.push_back(subtracted(differences));
    return layers;
}

}  // namespace perfspec::inline v0_2::detail
