// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string_view>

namespace perfspec {

/// "10s", "1.5 ms", "250us", "100 ns", "2min" as nanoseconds; nothing when the text is no such duration, negative or not finite.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

/// "1 %", "1%", "0.5pct", "1_pct" or a plain fraction "0.01"; nothing when the text is neither.
[[nodiscard]] std::optional<double> parse_fraction(std::string_view text);

/// A plain finite number; the whole text must be used.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

}  // namespace perfspec
