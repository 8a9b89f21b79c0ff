// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/layer_subtraction.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <cmath>
#include <cstddef>
#include <string>

namespace perfspec {
namespace detail {

inline void require_prefixes(std::span<const std::vector<double>> prefixes) {
    if (prefixes.empty()) throw input_error("layer_subtraction: found no prefixes, needs the times of one at least");
    for (const std::vector<double>& row : prefixes) {
        require_sample("layer_subtraction", row);
        if (row.size() != prefixes.front().size())
            throw input_error("layer_subtraction: found prefixes of " + std::to_string(prefixes.front().size()) +
                              " and of " + std::to_string(row.size()) + " rounds, needs every prefix in every round");
    }
}

}  // namespace detail

std::vector<std::vector<double>> differences_of_prefixes(std::span<const std::vector<double>> prefixes) {
    detail::require_prefixes(prefixes);
    std::vector<std::vector<double>> layers(prefixes.begin(), prefixes.end());
    for (std::size_t n = 1; n < layers.size(); ++n)
        for (std::size_t round = 0; round < layers[n].size(); ++round) layers[n][round] -= prefixes[n - 1][round];
    return layers;
}

subtracted_layer subtracted(std::span<const double> differences) {
    const centre_interval time = signed_rank_interval(differences);
    return {time, time.low > 0.0 && std::isfinite(time.high)};
}

std::vector<subtracted_layer> layer_subtraction(std::span<const std::vector<double>> prefixes) {
    std::vector<subtracted_layer> layers;
    for (const std::vector<double>& differences : differences_of_prefixes(prefixes))
        layers.push_back(subtracted(differences));
    return layers;
}

}  // namespace perfspec
