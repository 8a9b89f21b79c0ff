// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/plan.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// The value of the option `only`: for each axis, the set of legal values. A claim must have one of them.
using axis_filter = std::map<std::string, std::set<std::string>>;

/// Parses "batch=8,batch=16,device=cpu". An axis repeats for each of its values. `\,` is a comma within a value; `\`
/// before any other character is that character. Returns nothing if a part has no "=", or no name before it. The empty
/// text lets every claim pass.
[[nodiscard]] std::optional<axis_filter> parse_axis_filter(std::string_view text);

/// Whether the axes of a claim have every axis of the filter, with one of its values.
[[nodiscard]] bool has_axes(const std::vector<std::pair<std::string, std::string>>& axes, const axis_filter& wanted);

/// The option `only` as written: "only=batch=8". Empty if it leaves out nothing.
[[nodiscard]] std::string filter_text(const plan& p);

/// Whether `only` leaves out a claim: it lacks an axis of it, or has another value.
[[nodiscard]] bool leaves_out(const plan& p, const std::vector<std::pair<std::string, std::string>>& axes);

}  // namespace perfspec
