// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/metric.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/test.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::testing {

/// The cells of a row of a Markdown table.
inline std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream text(row.substr(1));
    for (std::string cell; std::getline(text, cell, '|');)
        cells.push_back(cell.substr(std::min<std::size_t>(1, cell.size())));
    return cells;
}

/// The row of the reference's table of queries whose first cell names the metric.
inline std::vector<std::string> row_of_reference(std::string_view word) {
    std::ifstream page(PERFSPEC_TEST_SOURCE_DIR "/../../include/perfspec/README.md");
    for (std::string line; std::getline(page, line);)
        if (line.starts_with("| `" + std::string(word) + "(")) return cells_of(line);
    return {};
}

inline std::string word_of(dimension unit) {
    switch (unit) {
    case dimension::time: return "time";
    case dimension::item_rate: return "rate";
    case dimension::bytes: return "bytes";
    case dimension::count: return "count";
    case dimension::power: return "power";
    case dimension::spread: return "percentage";
    default: return "yours";
    }
}

/// Checks that the reference says of a metric what its row says.
inline void check_reference_of(const metric_traits& row) {
    INFO(row.word);
    const auto cells = row_of_reference(row.word);
    REQUIRE(cells.size() == 3);
    CHECK(cells[1].starts_with(row.help));
    const std::string direction = metric_kind(row) == detail::metrics::own ? ", as named"
                                  : row.direction == better::less          ? ", less"
                                                                           : ", more";
    CHECK(cells[2] == word_of(row.unit) + direction + " ");
}

}  // namespace perfspec::testing
