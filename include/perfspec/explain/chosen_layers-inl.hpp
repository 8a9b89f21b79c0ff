// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/chosen_layers.hpp>
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
