// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/layout.hpp>
#include <perfspec/stats/stability.hpp>
#include <perfspec/stats/stored/rank_sums.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::detail {

inline void require_processes_of_a_layout(std::size_t found) {
    if (found >= min_processes_of_a_layout && found <= max_processes_of_a_layout) return;
    throw input_error("effect_of_layout: found " + std::to_string(found) + " processes, needs " +
                      std::to_string(min_processes_of_a_layout) + " to " + std::to_string(max_processes_of_a_layout) + " of each kind");
}

/// P-value of the rank-sum test. Its hypothesis is that the distances with drawn layouts are not larger. A tie counts for those with one
/// layout.
inline double p_value_of_distances(const std::vector<double>& same, const std::vector<double>& drawn) {
    std::int64_t larger = 0;
    for (const double d : drawn) larger += std::ranges::count_if(same, [&](double s) { return s >= d; });
    return rank_sum_counts(same.size(), drawn.size()).probability_up_to(drawn.size(), larger);
}

layout_effect effect_of_layout(std::span<const double> same, std::span<const double> drawn) {
    require_processes_of_a_layout(same.size());
    require_processes_of_a_layout(drawn.size());
    const launch_spread of_one = spread_of(same);
    const launch_spread of_drawn = spread_of(drawn);
    layout_effect effect{.processes = drawn.size(), .same = of_one.spread, .drawn = of_drawn.spread};
    const double variance = of_drawn.spread * of_drawn.spread - of_one.spread * of_one.spread;
    effect.moves = std::expm1(2.0 * std::sqrt(std::max(variance, 0.0)));
    effect.is_seen = p_value_of_distances(of_one.distances, of_drawn.distances) <= layout_false_alarm;
    return effect;
}

bool may_be_layout(const layout_effect& effect, double value, double bound) {
    return effect.is_seen && std::abs(std::log(value / bound)) < std::log1p(effect.moves);
}

}  // namespace perfspec::detail
