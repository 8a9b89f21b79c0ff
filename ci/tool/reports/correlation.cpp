// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../results/compare.hpp"
#include "report.hpp"
#include "summaries.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/parse.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace perfspec::tool {
namespace {

/// The rank of each value from 1 on, less their mean. Equal values share the mean of their ranks.
std::vector<double> centred_ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        const double shared = static_cast<double>(begin + 1 + end) / 2.0;
        for (std::size_t i = begin; i < end; ++i)
            ranks[order[i]] = shared - static_cast<double>(values.size() + 1) / 2.0;
    }
    return ranks;
}

double product(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The results of one test with one set of sections and axes, by metric. The last result of a metric counts.
struct point {
    std::string test;
    std::map<std::string, std::string> axes;
    std::map<std::string, const record*> results;

    /// The value that others are correlated with: of an axis, or of a metric.
    [[nodiscard]] std::optional<double> value_of(const std::string& name) const {
        if (const auto axis = axes.find(name); axis != axes.end()) return parse_number(axis->second);
        const auto found = results.find(name);
        return found == results.end() ? std::nullopt : std::optional(found->second->estimate->centre);
    }
};

/// "speedup", and "parameters" for metric("parameters", …). A second query of one metric at a point has a number:
/// "speedup 2".
std::string free_name(const std::map<std::string, const record*>& results, const record& r) {
    const std::string head = r.query.substr(0, r.query.find('('));
    const std::string metric = head == "metric" && !r.own_unit.empty() ? r.own_unit : head;
    std::string name = metric;
    for (int n = 2; results.contains(name) && results.at(name)->query != r.query; ++n)
        name = fmt::format("{} {}", metric, n);
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

/// By metric, test case, and an axis of it with one value, or nothing for all its points: {"speedup", "models /
/// layers", "model=alexnet"}.
using rows_by_place = std::map<std::array<std::string, 3>, row_values>;

void add_point(rows_by_place& rows, const point& at, const std::string& with, double x) {
    for (const auto& [metric, r] : at.results) {
        if (metric == with) continue;
        std::vector<std::string> places{""};
        for (const auto& [axis, value] : at.axes)
            if (axis != with) places.push_back(fmt::format("{}={}", axis, value));
        for (const std::string& place : places) {
            row_values& values = rows[{metric, at.test, place}];
            values.x.push_back(x);
            values.y.push_back(r);
        }
    }
}

/// Of axes, those that divide a test case: with fewer points than it, and enough of them.
std::vector<correlation_row> rows_of(const rows_by_place& all) {
    std::vector<correlation_row> rows;
    for (const auto& [place, values] : all) {
        const auto& [metric, test, part] = place;
        const std::size_t points = values.x.size();
        if (part.empty()) rows.push_back(row_of(metric, test, values));
        else if (points >= fewest_correlated && points < all.at({metric, test, ""}).x.size())
            rows.push_back(row_of(metric, test + " / " + part, values));
    }
    return rows;
}

std::string correlation_text(const correlation_row& row) {
    if (row.points < fewest_correlated) return fmt::format("needs {} points", fewest_correlated);
    if (!row.correlation) return "one of them is constant";
    return fmt::format("{:.2f} ({:.2f} .. {:.2f})", row.correlation->centre, row.correlation->low,
                       row.correlation->high);
}

}  // namespace

std::optional<rank_correlation> find_rank_correlation(std::span<const double> x, std::span<const double> y) {
    constexpr double deviations = 1.96;  // 0.95 of a normal distribution
    if (x.size() < fewest_correlated || x.size() != y.size()) return {};
    const std::vector<double> a = centred_ranks(x);
    const std::vector<double> b = centred_ranks(y);
    const double spread = std::sqrt(product(a, a) * product(b, b));
    if (spread == 0.0) return {};
    const double rho = std::clamp(product(a, b) / spread, -1.0, 1.0);
    // The interval of a perfect order would have no width: it is that of the order with two neighbours exchanged.
    const auto n = static_cast<double>(x.size());
    const double most = 1.0 - 12.0 / (n * (n * n - 1.0));
    const double z = std::atanh(std::clamp(rho, -most, most));
    const double width = deviations * std::sqrt((1.0 + rho * rho / 2.0) / (n - 3.0));
    return rank_correlation{rho, std::min(rho, std::tanh(z - width)), std::max(rho, std::tanh(z + width))};
}

correlations correlate(std::span<const record> records, const std::string& with) {
    const std::vector<point> points = points_of(records);
    correlations found{.with = with};
    rows_by_place rows;
    bool has_value_with = false;
    for (const point& at : points) {
        const auto x = at.value_of(with);
        has_value_with = has_value_with || x.has_value();
        if (x) add_point(rows, at, with, *x);
        else found.left_out += at.results.size();
    }
    if (!has_value_with)
        throw input_error(fmt::format(
            "--correlate \"{}\": no result has such a value, expected an axis of numbers, or a metric, of these results",
            detail::single_line(with)));
    found.rows = rows_of(rows);
    return found;
}

report_part correlation_part(const correlations& found) {
    report_part part{.rows = {{"metric", "where", "points", "rank correlation with " + detail::single_line(found.with),
                               "above 1", "below 1", "unclear"}}};
    for (const correlation_row& row : found.rows) {
        const auto count = [&](std::size_t n) { return row.is_ratio ? std::to_string(n) : std::string("-"); };
        part.rows.push_back({detail::single_line(row.metric), detail::single_line(row.where),
                             std::to_string(row.points), correlation_text(row), count(row.above), count(row.below),
                             count(row.unclear)});
    }
    if (found.left_out > 0)
        part.lines.push_back(fmt::format("{} of points without {} {} no part in this",
                                         counted(found.left_out, "result"), found.with,
                                         found.left_out == 1 ? "has" : "have"));
    return part;
}

}  // namespace perfspec::tool
