// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/waiver.hpp>

#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/parse.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <chrono>
#include <string_view>

namespace perfspec {
namespace detail {

inline constexpr double largest_waived_fraction = 10.0;

[[nodiscard]] inline bool is_percentage(std::string_view text) noexcept {
    return text.ends_with('%') || text.ends_with("pct");
}

/// The ceiling, with neither form where the text is not legal.
[[nodiscard]] inline waiver_ceiling read_ceiling(std::string_view text) noexcept {
    if (is_percentage(text)) {
        const auto fraction = parse_fraction(text);
        const bool is_legal = fraction && *fraction > 0.0 && *fraction <= largest_waived_fraction;
        return {.fraction = is_legal ? fraction : std::nullopt};
    }
    const auto number = parse_number(text);
    if (number) return {.value = *number >= 0.0 ? number : std::nullopt};
    return {.value = parse_duration(text), .is_duration = true};
}

}  // namespace detail

void check_waiver(const waiver& w, std::string_view spelled) {
    const waiver_ceiling ceiling = detail::read_ceiling(w.ceiling);
    if (!ceiling.fraction && !ceiling.value)
        throw input_error(fmt::format(
            "{}: the ceiling \"{}\" is neither a percentage above 0% and at most 1000%, nor a value; write for example \"20%\", "
            "\"150us\" or \"3\"",
            spelled, w.ceiling));
    if (!is_day(w.until))
        throw input_error(
            fmt::format("{}: the last day \"{}\" is no day; write for example \"2027-01-31\"", spelled, w.until));
    if (detail::trimmed(w.reason).empty())
        throw input_error(fmt::format("{}: there is no reason; write why the violation is tolerated", spelled));
}

bool covers(const waiver& w, std::string_view key) noexcept { return detail::matches_pattern(key, w.key); }

waiver_ceiling ceiling_of(const waiver& w) { return detail::read_ceiling(w.ceiling); }

bool is_day(std::string_view text) noexcept {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
    const auto number = [&](std::size_t from, std::size_t count) {
        unsigned n = 0;
        for (const char c : text.substr(from, count))
            n = detail::is_digit(c) ? n * 10 + static_cast<unsigned>(c - '0') : 1'000'000;
        return n;
    };
    if (number(0, 4) > 9999) return false;
    return std::chrono::year_month_day{std::chrono::year{static_cast<int>(number(0, 4))},
                                       std::chrono::month{number(5, 2)}, std::chrono::day{number(8, 2)}}
        .ok();
}

}  // namespace perfspec
