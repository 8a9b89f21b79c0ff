// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#pragma once

#include <perfspec/quantity/parse.hpp>

#include <charconv>
#include <cmath>
#include <system_error>

namespace perfspec {

namespace detail {

/// A finite number and what stands behind it.
struct leading_number {
    double value{};
    std::string_view rest;
};

/// The number that a text begins with: digits with a point and an exponent as in C, whatever the locale. No sign but '-'.
[[nodiscard]] inline std::optional<leading_number> read_leading_number(std::string_view text) noexcept {
    leading_number number;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
    if (error != std::errc{} || !std::isfinite(number.value)) return std::nullopt;
    number.rest = text.substr(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// The unit behind a number: blanks between the two do not count.
[[nodiscard]] inline std::string_view unit_behind(std::string_view rest) noexcept {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    return rest;
}

/// The nanoseconds of one unit of time; nothing for another word.
[[nodiscard]] inline std::optional<double> nanoseconds_of(std::string_view unit) noexcept {
    struct row {
        std::string_view name;
        double nanoseconds;
    };
    // both letters that look like a micro: the sign and the Greek mu
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
