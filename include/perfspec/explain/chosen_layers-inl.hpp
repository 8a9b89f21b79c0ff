// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/chosen_layers.hpp>

namespace perfspec {

std::vector<layer_side> chosen_layers(const record& found) {
    std::vector<layer_side> sides;
    for (const part_value& p : found.parts)
        if (p.mark == "chosen") sides.push_back(p.method == found.parts.front().method ? layer_side::first : layer_side::second);
    return sides;
}

std::optional<double> oracle_gap(const record& found) {
    for (const part_value& p : found.parts)
        if (p.unit == dimension::ratio && p.method != found.parts.front().method) return p.value.centre - 1.0;
    return {};
}

}  // namespace perfspec
