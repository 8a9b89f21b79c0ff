// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/option_table.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Conversion between values of options and their texts.

namespace perfspec {

/// Reads the text of a value. `spelled` is what the user wrote, such as "--perf-budget=abc"; `legal` is an example of a
/// correct value. Throws input_error with all three if the text is not a value of this option, or is out of its range.
[[nodiscard]] option_value parse_option(const option_description& row, std::string_view text, std::string_view spelled,
                                        std::string_view legal);
/// The text that `parse_option` reads back as exactly this value.
[[nodiscard]] std::string option_text(const option_description& row, const option_value& value);

/// The value of one option at a call: `budget(10s)`.
/// Throws input_error if its number is out of range, and names the option as the call spells it.
[[nodiscard]] option_value call_value(const option& given);

/// The value of the option `only`: for each axis, the set of legal values. A claim must have one of them.
using axis_filter = std::map<std::string, std::set<std::string>>;

/// Parses "batch=8,batch=16,device=cpu". An axis repeats for each of its values. `\,` is a comma within a value; `\`
/// before any other character is that character. Returns nothing if a part has no "=", or no name before it. The empty
/// text lets every claim pass.
[[nodiscard]] std::optional<axis_filter> parse_axis_filter(std::string_view text);

/// Whether `only` leaves out a claim with these axes: it lacks an axis of the filter, or has another value.
[[nodiscard]] bool leaves_out(const plan& p, const std::vector<std::pair<std::string, std::string>>& axes);

}  // namespace perfspec
