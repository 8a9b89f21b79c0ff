// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {

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

/// How many characters a name and all of the known ones begin with, such as those of "--perf-".
inline std::size_t common_beginning(std::string_view name, std::span<const std::string> known) {
    std::size_t length = name.size();
    for (const std::string& other : known)
        length = std::min(length, static_cast<std::size_t>(std::ranges::mismatch(name, other).in1 - name.begin()));
    return length;
}

std::string escape_value(std::string_view text, char separator) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string all;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || c == separator || byte < 0x20 || byte == 0x7f)
            all += {'%', digits[byte / 16], digits[byte % 16]};
        else all += c;
    }
    return all;
}

std::optional<std::string> unescape_value(std::string_view text) {
    std::string plain;
    for (; !text.empty(); text.remove_prefix(1)) {
        if (text.front() != '%') {
            plain += text.front();
            continue;
        }
        unsigned char byte{};
        const char* const end = text.data() + std::min<std::size_t>(3, text.size());
        if (std::from_chars(text.data() + 1, end, byte, 16).ptr != text.data() + 3) return std::nullopt;
        plain += static_cast<char>(byte);
        text.remove_prefix(2);
    }
    return plain;
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

}  // namespace perfspec
