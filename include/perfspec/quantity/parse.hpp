// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string_view>

namespace perfspec {

/// Reads a duration such as "10s", "1.5 ms", "250us", "100 ns", "2min" as nanoseconds. Returns nothing for other text,
/// or if the duration is negative or not finite.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

/// Reads a percentage ("1 %", "1%", "0.5pct", "1_pct") or a plain fraction ("0.01"). Returns nothing for other text.
[[nodiscard]] std::optional<double> parse_fraction(std::string_view text);

/// Reads a plain finite number. Returns nothing unless the number is the whole text.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

}  // namespace perfspec
