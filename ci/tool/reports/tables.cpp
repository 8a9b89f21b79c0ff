// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

namespace perfspec::tool {
namespace {

const record& shown(const claim_in_two_runs& claim) { return claim.now != nullptr ? *claim.now : *claim.before; }

/// Those with another verdict, the ones that concern the reader most first. A claim without a result comes before all others.
std::vector<claim_in_two_runs> changed_ones(std::span<const claim_in_two_runs> claims) {
    std::vector<claim_in_two_runs> changed;
    std::ranges::copy_if(claims, std::back_inserter(changed), &claim_in_two_runs::changed);
    std::ranges::stable_sort(
        changed, {}, [](const claim_in_two_runs& claim) { return claim.now == nullptr ? -1 : static_cast<int>(concern_of(*claim.now)); });
    return changed;
}

std::span<const claim_in_two_runs> first_rows(const std::vector<claim_in_two_runs>& changed) {
    return std::span(changed).first(std::min(most_rows_of_claims, changed.size()));
}

std::string value_of(const record* r) { return r != nullptr && r->estimate ? detail::measured_text(*r) : std::string{}; }

std::string summary(std::size_t changed, std::size_t all, std::string_view since) {
    if (changed == 0) return fmt::format("No verdict changed since {}.", since);
    return fmt::format("{} of {} changed since {}", changed, counted(all, "verdict"), since);
}

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

std::string since_console(std::span<const record> now, const earlier_run& before) {
    const std::vector<claim_in_two_runs> claims = claims_in_two_runs(before.records, now);
    const std::vector<claim_in_two_runs> changed = changed_ones(claims);
    table_rows rows{{"before", "now", "key", "value before", "value now"}};
    for (const claim_in_two_runs& claim : first_rows(changed)) {
        const record& r = shown(claim);
        rows.push_back({word_of(claim.before), word_of(claim.now), detail::single_line(r.key.empty() ? test_of(r) : r.key),
                        value_of(claim.before), value_of(claim.now)});
    }
    return summary(changed.size(), claims.size(), before.name()) + '\n' + (changed.empty() ? std::string{} : table_text(rows, "  ")) +
           left_out_text(changed.size());
}

std::string since_markdown(std::span<const record> now, const earlier_run& before) {
    const std::vector<claim_in_two_runs> claims = claims_in_two_runs(before.records, now);
    const std::vector<claim_in_two_runs> changed = changed_ones(claims);
    std::string text = fmt::format("{}\n", markdown_text(summary(changed.size(), claims.size(), before.name())));
    if (!changed.empty()) text += "\n| before | now | test | claim | value before | value now |\n|---|---|---|---|---|---|\n";
    for (const claim_in_two_runs& claim : first_rows(changed)) {
        const record& r = shown(claim);
        text += fmt::format("| {} | **{}** | {} | {} | {} | {} |\n", word_of(claim.before), word_of(claim.now), markdown_code(test_of(r)),
                            markdown_code(r.claim.empty() ? r.query : r.claim), markdown_text(value_of(claim.before)),
                            markdown_text(value_of(claim.now)));
    }
    return text + (changed.size() > most_rows_of_claims ? '\n' + left_out_text(changed.size()) : std::string{});
}

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
