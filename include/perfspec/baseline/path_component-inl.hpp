// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/path_component.hpp>

#include <cstddef>
#include <cstdint>

namespace perfspec {

namespace detail {

// ASCII only, whatever the locale: a name must give the same path everywhere.
[[nodiscard]] constexpr bool stays_in_paths(char c, bool leads) noexcept {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
    if (c == '-' || c == '.') return !leads;
    return c == '_' || c == '+' || c == '=' || c == ',' || c == '@';
}

[[nodiscard]] inline std::string hex_digits(std::uint64_t value, int digits) {
    std::string text;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        text += "0123456789ABCDEF"[(value >> static_cast<unsigned>(shift)) & 0xFU];
    return text;
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view bytes) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

}  // namespace detail

std::string path_component(std::string_view name) {
    constexpr std::size_t maximum = 120;
    constexpr std::size_t kept = 100;
    if (name.empty()) return "%empty";
    const std::size_t ending = name.ends_with(".json")     ? 5
                               : name.ends_with(".golden") ? 7
                                                           : 0;  // length of a file ending
    std::string escaped;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool last_dot = i + ending == name.size();
        if (detail::stays_in_paths(name[i], i == 0) && !last_dot) escaped += name[i];
        else escaped += '%' + detail::hex_digits(static_cast<unsigned char>(name[i]), 2);
    }
    if (escaped.size() <= maximum) return escaped;
    escaped.resize(kept);
    const auto cut = escaped.rfind('%');
    if (cut != std::string::npos && cut + 3 > escaped.size()) escaped.resize(cut);  // drops half of a %XX
    return escaped + "%~" + detail::hex_digits(detail::fnv1a(name), 16);
}

}  // namespace perfspec
