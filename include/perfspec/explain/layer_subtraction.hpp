// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/summary.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace perfspec {

/// The time that one layer adds to the prefix before it.
struct subtracted_layer {
    static constexpr std::string_view method = "prefix of n layers minus prefix of n - 1, in the same rounds";

    centre_interval time;  ///< of the differences by round, so it includes the noise of both prefixes; may be negative
    bool resolved{};       ///< the interval has two ends and is above zero; otherwise the noise exceeds the layer
};

/// The time of a layer by round, from rounds of the prefixes before it and with it: [layers][rounds]. A layer may be
/// below zero in a round. prefixes, throws: as `layer_subtraction`
[[nodiscard]] std::vector<std::vector<double>> differences_of_prefixes(std::span<const std::vector<double>> prefixes);

/// The time of one layer from its differences by round.
[[nodiscard]] subtracted_layer subtracted(std::span<const double> differences);

/// The time of each layer, as the difference of two prefixes that were measured in the same rounds.
///
/// prefixes   [layers][rounds] times of one iteration; row n is the model stopped after layer n. The first layer is the
///            first prefix.
/// throws     input_error for no rows, rows of unequal length, or a time that is not finite.
/// Method:    layer subtraction, Goldfarb, "Evaluating the PyTorch Compiler in the Vision Domain" (2024), 4.2.3; the
/// interval is ours.
[[nodiscard]] std::vector<subtracted_layer> layer_subtraction(std::span<const std::vector<double>> prefixes);

}  // namespace perfspec
