// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// What the option `only` asks for: by axis, the values of which a claim must have one.
using axis_filter = std::map<std::string, std::set<std::string>>;

/// "batch=8,batch=16,device=cpu": each axis as often as it has values. `\,` is a comma of a value, as `\` before any character is that character;
/// nothing for a part without a "=", or without a name before it. The empty text is the filter that asks for nothing.
[[nodiscard]] std::optional<axis_filter> parse_axis_filter(std::string_view text);

/// Whether the axes of a claim have every axis of the filter, with one of its values.
[[nodiscard]] bool has_axes(const std::vector<std::pair<std::string, std::string>>& axes, const axis_filter& wanted);

}  // namespace perfspec
