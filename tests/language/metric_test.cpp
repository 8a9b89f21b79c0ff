// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/metric.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {
namespace {

/// The cells of a row of a Markdown table.
std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream text(row.substr(1));
    for (std::string cell; std::getline(text, cell, '|');)
        cells.push_back(cell.substr(std::min<std::size_t>(1, cell.size())));
    return cells;
}

/// The row of the reference's table of queries whose first cell names the metric.
std::vector<std::string> row_of_reference(std::string_view word) {
    std::ifstream page(PERFSPEC_TEST_SOURCE_DIR "/../../include/perfspec/README.md");
    for (std::string line; std::getline(page, line);)
        if (line.starts_with("| `" + std::string(word) + "(")) return cells_of(line);
    return {};
}

std::string word_of(dimension unit) {
    switch (unit) {
    case dimension::time: return "time";
    case dimension::item_rate: return "rate";
    case dimension::bytes: return "bytes";
    case dimension::count: return "count";
    case dimension::power: return "power";
    case dimension::spread: return "percentage";
    default: return "its own";
    }
}

}  // namespace

TEST_CASE("the reference says of every metric what its row says", "[language][unit]") {
    for (const metric_traits& row : metric_table) {
        if (row.metric == metric_kind::module_count) continue;  // the page of a module has its name
        INFO(row.word);
        const auto cells = row_of_reference(row.word);
        REQUIRE(cells.size() == 3);
        CHECK(cells[1].starts_with(row.help));
        const std::string direction = row.metric == metric_kind::own  ? ", as said"
                                      : row.direction == better::less ? ", less"
                                                                      : ", more";
        CHECK(cells[2] == word_of(row.unit) + direction + " ");
    }
}

TEST_CASE("every metric has a word of its own", "[language][unit]") {
    std::set<std::string_view> words;
    for (const metric_traits& row : metric_table) CHECK(words.insert(row.word).second);
}

TEST_CASE("what counts a metric is known", "[language][unit]") {
    for (const metric_traits& row : metric_table) {
        INFO(row.word);
        if (row.from == reading::counter || row.from == reading::processor_counter)
            CHECK_NOTHROW(process_counters().of(row.metric));
    }
}

}  // namespace perfspec
