// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/input_error.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace perfspec::inline v0_2 {

/// Reads a duration such as "10s", "1.5 ms", "250us", "100 ns", "2min" as nanoseconds. nullopt for other text, and for
/// a negative or infinite duration.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

/// Reads a percentage ("1 %", "1%", "0.5pct", "1_pct") or a plain fraction ("0.01"). nullopt for other text.
[[nodiscard]] std::optional<double> parse_fraction(std::string_view text);

/// Reads a plain finite number; nullopt if the text is anything else.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

namespace detail {

/// A finite number and the text after it.
struct leading_number {
    double value{};
    std::string_view rest;
};

/// Reads the number at the start of a text: digits with a point and an exponent as in C, in any locale. It reads '-',
/// but not '+'. nullopt for other text, and for a number that a double cannot hold.
[[nodiscard]] std::optional<leading_number> read_leading_number(std::string_view text);

}  // namespace detail
}  // namespace perfspec::inline v0_2

// Functions for text of the system or of people. They use ASCII rules in any locale.
namespace perfspec::inline v0_2 {

/// The known name that a mistyped one most likely means: with the fewest letters inserted, deleted, replaced or swapped
/// with a neighbor.
///
/// Returns the first of several equally near names; nullopt if more than a third of the letters would have to change,
/// without counting the common beginning of all names. Method: optimal string alignment distance, Damerau, "A technique
/// for computer detection and correction of spelling errors" (1964).
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view mistyped, std::span<const std::string> known);

namespace detail {

/// The number of letters to insert, delete, replace or swap with a neighbor to turn one text into the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Seconds from 1970 to a UTC time such as "2026-11-18T09:12:44Z"; nullopt for another form or an impossible time.
[[nodiscard]] std::optional<std::int64_t> seconds_of_utc(const std::string& time);

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr char to_lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] constexpr bool is_slug_letter(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'z'); }

[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) noexcept {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Returns the part before the separator, and removes that part and the separator from the text.
[[nodiscard]] constexpr std::string_view take_until(std::string_view& text, char separator) noexcept {
    const auto at = text.find(separator);
    const auto part = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return part;
}

/// Whether the whole text is the pattern; `*` stands for any text.
[[nodiscard]] constexpr bool matches_pattern(std::string_view text, std::string_view pattern) noexcept {
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;  // the last star, which takes the text before `resumed`
    std::size_t resumed = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resumed = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resumed;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// Whether a byte continues a UTF-8 character.
[[nodiscard]] constexpr bool continues_character(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The length of the UTF-8 character at the start of a text that is not empty; 0 if there is none (RFC 3629: no
/// overlong forms, no surrogates, nothing above U+10FFFF).
[[nodiscard]] constexpr std::size_t character_length(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (!continues_character(text[i])) return 0;
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
    if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
    return length;
}

[[nodiscard]] constexpr bool is_utf8(std::string_view text) noexcept {
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

/// Reads digits of the base within the range of `Number`; nullopt for any other text, also for signs and blanks.
template <class Number>
[[nodiscard]] std::optional<Number> whole_number(std::string_view text, int base = 10) noexcept {
    Number number{};
    if (text.empty() || text.front() == '-') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv). It detects damage, but not forgery.
[[nodiscard]] constexpr std::uint64_t fnv1a_64(std::string_view bytes) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

/// Turns bytes of another process into text: UTF-8, line ends and tabs stay, other bytes become escapes such as `\x1b`.
[[nodiscard]] std::string printable(std::string_view bytes);

/// The same on one line, in quotes, at most 120 bytes of it, for messages.
[[nodiscard]] std::string excerpt(std::string_view bytes);

/// The last `maximum` bytes, beginning with a whole UTF-8 character.
[[nodiscard]] std::string_view last_bytes(std::string_view bytes, std::size_t maximum) noexcept;

}  // namespace detail
}  // namespace perfspec::inline v0_2
