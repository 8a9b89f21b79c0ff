// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/waiver.hpp>

#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <string_view>

namespace perfspec {

waiver_ceiling ceiling_of(const waiver& w) {
    const std::string_view text = w.ceiling;
    constexpr double maximum = 10.0;
    if (text.ends_with('%') || text.ends_with("pct")) {
        const auto fraction = parse_fraction(text);
        const bool is_legal = fraction && *fraction > 0.0 && *fraction <= maximum;
        return {.fraction = is_legal ? fraction : std::nullopt};
    }
    if (const auto number = parse_number(text)) return {.value = *number >= 0.0 ? number : std::nullopt};
    return {.value = parse_duration(text), .is_duration = true};
}

void check_waiver(const waiver& w, std::string_view spelled) {
    const waiver_ceiling ceiling = ceiling_of(w);
    if (!ceiling.fraction && !ceiling.value)
        throw input_error(fmt::format(
            "{}: the ceiling \"{}\" is neither a percentage above 0% and at most 1000%, nor a value; write for example \"20%\", "
            "\"150us\" or \"3\"",
            spelled, w.ceiling));
    if (!is_day(w.until))
        throw input_error(
            fmt::format("{}: the last day \"{}\" is not a day; write for example \"2027-01-31\"", spelled, w.until));
}

bool covers(const waiver& w, std::string_view key) noexcept { return detail::matches_pattern(key, w.key); }

bool is_day(std::string_view text) { return detail::seconds_of_utc(std::string(text) + "T00:00:00Z").has_value(); }

}  // namespace perfspec
