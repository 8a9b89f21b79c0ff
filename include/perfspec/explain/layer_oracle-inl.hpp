// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/layer_oracle.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>

#include <array>
#include <cmath>
#include <string>

namespace perfspec {
namespace detail {

/// The best way to a layer on one side.
struct way_to_layer {
    double total{};
    std::size_t switches{};
    layer_side before{};  ///< the side of the layer before it

    [[nodiscard]] bool better_than(const way_to_layer& other) const noexcept {
        return total != other.total ? total < other.total : switches < other.switches;
    }
};

using ways_to_layer = std::array<way_to_layer, 2>;

inline void require_layer_times(std::span<const double> first, std::span<const double> second, double switching) {
    require_sample("choose_layers", first);
    require_sample("choose_layers", second);
    if (first.size() != second.size())
        throw input_error("choose_layers: found " + std::to_string(first.size()) + " layers of the first variant and " +
                          std::to_string(second.size()) + " of the second, needs the same layers of both");
    if (!std::isfinite(switching) || switching < 0.0)
        throw input_error("choose_layers: found a switching cost of " + number_text(switching) + ", needs a time from 0 up");
}

/// Goes on to the next layer on one side, either from the same side or by a switch.
[[nodiscard]] inline way_to_layer onward(const ways_to_layer& before, layer_side to, double time, double switching) noexcept {
    const layer_side from = to == layer_side::first ? layer_side::second : layer_side::first;
    const way_to_layer& same = before[static_cast<std::size_t>(to)];
    const way_to_layer& other = before[static_cast<std::size_t>(from)];
    const way_to_layer stay{same.total + time, same.switches, to};
    const way_to_layer change{other.total + switching + time, other.switches + 1, from};
    return change.better_than(stay) ? change : stay;
}

}  // namespace detail

layer_choice choose_layers(std::span<const double> first, std::span<const double> second, double switching) {
    detail::require_layer_times(first, second, switching);
    std::vector<detail::ways_to_layer> ways{{{{first[0], 0, layer_side::first}, {second[0], 0, layer_side::second}}}};
    for (std::size_t i = 1; i < first.size(); ++i)
        ways.push_back({{detail::onward(ways.back(), layer_side::first, first[i], switching),
                         detail::onward(ways.back(), layer_side::second, second[i], switching)}});
    const detail::ways_to_layer& last = ways.back();
    layer_side side = last[1].better_than(last[0]) ? layer_side::second : layer_side::first;
    const detail::way_to_layer& best = last[static_cast<std::size_t>(side)];
    layer_choice choice{std::vector<layer_side>(first.size()), best.total, best.switches};
    for (std::size_t i = first.size(); i-- > 0;) {
        choice.sides[i] = side;
        side = ways[i][static_cast<std::size_t>(side)].before;
    }
    return choice;
}

}  // namespace perfspec
