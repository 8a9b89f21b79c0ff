// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/part_table.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/console/text_width.hpp>
#include <perfspec/report/finding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>

namespace perfspec::detail {

/// "1.210 ms (1.190 .. 1.240 ms)  34 %  unresolved". `verbose` adds the median and the level.
inline std::string cell_text(const part_value& c, console_verbosity verbosity) {
    const estimate& v = c.value;
    std::string text = format_value(v.centre, c.unit);
    const std::string level =
        verbosity == console_verbosity::verbose ? fmt::format(", {:.4g} %", 100.0 * v.level) : std::string{};
    if (std::isfinite(v.low) && std::isfinite(v.high) && v.low < v.high)
        text += fmt::format(" ({}{})", format_range(v.low, v.high, c.unit), level);
    if (verbosity == console_verbosity::verbose) text += ", median " + format_value(v.median, c.unit);
    if (c.share != 0.0) text += fmt::format("  {}{}", c.share < 0.0 ? "-" : "", format_percentage(std::abs(c.share)));
    if (!c.mark.empty()) text += "  " + single_line(c.mark);
    return text;
}

/// The texts of a table. Some cells may be empty.
struct text_table {
    std::vector<std::string> columns{};
    std::vector<std::string> rows{};
    std::vector<std::vector<std::string>> cells{};  ///< [rows][columns]

    std::size_t column(const std::string& name) {
        const auto found = std::ranges::find(columns, name);
        if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
        columns.push_back(name);
        for (auto& row : cells) row.resize(columns.size());
        return columns.size() - 1;
    }
    std::size_t row(const std::string& name) {
        const auto found = std::ranges::find(rows, name);
        if (found != rows.end()) return static_cast<std::size_t>(found - rows.begin());
        rows.push_back(name);
        cells.emplace_back(columns.size());
        return rows.size() - 1;
    }
    void put(const std::string& name, const std::string& method, std::string text) {
        const std::size_t at = column(method);
        cells[row(name)][at] = std::move(text);
    }
};

inline std::vector<std::string> lines_of(const text_table& t) {
    std::size_t name_width = 0;
    for (const std::string& name : t.rows) name_width = std::max(name_width, columns_of(name));
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
        widths.push_back(columns_of(t.columns[c]));
        for (const auto& row : t.cells) widths[c] = std::max(widths[c], columns_of(row[c]));
    }
    const auto line = [&](const std::string& name, const std::vector<std::string>& cells) {
        std::string text = "    " + padded(name, name_width);
        for (std::size_t c = 0; c < cells.size(); ++c) text += "   " + padded(cells[c], widths[c]);
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    };
    std::vector<std::string> lines{line({}, t.columns)};
    for (std::size_t r = 0; r < t.rows.size(); ++r) lines.push_back(line(t.rows[r], t.cells[r]));
    return lines;
}

/// The rows that are not worth a line: their shares are all below half a percent. A row without a share is not among
/// them.
inline std::vector<std::string> small_parts(const std::vector<part_value>& parts) {
    std::vector<std::string> large;
    std::vector<std::string> small;
    const auto contains = [](const std::vector<std::string>& all, const std::string& one) {
        return std::ranges::find(all, one) != all.end();
    };
    for (const part_value& p : parts)
        if (std::abs(p.share) >= 0.005 && !contains(large, p.part)) large.push_back(p.part);
    for (const part_value& p : parts)
        if (p.share != 0.0 && !contains(large, p.part) && !contains(small, p.part)) small.push_back(p.part);
    return small;
}

/// The columns of a long row's text: of a name, and of one that shapes tell apart.
constexpr std::size_t widest_name = 40, narrowest_name = 26, widest_with_shapes = 80;

/// The texts of the rows by their parts. A long one is cut, later where shapes tell it apart, and not if it would then
/// look like another.
inline std::map<std::string, std::string> row_texts(const std::vector<part_value>& parts, std::size_t widest) {
    std::map<std::string, std::string> texts;
    for (const part_value& p : parts) {
        const bool has_shapes = p.part.find(" [") != std::string::npos;
        const std::string name = p.part == compilation_part ? "compile time, cold cache" : single_line(p.part);
        texts.emplace(p.part, shortened(name, has_shapes ? widest_with_shapes : widest));
    }
    std::map<std::string, int> alike;
    for (const auto& [part, text] : texts) ++alike[text];
    for (auto& [part, text] : texts)
        if (alike[text] > 1) text = single_line(part);
    return texts;
}

/// By how many columns the longest line is too long for a terminal, in which Catch2 would break it.
inline std::size_t excess_of(const std::vector<std::string>& lines) {
    constexpr std::size_t room = 78;
    std::size_t longest = room;
    for (const std::string& line : lines) longest = std::max(longest, columns_of(line));
    return longest - room;
}

std::vector<std::string> part_table(const std::vector<part_value>& parts, console_verbosity verbosity) {
    constexpr std::size_t many_rows = 30;
    if (parts.empty()) return {};
    std::vector<std::string> names;
    for (const part_value& p : parts)
        if (names.empty() || names.back() != p.part) names.push_back(p.part);
    const bool shorten = names.size() > many_rows && verbosity != console_verbosity::verbose;
    const std::vector<std::string> left_out = shorten ? small_parts(parts) : std::vector<std::string>{};
    const auto lines_with_names_of = [&](std::size_t widest) {
        const std::map<std::string, std::string> texts = row_texts(parts, widest);
        text_table table;
        for (const part_value& p : parts) {
            if (std::ranges::find(left_out, p.part) != left_out.end()) continue;
            table.put(texts.at(p.part), single_line(p.method), cell_text(p, verbosity));
        }
        return lines_of(table);
    };
    std::vector<std::string> lines = lines_with_names_of(widest_name);
    if (const std::size_t excess = excess_of(lines); excess > 0)
        lines = lines_with_names_of(std::max(narrowest_name, widest_name - std::min(widest_name, excess)));
    if (!left_out.empty())
        lines.push_back(
            fmt::format("    and {} more, each below 0.5 %: verbosity=verbose shows them", left_out.size()));
    return lines;
}

}  // namespace perfspec::detail
