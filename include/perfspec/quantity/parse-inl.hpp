// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/parse.hpp>

#include <perfspec/quantity/leading_number.hpp>

#include <cmath>

namespace perfspec {

namespace detail {

/// The unit after a number. Blanks between the two do not count.
[[nodiscard]] inline std::string_view unit_behind(std::string_view rest) noexcept {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    return rest;
}

/// The nanoseconds in one unit of time; nothing if the word is not a unit of time.
[[nodiscard]] inline std::optional<double> nanoseconds_of(std::string_view unit) noexcept {
    struct row {
        std::string_view name;
        double nanoseconds;
    };
    // two letters look like a micro: the micro sign and the Greek mu
    constexpr row units[] = {{"ns", 1.0}, {"us", 1e3}, {"\u00b5s", 1e3}, {"\u03bcs", 1e3},
                             {"ms", 1e6}, {"s", 1e9},  {"min", 6e10},    {"h", 3.6e12}};
    for (const auto& [name, nanoseconds] : units)
        if (unit == name) return nanoseconds;
    return std::nullopt;
}

}  // namespace detail

std::optional<double> parse_duration(std::string_view text) {
    const auto number = detail::read_leading_number(text);
    if (!number || std::signbit(number->value)) return std::nullopt;
    const auto unit = detail::nanoseconds_of(detail::unit_behind(number->rest));
    if (!unit || !std::isfinite(number->value * *unit)) return std::nullopt;
    return number->value * *unit;
}

std::optional<double> parse_fraction(std::string_view text) {
    const auto number = detail::read_leading_number(text);
    if (!number) return std::nullopt;
    if (number->rest.empty()) return number->value;
    const auto unit = detail::unit_behind(number->rest);
    if (unit == "%" || unit == "pct" || number->rest == "_pct") return number->value / 100;
    return std::nullopt;
}

std::optional<double> parse_number(std::string_view text) {
    const auto number = detail::read_leading_number(text);
    return number && number->rest.empty() ? std::optional(number->value) : std::nullopt;
}

}  // namespace perfspec
