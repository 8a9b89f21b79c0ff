// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/metric.hpp>
#include <perfspec/language/sentence.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <iterator>

namespace perfspec {
namespace detail {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The end of a raw string literal. Its R is directly before `quote`.
inline std::size_t raw_string_end(std::string_view text, std::size_t quote) {
    const std::size_t open = text.find('(', quote);
    if (open == std::string_view::npos) return text.size();
    const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text.find(close, open);
    return end == std::string_view::npos ? text.size() : end + close.size();
}

/// The end of the literal that begins at `at` (a quote): one past its closing quote.
inline std::size_t literal_end(std::string_view text, std::size_t at) {
    const char quote = text[at];
    if (quote == '"' && at > 0 && text[at - 1] == 'R') return raw_string_end(text, at);
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == quote) {
            return i + 1;
        }
    }
    return text.size();
}

/// Whether the quote at `at` is inside a number: 1'000, 0xFF'FF. Then the token before it begins with a digit, unlike u8'x'.
inline bool is_digit_separator(std::string_view text, std::size_t at) {
    if (at + 1 >= text.size() || !is_word(text[at + 1])) return false;
    std::size_t begin = at;
    while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '\'')) --begin;
    return begin != at && std::isdigit(static_cast<unsigned char>(text[begin])) != 0;
}

/// Calls visit(position, depth) for every character outside literals. A bracket has the depth of its inside.
template <class Visit> void scan(std::string_view text, Visit visit) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '"' || (c == '\'' && !is_digit_separator(text, i))) {
            i = literal_end(text, i);
            continue;
        }
        if (c == '(' || c == '[' || c == '{') ++depth;
        visit(i, depth);
        if (c == ')' || c == ']' || c == '}') --depth;
        ++i;
    }
}

/// Whether a function of this name makes a query or a claim.
inline bool is_query_word(std::string_view word) {
    constexpr std::string_view of_several[] = {"speedup", "same_output", "compare", "compression"};
    return std::ranges::find(metric_table, word, &metric_traits::word) != std::end(metric_table) ||
           std::ranges::find(of_several, word) != std::end(of_several);
}

/// The query function whose opening bracket is at `open`; empty if it is another call.
inline std::string_view query_word_before(std::string_view text, std::size_t open) {
    std::size_t end = open;
    while (end > 0 && text[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    const bool member = begin > 0 && (text[begin - 1] == '.' || (begin > 1 && text.substr(begin - 2, 2) == "->"));
    if (member) return {};
    const std::string_view word = text.substr(begin, end - begin);
    return is_query_word(word) ? word : std::string_view{};
}

/// The top-level arguments of the call whose opening bracket is at `open`.
inline std::vector<std::string_view> arguments_of(std::string_view text, std::size_t open, std::size_t& close) {
    const std::string_view rest = text.substr(open);
    std::vector<std::string_view> arguments;
    std::size_t from = 1;
    close = text.size();
    bool done = false;
    scan(rest, [&](std::size_t i, int depth) {
        if (done || depth != 1) return;
        if (rest[i] == ',' || rest[i] == ')') {
            arguments.push_back(trimmed(rest.substr(from, i - from)));
            from = i + 1;
        }
        if (rest[i] == ')') {
            done = true;
            close = open + i;
        }
    });
    return arguments;
}

/// Whether a template argument list is open at the end of the text, as far as text can show.
inline bool opens_template(std::string_view part) {
    int open = 0;
    scan(part, [&](std::size_t i, int depth) {
        if (depth != 0) return;
        if (part[i] == '<') ++open;
        if (part[i] == '>' && (i == 0 || part[i - 1] != '-')) --open;
    });
    return open > 0;
}

/// Joins parts into at most `maximum` arguments: if there are more, some commas are between template arguments, as in work<int, 4>.
inline std::vector<std::string_view> joined(const std::vector<std::string_view>& parts, std::size_t maximum) {
    std::vector<std::string_view> arguments;
    std::size_t surplus = parts.size() > maximum ? parts.size() - maximum : 0;
    for (const std::string_view part : parts) {
        if (surplus != 0 && !arguments.empty() && opens_template(arguments.back())) {
            const char* begin = arguments.back().data();
            arguments.back() = {begin, static_cast<std::size_t>(part.data() + part.size() - begin)};
            --surplus;
        } else {
            arguments.push_back(part);
        }
    }
    return arguments;
}

/// Whether the last argument of a query is no subject: the work of a throughput, what counts in a peak of memory, or the name of a kernel or an operator.
inline bool is_tag_of(std::string_view word, std::string_view argument) {
    if (word == "kernel_time" || word == "op_count") return argument.ends_with('"');
    if (word == "peak_memory" || word == "compression") return argument.ends_with("with_load");
    return word.ends_with("throughput") && (argument.ends_with("items") || argument.ends_with("bytes") || argument.ends_with("flops"));
}

inline bool begins_with_query(std::string_view argument) {
    const std::size_t open = argument.find('(');
    return open != std::string_view::npos && std::ranges::all_of(argument.substr(0, open), [](char c) { return is_word(c) || c == ':'; }) &&
           !query_word_before(argument, open).empty();
}

}  // namespace detail

std::string_view claim_in(std::string_view arguments, std::size_t options) {
    std::vector<std::size_t> commas;
    detail::scan(arguments, [&](std::size_t i, int depth) {
        if (arguments[i] == ',' && depth == 0) commas.push_back(i);
    });
    if (options == 0 || commas.size() < options) return detail::trimmed(arguments);
    return detail::trimmed(arguments.substr(0, commas[commas.size() - options]));
}

std::vector<std::string> subjects_in(std::string_view claim) {
    std::vector<std::string> found;
    std::size_t skip_to = 0;
    detail::scan(claim, [&](std::size_t i, int) {
        if (i < skip_to || claim[i] != '(') return;
        const std::string_view word = detail::query_word_before(claim, i);
        if (word.empty()) return;
        std::size_t close = 0;
        auto parts = detail::arguments_of(claim, i, close);
        const std::size_t subjects = word == "compare" ? parts.size()
                                     : word == "speedup" || word == "same_output" || word == "oracle" || word == "compression" ? 2
                                                                                                                               : 1;
        if (word == "metric" && parts.size() > 2) parts.erase(parts.begin(), parts.begin() + 2);
        if (word == "growth" && parts.size() > 2) parts = {parts[parts.size() - 2]};  // the body
        const auto arguments = detail::joined(parts, subjects + (!parts.empty() && detail::is_tag_of(word, parts.back()) ? 1 : 0));
        if (!arguments.empty() && detail::begins_with_query(arguments.front()))
            return;  // speedup(cpu_time(a), …): the inner calls name them
        for (std::size_t k = 0; k < std::min(subjects, arguments.size()); ++k) found.emplace_back(arguments[k]);
        skip_to = close;
    });
    return found;
}

std::string name_from_text(std::string_view text) {
    std::string name;
    for (const char c : detail::trimmed(text)) {
        const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!space) {
            name += c;
        } else if (!name.empty() && name.back() != ' ') {
            name += ' ';
        }
    }
    constexpr std::size_t longest = 60;
    if (name.size() <= longest) return name;
    std::uint32_t hash = 2166136261U;  // FNV-1a: the same in every process and build
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    std::array<char, 16> tail{};
    std::snprintf(tail.data(), tail.size(), "...%08x", hash);
    std::size_t kept = longest - 11;
    while ((static_cast<unsigned char>(name[kept]) & 0xC0U) == 0x80U) --kept;  // never cut inside a character of several bytes
    return name.substr(0, kept) + tail.data();
}

}  // namespace perfspec
