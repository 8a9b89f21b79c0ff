// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "skim.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace perfspec::tool {
namespace {

/// The position after a text in quotes that begins at `from`.
std::size_t end_of_quoted(std::string_view line, std::size_t from) {
    for (std::size_t at = from + 1;; at += 2) {
        at = line.find_first_of("\"\\", at);
        if (at == line.npos) return at;
        if (line[at] == '"') return at + 1;
    }
}

std::size_t after_blanks(std::string_view line, std::size_t from) { return std::min(line.find_first_not_of(" \t", from), line.size()); }

constexpr std::array<bool, 256> structural = [] {
    std::array<bool, 256> is{};
    for (const char c : {'"', '{', '}', '[', ']', ','}) is[static_cast<unsigned char>(c)] = true;
    return is;
}();

/// The position of the comma or brace that ends the value which begins at `from`.
std::size_t end_of_value(std::string_view line, std::size_t from) {
    std::size_t depth = 0;
    for (std::size_t at = from; at < line.size(); ++at) {
        const char c = line[at];
        if (!structural[static_cast<unsigned char>(c)]) continue;
        if (c == '"') {
            at = end_of_quoted(line, at);
            if (at == line.npos) return at;
            --at;
        } else if (c == '{' || c == '[') ++depth;
        else if (depth == 0) return c == ']' ? line.npos : at;
        else if (c != ',') --depth;
    }
    return line.npos;
}

struct member {
    std::string_view name;
    std::string_view text;  // from the quote of the name to the end of the value
};

/// The member that begins at `at`, which moves to the comma or brace after it. Nothing where no member is.
std::optional<member> member_at(std::string_view line, std::size_t& at) {
    const std::size_t begin = after_blanks(line, at);
    if (begin >= line.size() || line[begin] != '"') return {};
    const std::size_t name_end = end_of_quoted(line, begin);
    if (name_end == line.npos) return {};
    const std::size_t colon = after_blanks(line, name_end);
    if (colon >= line.size() || line[colon] != ':') return {};
    at = end_of_value(line, colon + 1);
    if (at == line.npos) return {};
    return member{line.substr(begin + 1, name_end - begin - 2), line.substr(begin, at - begin)};
}

}  // namespace

std::string without_members(std::string_view line, std::span<const std::string_view> names) {
    if (!line.starts_with('{')) return std::string(line);
    std::string kept = "{";
    std::size_t at = 0;
    while (line[at] != '}') {
        const auto found = member_at(line, ++at);
        if (!found) return std::string(line);
        if (std::ranges::find(names, found->name) != names.end()) continue;
        if (kept.size() > 1) kept += ',';
        kept += found->text;
    }
    return kept.append(line.substr(at));  // with what follows the object, so that it is refused
}

}  // namespace perfspec::tool
