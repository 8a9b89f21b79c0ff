// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "tool.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace perfspec::tool {

bool contains_pattern(std::string_view text, std::string_view pattern) noexcept {
    while (!pattern.empty()) {
        const auto star = pattern.find('*');
        const auto part = pattern.substr(0, star);
        const auto at = text.find(part);
        if (at == std::string_view::npos) return false;
        text.remove_prefix(at + part.size());
        pattern.remove_prefix(star == std::string_view::npos ? pattern.size() : star + 1);
    }
    return true;
}

std::string value_text(double value, std::string_view unit) {
    using enum dimension;
    for (const dimension d : {time, ratio, count, bytes, item_rate, byte_rate, flop_rate})
        if (base_unit(d) == unit) return format_value(value, d);
    return fmt::format("{:.4g} {}", value, unit);
}

std::string table_text(const table_rows& rows, std::string_view indentation) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], detail::columns_of(row[c]));
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line(indentation);
        for (std::size_t c = 0; c < row.size(); ++c) line += (c == 0 ? "" : "  ") + detail::padded(row[c], widths[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace perfspec::tool
