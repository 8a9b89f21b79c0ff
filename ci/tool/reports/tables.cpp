// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace perfspec::tool {
namespace {

/// Those with another verdict, the ones that concern the reader most first. A claim without a result comes before all
/// others.
std::vector<claim_in_two_runs> changed_ones(std::span<const claim_in_two_runs> claims) {
    std::vector<claim_in_two_runs> changed;
    std::ranges::copy_if(claims, std::back_inserter(changed), &claim_in_two_runs::changed);
    std::ranges::stable_sort(changed, {}, [](const claim_in_two_runs& claim) {
        return claim.now == nullptr ? -1 : static_cast<int>(concern_of(*claim.now));
    });
    return changed;
}

std::string value_of(const record* r) {
    return r != nullptr && r->estimate ? detail::measured_text(*r) : std::string{};
}

struct table_cell {
    std::string value;
    std::string alarm;  ///< the verdict, where it needs attention

    [[nodiscard]] std::string text() const {
        return value.empty() || alarm.empty() ? value + alarm : value + " " + alarm;
    }
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
    return fmt::format("{} ({})", format_value(e.centre, dimension::ratio),
                       format_range(e.low, e.high, dimension::ratio));
}

std::string value_of(const record& r) {
    if (r.verified && !r.estimate) return to_string(r.verified->code);
    if (!r.estimate) return r.failure ? to_string(*r.failure) : std::string{};
    return r.unit == dimension::ratio && r.own_unit.empty() ? ratio_text(*r.estimate)
                                                            : value_text(r.estimate->centre, unit_name(r));
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
    auto row =
        std::ranges::find_if(rows, [&](const table_row& each) { return each.suite == r.suite && each.name == name; });
    if (row == rows.end()) row = rows.insert(row, {r.suite, name, {}, {}});
    row->records.push_back(r);
    if (!r.compared.empty()) {
        for (const sample_summary& each : r.subjects)
            fill(*row, fmt::format("latency({})", each.subject), format_value(each.median, each.unit));
        for (const compared_subject& each : r.compared)
            fill(*row,
                 fmt::format("speedup({}, {})", r.subjects.empty() ? "" : r.subjects.front().subject, each.subject),
                 ratio_text(each.speedup));
        return;
    }
    for (const part_value& part : r.parts)  // of a ratio, the second subject is the compiled one
        if (part.part == detail::compilation_part && !r.subjects.empty())
            fill(*row, fmt::format("compilation({})", r.subjects.back().subject),
                 format_value(part.value.centre, part.unit));
    fill(*row, r.query, value_of(r));
    std::string& alarm = row->cells[r.query].alarm;
    if (alarm.empty()) alarm = alarm_of(r);
}

std::string measuring_time(const table_row& row) {
    double seconds = 0.0;
    for (const record& r : row.records) seconds += r.evidence.seconds;
    return format_seconds(seconds * 1e9);
}

table_rows texts_of(const record_table& table) {
    table_rows lines{{"test case"}};
    for (const std::string& query : table.queries) lines.front().push_back(detail::single_line(query));
    lines.front().insert(lines.front().end(), {"verdicts", "measuring"});
    const bool one_suite =
        std::ranges::all_of(table.rows, [&](const table_row& row) { return row.suite == table.rows.front().suite; });
    for (const table_row& row : table.rows) {
        auto& line =
            lines.emplace_back(std::vector{detail::single_line(one_suite ? row.name : row.suite + " / " + row.name)});
        for (const std::string& query : table.queries) {
            const auto cell = row.cells.find(query);
            line.push_back(cell == row.cells.end() ? std::string{} : detail::single_line(cell->second.text()));
        }
        line.insert(line.end(), {counts_text(row.records), measuring_time(row)});
    }
    return lines;
}

}  // namespace

report_part since_part(std::span<const record> now, const earlier_run& before) {
    const std::vector<claim_in_two_runs> claims = claims_in_two_runs(before.records, now);
    const std::vector<claim_in_two_runs> changed = changed_ones(claims);
    if (changed.empty()) return {.title = fmt::format("No verdict changed since {}.", before.name())};
    report_part part{.title = fmt::format("{} of {} changed since {}", changed.size(),
                                          counted(claims.size(), "verdict"), before.name()),
                     .rows = {{"before", "now", "key", "value before", "value now"}},
                     .columns = "|---|---|---|---|---|"};
    for (const claim_in_two_runs& claim : std::span(changed).first(std::min(most_rows_of_claims, changed.size()))) {
        const record& r = claim.now != nullptr ? *claim.now : *claim.before;
        part.rows.push_back({word_of(claim.before), word_of(claim.now),
                             detail::single_line(r.key.empty() ? test_of(r) : r.key), value_of(claim.before),
                             value_of(claim.now)});
    }
    if (changed.size() > most_rows_of_claims) part.lines.push_back(left_out_text(changed.size()));
    return part;
}

report_part table_part(std::span<const record> records) {
    record_table table;
    for (const record& r : records) table.add(r);
    report_part part{.rows = texts_of(table), .columns = "|"};
    for (std::size_t c = 0; c < part.rows.front().size(); ++c) part.columns += "---|";
    return part;
}

}  // namespace perfspec::tool
