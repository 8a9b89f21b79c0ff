// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "table.hpp"

#include "../baselines/baseline_files.hpp"
#include "../results/concern.hpp"
#include "report.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace perfspec::tool {
namespace {

struct table_cell {
    std::string value;
    std::string alarm;  ///< the verdict, where it needs attention

    [[nodiscard]] std::string text() const { return value.empty() || alarm.empty() ? value + alarm : value + " " + alarm; }
};

struct table_row {
    std::string suite;
    std::string name;
    std::map<std::string, table_cell> cells;  ///< by query
    std::vector<record> records;
};

struct record_table {
    std::vector<std::string> queries;
    std::vector<table_row> rows;

    void add(const record& r);
    void fill(table_row& row, const std::string& query, std::string value);
};

std::string name_of(const record& r) {
    std::string name = r.test;
    for (const std::string& section : r.sections) name += " / " + section;
    for (const auto& [axis, value] : r.axes) name += fmt::format(" / {}={}", axis, value);
    return name;
}

std::string ratio_text(const estimate& e) {
    return fmt::format("{} ({})", format_value(e.centre, dimension::ratio), format_range(e.low, e.high, dimension::ratio));
}

std::string value_of(const record& r) {
    if (r.verified && !r.estimate) return to_string(r.verified->code);
    if (!r.estimate) return r.failure ? to_string(*r.failure) : std::string{};
    return r.unit == dimension::ratio && r.own_unit.empty() ? ratio_text(*r.estimate) : value_text(r.estimate->centre, unit_name(r));
}

std::string alarm_of(const record& r) {
    const bool quiet = r.verdict == verdict::holds || r.verdict == verdict::not_judged;
    return quiet ? std::string{} : to_string(r.verdict) + std::string(detail::is_waived(r) ? ", waived" : "");
}

void record_table::fill(table_row& row, const std::string& query, std::string value) {
    if (std::ranges::find(queries, query) == queries.end()) queries.push_back(query);
    std::string& shown = row.cells[query].value;
    if (shown.empty()) shown = std::move(value);
}

void record_table::add(const record& r) {
    const std::string name = name_of(r);
    auto row = std::ranges::find_if(rows, [&](const table_row& each) { return each.suite == r.suite && each.name == name; });
    if (row == rows.end()) row = rows.insert(row, {r.suite, name, {}, {}});
    row->records.push_back(r);
    if (!r.compared.empty()) {
        for (const sample_summary& each : r.subjects)
            fill(*row, fmt::format("latency({})", each.subject), format_value(each.median, each.unit));
        for (const compared_subject& each : r.compared)
            fill(*row, fmt::format("speedup({}, {})", r.subjects.empty() ? "" : r.subjects.front().subject, each.subject),
                 ratio_text(each.speedup));
        return;
    }
    for (const part_value& part : r.parts)  // of a ratio, the second subject is the compiled one
        if (part.part == detail::compilation_part && !r.subjects.empty())
            fill(*row, fmt::format("compilation({})", r.subjects.back().subject), format_value(part.value.centre, part.unit));
    fill(*row, r.query, value_of(r));
    std::string& alarm = row->cells[r.query].alarm;
    if (alarm.empty()) alarm = alarm_of(r);
}

std::string measuring_time(const table_row& row) {
    double seconds = 0.0;
    for (const record& r : row.records) seconds += r.evidence.seconds;
    return format_seconds(seconds * 1e9);
}

std::vector<std::vector<std::string>> texts_of(const record_table& table) {
    std::vector<std::vector<std::string>> lines{{"test case"}};
    for (const std::string& query : table.queries) lines.front().push_back(detail::single_line(query));
    lines.front().insert(lines.front().end(), {"verdicts", "measuring"});
    const bool one_suite = std::ranges::all_of(table.rows, [&](const table_row& row) { return row.suite == table.rows.front().suite; });
    for (const table_row& row : table.rows) {
        auto& line = lines.emplace_back(std::vector{detail::single_line(one_suite ? row.name : row.suite + " / " + row.name)});
        for (const std::string& query : table.queries) {
            const auto cell = row.cells.find(query);
            line.push_back(cell == row.cells.end() ? std::string{} : detail::single_line(cell->second.text()));
        }
        line.insert(line.end(), {counts_text(row.records), measuring_time(row)});
    }
    return lines;
}

record_table table_of(std::span<const record> records) {
    record_table table;
    for (const record& r : records) table.add(r);
    return table;
}

/// Breaks "speedup(eager, inductor)" into "speedup", "(eager,", "inductor)": a column is then no wider than its values need.
std::vector<std::string> broken(std::string_view title) {
    std::vector<std::string> parts(1);
    for (const char c : title) {
        if (c == '(' && parts.size() == 1) parts.emplace_back();
        if (c == ' ' && parts.back().ends_with(',')) parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

}  // namespace

std::string table_console(std::span<const record> records) {
    auto lines = texts_of(table_of(records));
    const auto titles = lines.front();
    std::vector<std::vector<std::string>> heads;
    for (std::size_t c = 0; c < titles.size(); ++c) {
        const auto parts = broken(titles[c]);
        if (heads.size() < parts.size()) heads.resize(parts.size(), std::vector<std::string>(titles.size()));
        for (std::size_t l = 0; l < parts.size(); ++l) heads[l][c] = parts[l];
    }
    lines.erase(lines.begin());
    lines.insert(lines.begin(), heads.begin(), heads.end());
    return table_text(lines, "");
}

std::string table_markdown(std::span<const record> records) {
    const auto lines = texts_of(table_of(records));
    std::string columns = "|";
    for (std::size_t c = 0; c < lines.front().size(); ++c) columns += "---|";
    return markdown_table(lines, columns);
}

}  // namespace perfspec::tool
