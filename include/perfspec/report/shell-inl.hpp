// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/shell.hpp>

#include <string>
#include <string_view>

namespace perfspec::inline v0_2 {

std::string shell_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

namespace detail {

inline std::string literal_pattern(std::string_view text) {
    constexpr std::string_view special = R"(\^$.|?*+()[])";
    std::string pattern;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

}  // namespace detail

std::string ctest_pattern(std::string_view prefix, std::string_view name) {
    const std::string_view trimmed_prefix = prefix.substr(0, prefix.find_last_not_of(' ') + 1);
    const std::string blank = trimmed_prefix.size() < prefix.size() ? " ?" : "";
    return "^" + detail::literal_pattern(trimmed_prefix) + blank + detail::literal_pattern(name) + "$";
}

}  // namespace perfspec::inline v0_2
