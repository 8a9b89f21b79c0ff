// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/part_table.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace perfspec::inline v0_2::detail {

/// "1.210 ms (1.190 .. 1.240 ms)  34 %  unresolved".
std::string cell_text(const part_value& c) {
    const estimate& v = c.value;
    std::string text = format_value(v.value, c.unit);
    if (std::isfinite(v.low) && std::isfinite(v.high) && v.low < v.high)
        text += fmt::format(" ({})", format_range(v.low, v.high, c.unit));
    if (c.share != 0.0) text += fmt::format("  {}{}", c.share < 0.0 ? "-" : "", format_percentage(std::abs(c.share)));
    if (!c.mark.empty()) text += "  " + single_line(c.mark);
    return text;
}

std::vector<std::string> each_once(const std::vector<part_value>& parts, std::string part_value::*member) {
    std::vector<std::string> texts;
    for (const part_value& p : parts)
        if (std::ranges::find(texts, p.*member) == texts.end()) texts.push_back(p.*member);
    return texts;
}

/// Whether a part has shares, all below half a percent.
bool is_small(const std::vector<part_value>& parts, const std::string& name) {
    double largest = 0.0;
    for (const part_value& p : parts)
        if (p.part == name) largest = std::max(largest, std::abs(p.share));
    return largest > 0.0 && largest < 0.005;
}

/// The text of each part's row. A long text is cut, with more room for shapes, and not if it would equal another one.
std::map<std::string, std::string> row_texts(const std::vector<part_value>& parts, std::size_t widest) {
    constexpr std::size_t widest_with_shapes = 80;
    std::map<std::string, std::string> texts;
    std::map<std::string, int> uses;
    for (const std::string& part : each_once(parts, &part_value::part)) {
        const std::string name = part == compilation_part ? "compile time, cold cache" : single_line(part);
        texts[part] = shortened(name, part.find(" [") == part.npos ? widest : widest_with_shapes);
        ++uses[texts[part]];
    }
    for (auto& [part, text] : texts)
        if (uses[text] > 1) text = single_line(part);
    return texts;
}

std::vector<std::string> table_lines(const std::vector<part_value>& parts, std::size_t widest_name) {
    const std::vector<std::string> names = each_once(parts, &part_value::part);
    const std::vector<std::string> methods = each_once(parts, &part_value::method);
    const std::map<std::string, std::string> texts = row_texts(parts, widest_name);
    std::vector<std::vector<std::string>> rows(1 + names.size(), std::vector<std::string>(1 + methods.size()));
    const auto place = [](const auto& all, const std::string& one) {
        return 1 + static_cast<std::size_t>(std::ranges::find(all, one) - all.begin());
    };
    for (const std::string& method : methods) rows[0][place(methods, method)] = single_line(method);
    for (const std::string& name : names) rows[place(names, name)][0] = texts.at(name);
    for (const part_value& p : parts) rows[place(names, p.part)][place(methods, p.method)] = cell_text(p);
    std::vector<std::string> lines = aligned(rows, "   ");
    for (std::string& line : lines) line.insert(0, 1, ' ');
    return lines;
}

/// The table, with names cut so that Catch2 breaks no line.
std::vector<std::string> fitting_table(const std::vector<part_value>& parts) {
    constexpr std::size_t room = 78, widest_name = 40, narrowest_name = 26;
    std::vector<std::string> lines = table_lines(parts, widest_name);
    std::size_t longest = room;
    for (const std::string& line : lines) longest = std::max(longest, columns_of(line));
    if (longest == room) return lines;
    return table_lines(parts, std::max(narrowest_name, widest_name - std::min(widest_name, longest - room)));
}

std::vector<std::string> part_table(const std::vector<part_value>& parts) {
    constexpr std::size_t many_rows = 30;
    if (parts.empty()) return {};
    const std::vector<std::string> names = each_once(parts, &part_value::part);
    if (names.size() <= many_rows) return fitting_table(parts);
    std::vector<part_value> large;
    std::ranges::copy_if(parts, std::back_inserter(large),
                         [&](const part_value& p) { return !is_small(parts, p.part); });
    std::vector<std::string> lines = fitting_table(large);
    const std::size_t left_out = names.size() - each_once(large, &part_value::part).size();
    if (left_out > 0) lines.push_back(fmt::format("    and {} more, each below 0.5 %, in the JSON lines", left_out));
    return lines;
}

}  // namespace perfspec::inline v0_2::detail
