// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/whole_number.hpp>
#include <perfspec/process/workers/worker_message.hpp>
#include <perfspec/quantity/parse.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace perfspec {

namespace detail {

[[nodiscard]] inline std::string escape_field(std::string_view value) {
    std::string escaped;
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || byte <= 0x20U || byte == 0x7FU) escaped += fmt::format("%{:02X}", byte);
        else escaped += c;
    }
    return escaped;
}

[[nodiscard]] inline std::optional<std::string> unescape_field(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += text[i];
            continue;
        }
        const auto byte = i + 2 < text.size() ? whole_number<unsigned char>(text.substr(i + 1, 2), 16) : std::nullopt;
        if (!byte) return std::nullopt;
        plain += static_cast<char>(*byte);
        i += 2;
    }
    return plain;
}

}  // namespace detail

void worker_message::add(std::string name, std::uint64_t value) { add(std::move(name), std::to_string(value)); }
void worker_message::add(std::string name, double value) { add(std::move(name), fmt::format("{}", value)); }

std::optional<std::string> worker_message::text(std::string_view name) const {
    const auto found = std::ranges::find(fields, name, [](const auto& field) { return std::string_view(field.first); });
    return found == fields.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> worker_message::number(std::string_view name) const {
    const auto value = text(name);
    const auto number = value ? parse_number(*value) : std::nullopt;
    return number && *number >= 0.0 ? number : std::nullopt;
}

std::optional<std::uint64_t> worker_message::whole(std::string_view name) const {
    const auto value = text(name);
    return value ? detail::whole_number<std::uint64_t>(*value) : std::nullopt;
}

std::string to_text(const worker_message& message) {
    std::string line = message.word;
    for (const auto& [name, value] : message.fields) line += fmt::format(" {}={}", name, detail::escape_field(value));
    return line;
}

std::optional<worker_message> parse_worker_message(std::string_view line) {
    worker_message message{.word = std::string(line.substr(0, line.find(' ')))};
    if (message.word.empty() || message.word.find('=') != std::string::npos) return std::nullopt;
    line.remove_prefix(message.word.size());
    while (!line.empty()) {
        line.remove_prefix(1);  // skip the blank
        const auto field = line.substr(0, line.find(' '));
        line.remove_prefix(field.size());
        const auto equals = field.find('=');
        if (equals == field.npos || equals == 0) return std::nullopt;
        auto value = detail::unescape_field(field.substr(equals + 1));
        if (!value) return std::nullopt;
        message.add(std::string(field.substr(0, equals)), *std::move(value));
    }
    return message;
}

}  // namespace perfspec
