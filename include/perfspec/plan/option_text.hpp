// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/option_table.hpp>

#include <string>
#include <string_view>

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

namespace detail {

/// An example of the option at a call: `margin(1_pct)`.
[[nodiscard]] std::string legal_call(const option_description& row);

}  // namespace detail
}  // namespace perfspec
