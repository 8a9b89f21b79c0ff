// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/plan.hpp>

#include <perfspec/plan/option_text.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

namespace perfspec {
namespace detail {

/// Marks a pair whose value is the sender's default. A build that lacks the option ignores the pair.
inline constexpr char mark_of_default = '?';

void assign_pair(plan& p, std::string_view pair) {
    const bool is_default = pair.starts_with(mark_of_default);
    if (is_default) pair.remove_prefix(1);
    std::string_view value = pair;
    const auto* row = find_option(take_until(value, '='));
    if (is_default && row == nullptr) return;
    if (row == nullptr)
        throw input_error(fmt::format(
            "plan: \"{}\" is not an option of this build, such as budget=10s; both processes must be built with one perfspec",
            pair));
    const auto text = unescape_value(value);
    if (!text)
        throw input_error(fmt::format(
            "plan: \"{}\" has a % without two digits 0-9 A-F; the plan must be what perfspec itself wrote", value));
    row->assign(p,
                parse_option(*row, *text, fmt::format("plan: {}", pair), fmt::format("{}={}", row->name, row->legal)));
}

}  // namespace detail

std::vector<std::pair<std::string, std::string>> plan_options(const plan& p) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const option_description& row : option_table()) pairs.emplace_back(row.name, option_text(row, row.read(p)));
    return pairs;
}

std::string to_text(const plan& p) {
    const plan defaults;
    std::string text;
    for (const option_description& row : option_table()) {
        const std::string value = option_text(row, row.read(p));
        if (!text.empty()) text += ';';
        if (value == option_text(row, row.read(defaults))) text += detail::mark_of_default;
        text += fmt::format("{}={}", row.name, detail::escape_value(value, ';'));
    }
    return text;
}

plan plan_from_text(std::string_view text) {
    plan p;
    while (!text.empty()) detail::assign_pair(p, detail::take_until(text, ';'));
    return p;
}

}  // namespace perfspec
