// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/parse.hpp>

#include <perfspec/quantity/text.hpp>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <locale>
#include <sstream>
#include <string>
#include <system_error>

namespace perfspec {

namespace detail {

/// How many digits stand from that position on.
[[nodiscard]] inline std::size_t digits_at(std::string_view text, std::size_t at) noexcept {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end - at;
}

/// The length of the number at the start of a text, as std::from_chars reads it; 0 where there is none.
[[nodiscard]] inline std::size_t length_of_number(std::string_view text) noexcept {
    std::size_t end = text.starts_with('-') ? 1 : 0;
    const std::size_t whole = digits_at(text, end);
    end += whole;
    const std::size_t fraction = end < text.size() && text[end] == '.' ? digits_at(text, end + 1) : 0;
    if (whole + fraction == 0) return 0;
    if (end < text.size() && text[end] == '.') end += 1 + fraction;
    if (end < text.size() && to_lower(text[end]) == 'e') {
        const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 1 : 0;
        const std::size_t exponent = digits_at(text, end + 1 + sign);
        if (exponent > 0) end += 1 + sign + exponent;
    }
    return end;
}

std::optional<leading_number> read_leading_number_by_stream(std::string_view text) {
    const std::size_t length = length_of_number(text);
    std::istringstream digits(std::string(text.substr(0, length)));
    digits.imbue(std::locale::classic());
    leading_number number{.rest = text.substr(length)};
    if (length == 0 || !(digits >> number.value) || !std::isfinite(number.value)) return std::nullopt;
    return number;
}

std::optional<leading_number> read_leading_number(std::string_view text) {
#if defined(__cpp_lib_to_chars)
    leading_number number;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
    if (error != std::errc{} || !std::isfinite(number.value)) return std::nullopt;
    number.rest = text.substr(static_cast<std::size_t>(end - text.data()));
    return number;
#else
    return read_leading_number_by_stream(text);
#endif
}

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
