// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "correlation.hpp"

#include "../baselines/baseline_files.hpp"
#include "../results/results.hpp"
#include "../results/value_change.hpp"
#include "report.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/parse.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <utility>

namespace perfspec::tool {
namespace {

using axes_of_point = std::map<std::string, std::string>;

/// The results of one test with one set of sections and axes, by metric. The last result of a metric counts.
struct point {
    std::string test;
    axes_of_point axes;
    std::map<std::string, const record*> results;
};

/// "speedup", and "parameters" for metric("parameters", …).
std::string short_metric_name(const record& r) {
    const std::string head = r.query.substr(0, r.query.find('('));
    return head == "metric" && !r.own_unit.empty() ? r.own_unit : head;
}

/// The name of a result among those of its point. A second query of one metric has a number: "speedup", "speedup 2".
std::string free_name(const std::map<std::string, const record*>& results, const record& r) {
    const std::string metric = short_metric_name(r);
    std::string name = metric;
    for (int n = 2; results.contains(name) && results.at(name)->query != r.query; ++n) name = fmt::format("{} {}", metric, n);
    return name;
}

std::vector<point> points_of(std::span<const record> records) {
    std::map<std::pair<std::string, std::string>, point> points;
    for (const record& r : records) {
        if (!has_value(r) || r.verdict == verdict::invalid) continue;
        const std::string test = r.suite.empty() ? r.test : r.suite + " / " + r.test;
        point& at = points[{test, fmt::format("{} {}", r.sections, r.axes)}];
        at.test = test;
        at.axes = {r.axes.begin(), r.axes.end()};
        at.results[free_name(at.results, r)] = &r;
    }
    std::vector<point> all;
    for (auto& [key, each] : points) all.push_back(std::move(each));
    return all;
}

/// The value of a point that others are correlated with: of an axis, or of a metric.
std::optional<double> value_with(const point& at, const std::string& with) {
    if (const auto axis = at.axes.find(with); axis != at.axes.end()) return parse_number(axis->second);
    const auto found = at.results.find(with);
    return found == at.results.end() ? std::nullopt : std::optional(found->second->estimate->centre);
}

std::string known_values(std::span<const point> points) {
    std::set<std::string> names;
    for (const point& at : points) {
        for (const auto& [name, value] : at.axes)
            if (parse_number(value)) names.insert(name);
        for (const auto& [name, r] : at.results) names.insert(name);
    }
    return names.empty() ? "nothing" : detail::single_line(fmt::format("{}", fmt::join(names, ", ")));
}

/// What one row is computed from.
struct row_values {
    std::vector<double> x;
    std::vector<const record*> y;
};

correlation_row row_of(const std::string& metric, const std::string& where, const row_values& values) {
    correlation_row row{.metric = metric, .where = where, .points = values.x.size()};
    std::vector<double> y;
    for (const record* r : values.y) {
        y.push_back(r->estimate->centre);
        row.is_ratio = r->unit == dimension::ratio && r->own_unit.empty();
        ++(r->estimate->low > 1.0 ? row.above : r->estimate->high < 1.0 ? row.below : row.unclear);
    }
    row.correlation = find_rank_correlation(values.x, y);
    return row;
}

using rows_by_place = std::map<std::pair<std::string, std::string>, row_values>;  ///< by metric and place

/// The places of a point: its test case, and each of its axes.
std::vector<std::string> places_of(const point& at, const std::string& with) {
    std::vector<std::string> places;
    for (const auto& [axis, value] : at.axes)
        if (axis != with) places.push_back(fmt::format("{} / {}={}", at.test, axis, value));
    return places;
}

void add_value(row_values& to, double x, const record* y) {
    to.x.push_back(x);
    to.y.push_back(y);
}

void add_point(rows_by_place& tests, rows_by_place& axes, const point& at, const std::string& with, double x) {
    for (const auto& [metric, r] : at.results) {
        if (metric == with) continue;
        add_value(tests[{metric, at.test}], x, r);
        for (const std::string& place : places_of(at, with)) add_value(axes[{metric, place}], x, r);
    }
}

/// Of axes, those that divide a test case: with fewer points than it, and enough of them.
std::vector<correlation_row> rows_of(const rows_by_place& tests, const rows_by_place& axes) {
    std::vector<correlation_row> rows;
    for (const auto& [key, values] : tests) {
        const auto& [metric, test] = key;
        rows.push_back(row_of(metric, test, values));
        for (const auto& [place, part] : axes)
            if (place.first == metric && place.second.starts_with(test + " / ") && part.x.size() >= fewest_correlated &&
                part.x.size() < values.x.size())
                rows.push_back(row_of(metric, place.second, part));
    }
    return rows;
}

std::string correlation_text(const correlation_row& row) {
    if (row.points < fewest_correlated) return fmt::format("needs {} points", fewest_correlated);
    if (!row.correlation) return "one of them is constant";
    return fmt::format("{:.2f} ({:.2f} .. {:.2f})", row.correlation->centre, row.correlation->low, row.correlation->high);
}

table_rows cells_of(const correlations& found) {
    table_rows cells{
        {"metric", "where", "points", "rank correlation with " + detail::single_line(found.with), "above 1", "below 1", "unclear"}};
    for (const correlation_row& row : found.rows) {
        const auto count = [&](std::size_t n) { return row.is_ratio ? std::to_string(n) : std::string("-"); };
        cells.push_back({detail::single_line(row.metric), detail::single_line(row.where), std::to_string(row.points), correlation_text(row),
                         count(row.above), count(row.below), count(row.unclear)});
    }
    return cells;
}

std::string note_of(const correlations& found) {
    return found.left_out == 0 ? std::string{}
                               : fmt::format("{} of points without {} {} no part in this\n", counted(found.left_out, "result"),
                                             detail::single_line(found.with), found.left_out == 1 ? "has" : "have");
}

}  // namespace

correlations correlate(std::span<const record> records, const std::string& with) {
    const std::vector<point> points = points_of(records);
    correlations found{.with = with};
    rows_by_place tests, axes;
    bool has_value_with = false;
    for (const point& at : points) {
        const auto x = value_with(at, with);
        has_value_with = has_value_with || x.has_value();
        if (x) add_point(tests, axes, at, with, *x);
        else found.left_out += at.results.size();
    }
    if (!has_value_with)
        throw input_error(fmt::format("--correlate \"{}\": no result has such a value, expected one of {}", detail::single_line(with),
                                      known_values(points)));
    found.rows = rows_of(tests, axes);
    return found;
}

std::string correlation_console(const correlations& found) { return table_text(cells_of(found), "") + note_of(found); }

std::string correlation_markdown(const correlations& found) {
    const std::string table = markdown_table(cells_of(found), "|---|---|---:|---|---:|---:|---:|");
    return table + (found.left_out == 0 ? "" : '\n' + note_of(found));
}

}  // namespace perfspec::tool
