// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/text_width.hpp>

#include <algorithm>

namespace perfspec::detail {

std::size_t columns_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(std::string_view text, std::size_t columns) {
    const std::size_t width = columns_of(text);
    return std::string(text) + std::string(columns > width ? columns - width : 0, ' ');
}

std::string shortened(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return std::string(text);
    std::size_t end = 0;
    for (std::size_t kept = 0; end < text.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
        if (begins && kept++ == columns - 2) break;
    }
    return std::string(text.substr(0, end)) + "..";
}

/// Whether the text ends with a number. A line must not end there, because the number keeps its unit.
inline bool ends_with_number(std::string_view text) noexcept {
    const std::string_view word = text.substr(text.find_last_of(" (") + 1);
    return !word.empty() && word.find_first_not_of("0123456789.+-") == std::string_view::npos;
}

/// The end of a line of at most so many columns: the position of a blank, or the end of the text.
inline std::size_t end_of_line(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return text.size();
    std::size_t at_blank = std::string_view::npos;
    std::size_t at_pause = std::string_view::npos;
    std::size_t column = 0;
    for (std::size_t i = 0; i < text.size() && (column <= columns || at_blank == std::string_view::npos); ++i) {
        if (text[i] == ' ' && i > 0 && !ends_with_number(text.substr(0, i))) {
            at_blank = i;
            const bool is_pause = text[i - 1] == ';' || text[i - 1] == ',';
            if (is_pause && 2 * column > columns) at_pause = i;
        }
        column += columns_of(text.substr(i, 1));
    }
    if (at_pause != std::string_view::npos) return at_pause;
    return at_blank == std::string_view::npos ? text.size() : at_blank;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = end_of_line(text, columns);
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end)));
    }
    return lines;
}

}  // namespace perfspec::detail
