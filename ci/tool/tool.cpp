// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "tool.hpp"

#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

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

}  // namespace perfspec::tool
