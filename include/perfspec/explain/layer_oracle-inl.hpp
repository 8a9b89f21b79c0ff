// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/layer_oracle.hpp>
#include <perfspec/report/claim_result.hpp>

#include <algorithm>
#include <string>

namespace perfspec {
namespace detail {

/// The columns of a table, in their order. Of an oracle they are its variants.
inline std::vector<std::string> columns_of_parts(const record& found) {
    std::vector<std::string> columns;
    for (const part_value& p : found.parts)
        if (std::ranges::find(columns, p.method) == columns.end()) columns.push_back(p.method);
    return columns;
}

}  // namespace detail

std::vector<layer_side> chosen_layers(const evaluation& found) {
    const record& table = detail::record_of(found);
    const std::vector<std::string> variants = detail::columns_of_parts(table);
    std::vector<layer_side> sides;
    for (const part_value& p : table.parts)
        if (p.mark.starts_with("chosen"))
            sides.push_back(static_cast<layer_side>(std::ranges::find(variants, p.method) - variants.begin()));
    return sides;
}

std::optional<double> oracle_gap(const evaluation& found, layer_side variant) {
    const record& table = detail::record_of(found);
    const std::vector<std::string> variants = detail::columns_of_parts(table);
    if (index_of(variant) >= variants.size()) return {};
    for (const part_value& p : table.parts)
        if (p.unit == dimension::ratio && p.method == variants[index_of(variant)]) return p.value.centre - 1.0;
    return {};
}

}  // namespace perfspec

namespace perfspec::detail {

/// The best way to a layer on one side.
struct way_to_layer {
    double total{};
    std::size_t switches{};
    std::size_t before{};  ///< the side of the layer before it

    [[nodiscard]] bool better_than(const way_to_layer& other) const noexcept {
        return total != other.total ? total < other.total : switches < other.switches;
    }
};

using ways_to_layer = std::vector<way_to_layer>;  ///< [sides]

/// Goes on to the next layer on one side, either from the same side or by a switch.
[[nodiscard]] inline way_to_layer onward(const ways_to_layer& before, std::size_t to, double time, double switching) {
    way_to_layer best{before[to].total + time, before[to].switches, to};
    for (std::size_t from = 0; from < before.size(); ++from) {
        const way_to_layer& other = before[from];
        const way_to_layer change{other.total + switching + time, other.switches + 1, from};
        if (from != to && change.better_than(best)) best = change;
    }
    return best;
}

/// [layers][sides]
inline std::vector<ways_to_layer> ways_to_layers(const std::vector<std::vector<double>>& variants, double switching) {
    std::vector<ways_to_layer> ways(variants.front().size(), ways_to_layer(variants.size()));
    for (std::size_t side = 0; side < variants.size(); ++side) ways[0][side] = {variants[side][0], 0, side};
    for (std::size_t i = 1; i < ways.size(); ++i)
        for (std::size_t side = 0; side < variants.size(); ++side)
            ways[i][side] = onward(ways[i - 1], side, variants[side][i], switching);
    return ways;
}

/// The first of the best.
[[nodiscard]] inline std::size_t best_side(const ways_to_layer& ways) {
    std::size_t best = 0;
    for (std::size_t side = 1; side < ways.size(); ++side)
        if (ways[side].better_than(ways[best])) best = side;
    return best;
}

layer_choice choose_layers(const std::vector<std::vector<double>>& variants, double switching) {
    const std::vector<ways_to_layer> ways = ways_to_layers(variants, switching);
    std::size_t side = best_side(ways.back());
    const way_to_layer& best = ways.back()[side];
    layer_choice choice{std::vector<layer_side>(ways.size()), best.total, best.switches};
    for (std::size_t i = ways.size(); i-- > 0;) {
        choice.sides[i] = static_cast<layer_side>(side);
        side = ways[i][side].before;
    }
    return choice;
}

}  // namespace perfspec::detail
