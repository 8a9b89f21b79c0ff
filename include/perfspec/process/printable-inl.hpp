// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace perfspec::detail {

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

}  // namespace perfspec::detail
