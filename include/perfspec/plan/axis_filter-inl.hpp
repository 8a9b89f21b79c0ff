// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/axis_filter.hpp>

#include <algorithm>

namespace perfspec {
namespace detail {

/// Takes one part off the text, up to the next comma that is not escaped. Returns nothing if the part is not
/// axis=value.
inline std::optional<std::pair<std::string, std::string>> take_axis(std::string_view& text) {
    std::string name;
    std::string value;
    bool named = false;
    std::size_t i = 0;
    for (; i < text.size() && text[i] != ','; ++i) {
        if (text[i] == '=' && !named) {
            named = true;
            continue;
        }
        if (text[i] == '\\' && ++i == text.size()) return std::nullopt;
        (named ? value : name) += text[i];
    }
    const bool another_follows = i < text.size();
    text.remove_prefix(std::min(i + 1, text.size()));
    if (!named || name.empty() || (another_follows && text.empty())) return std::nullopt;
    return std::pair{std::move(name), std::move(value)};
}

}  // namespace detail

std::optional<axis_filter> parse_axis_filter(std::string_view text) {
    axis_filter filter;
    while (!text.empty()) {
        auto axis = detail::take_axis(text);
        if (!axis) return std::nullopt;
        filter[axis->first].insert(std::move(axis->second));
    }
    return filter;
}

bool has_axes(const std::vector<std::pair<std::string, std::string>>& axes, const axis_filter& wanted) {
    return std::ranges::all_of(wanted, [&](const auto& one) {
        return std::ranges::any_of(
            axes, [&](const auto& axis) { return axis.first == one.first && one.second.contains(axis.second); });
    });
}

std::string filter_text(const plan& p) { return p.only.empty() ? "" : "only=" + p.only; }

bool leaves_out(const plan& p, const std::vector<std::pair<std::string, std::string>>& axes) {
    return !has_axes(axes, parse_axis_filter(p.only).value_or(axis_filter{}));
}

}  // namespace perfspec
