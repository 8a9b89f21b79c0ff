// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <locale>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

namespace detail {

/// The number of digits from a position on.
[[nodiscard]] inline std::size_t digits_at(std::string_view text, std::size_t at) noexcept {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end - at;
}

/// The length of the number at the start of a text, as std::from_chars reads it; 0 if there is none.
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

// A stream, because libc++ before version 20 has no std::from_chars for floating-point numbers.
std::optional<leading_number> read_leading_number(std::string_view text) {
    const std::size_t length = length_of_number(text);
    std::istringstream digits(std::string(text.substr(0, length)));
    digits.imbue(std::locale::classic());
    leading_number number{.rest = text.substr(length)};
    if (length == 0 || !(digits >> number.value) || !std::isfinite(number.value)) return std::nullopt;
    return number;
}

/// The unit after a number and blanks.
[[nodiscard]] inline std::string_view unit_behind(std::string_view rest) noexcept {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    return rest;
}

/// The nanoseconds in one unit of time; nullopt for another word.
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

namespace detail {

std::optional<std::int64_t> seconds_of_utc(const std::string& time) {
    constexpr const char* form = "%Y-%m-%dT%H:%M:%SZ";
    std::tm parts{};
    char again[32]{};
    if (time.size() != 20 || ::strptime(time.c_str(), form, &parts) == nullptr) return {};
    const std::time_t seconds = ::timegm(&parts);
    std::strftime(again, sizeof again, form, &parts);
    return time == again ? std::optional<std::int64_t>(seconds) : std::nullopt;  // timegm turns February 30 into March
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_back;
    std::vector<std::size_t> back(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) back[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::vector<std::size_t> row(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = back[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replaced, back[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], two_back[j - 2] + 1);
        }
        two_back = std::exchange(back, std::move(row));
    }
    return back[b.size()];
}

/// The number of characters with which all names begin, such as those of "--perf-".
inline std::size_t common_beginning(std::string_view name, std::span<const std::string> known) {
    std::size_t length = name.size();
    for (const std::string& other : known)
        length = std::min(length, static_cast<std::size_t>(std::ranges::mismatch(name, other).in1 - name.begin()));
    return length;
}

}  // namespace detail

std::optional<std::string> nearest_name(std::string_view mistyped, std::span<const std::string> known) {
    std::optional<std::string> best;
    std::size_t smallest = (mistyped.size() - detail::common_beginning(mistyped, known)) / 3 + 1;
    for (const std::string& name : known) {
        const std::size_t distance = detail::edit_distance(mistyped, name);
        if (distance < smallest) {
            smallest = distance;
            best = name;
        }
    }
    return best;
}

namespace detail {

std::string printable(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const auto first = static_cast<unsigned char>(bytes.front());
        const bool control = (first < 0x20U && first != '\n' && first != '\t') || first == 0x7FU;
        const std::size_t length = control ? 0 : character_length(bytes);
        if (length == 0) text += fmt::format("\\x{:02x}", first);
        else text += bytes.substr(0, length);
        bytes.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return text;
}

std::string excerpt(std::string_view bytes) {
    constexpr std::size_t maximum = 120;
    std::size_t kept = std::min(bytes.size(), maximum);
    while (kept < bytes.size() && kept > 0 && continues_character(bytes[kept])) --kept;
    std::string text = printable(bytes.substr(0, kept));
    for (std::size_t at = 0; (at = text.find_first_of("\n\t", at)) != std::string::npos; at += 2)
        text.replace(at, 1, text[at] == '\n' ? "\\n" : "\\t");
    return fmt::format("\"{}{}\"", text, kept < bytes.size() ? "…" : "");
}

std::string_view last_bytes(std::string_view bytes, std::size_t maximum) noexcept {
    if (bytes.size() <= maximum) return bytes;
    bytes.remove_prefix(bytes.size() - maximum);
    // a character has at most three bytes after its first
    for (int n = 0; n < 3 && !bytes.empty() && continues_character(bytes.front()); ++n) bytes.remove_prefix(1);
    return bytes;
}

}  // namespace detail
}  // namespace perfspec::inline v0_2
