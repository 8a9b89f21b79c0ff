// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/layer_subtraction.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>

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
            throw input_error("layer_subtraction: found prefixes of " + std::to_string(prefixes.front().size()) + " and of " +
                              std::to_string(row.size()) + " rounds, needs every prefix in every round");
    }
}

}  // namespace detail

std::vector<subtracted_layer> layer_subtraction(std::span<const std::vector<double>> prefixes, double threshold) {
    detail::require_prefixes(prefixes);
    std::vector<subtracted_layer> layers;
    for (std::size_t n = 0; n < prefixes.size(); ++n) {
        std::vector<double> differences = prefixes[n];
        if (n > 0)
            for (std::size_t round = 0; round < differences.size(); ++round) differences[round] -= prefixes[n - 1][round];
        const centre_interval time = evidence_interval(differences, threshold);
        layers.push_back({time, time.low > 0.0 && std::isfinite(time.high)});
    }
    return layers;
}

}  // namespace perfspec
