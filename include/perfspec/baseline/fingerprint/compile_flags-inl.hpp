// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/compile_flags.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {

using option_texts = std::vector<std::string>;

/// Splits a command line into words: quotes keep blanks together, a backslash takes the next character literally.
inline option_texts split_command_line(std::string_view line) {
    option_texts found;
    std::string word;
    char quote = '\0';
    const auto end_word = [&] {
        if (!word.empty()) found.push_back(std::exchange(word, {}));
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool is_quote = c == '"' || c == '\'';
        if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) end_word();
        else if (is_quote && (quote == '\0' || quote == c)) quote = quote == c ? '\0' : c;
        else if (c == '\\' && i + 1 < line.size() && quote != '\'') word += line[++i];
        else word += c;
    }
    end_word();
    return found;
}

/// The elements of a CMake list. An element that begins with SHELL: holds several words.
inline option_texts elements_of(std::string_view list) {
    option_texts found;
    while (!list.empty()) {
        const std::string_view element = take_until(list, ';');
        if (element.starts_with("SHELL:")) {
            for (std::string& word : split_command_line(element.substr(6))) found.push_back(std::move(word));
        } else if (!element.empty()) {
            found.emplace_back(element);
        }
    }
    return found;
}

/// The name under which options exclude each other: -O2 and -O3, two -march=…, -ffast-math and -fno-fast-math.
inline std::string subject_of(const std::string& option) {
    if (option.starts_with("-O")) return "-O";
    std::string name = option.substr(0, option.find('='));
    for (const char* const negated : {"-fno-", "-mno-"})
        if (name.starts_with(negated)) name.erase(2, 3);
    return name;
}

inline bool changes_code(const std::string& option) {
    const auto begins = [&](std::string_view with) { return option.starts_with(with); };
    if (begins("-fdiagnostics") || begins("-fcolor") || begins("-fmessage") || option.find('/') != option.npos)
        return false;
    return begins("-O") || begins("-m") || begins("-f");
}

/// NAME=value without the parts that differ between checkouts; empty for the commit, which is stored elsewhere.
inline std::string stable_definition(std::string definition) {
    if (definition.starts_with("-D")) definition.erase(0, 2);
    if (definition.starts_with("PERFSPEC_COMMIT")) return {};
    const auto equals = definition.find('=');
    if (equals != definition.npos && definition.find('/', equals) != definition.npos)
        definition.resize(equals + 1), definition += "…";
    return definition;
}

struct sorted_options {
    option_texts code;
    option_texts definitions;

    void add(std::string option) {
        if (option.starts_with("-D")) return define(std::move(option));
        if (!changes_code(option)) return;
        std::erase_if(code, [&](const std::string& earlier) { return subject_of(earlier) == subject_of(option); });
        code.push_back(std::move(option));
    }
    void define(std::string definition) {
        if (definition = stable_definition(std::move(definition)); !definition.empty())
            definitions.push_back(std::move(definition));
    }
};

}  // namespace detail

std::string significant_flags(const compile_options& given) {
    detail::sorted_options all;
    for (std::string& option : detail::split_command_line(given.flags)) all.add(std::move(option));
    if (given.link_time) all.add("-flto");
    for (std::string& option : detail::elements_of(given.options)) all.add(std::move(option));
    for (std::string& definition : detail::elements_of(given.definitions)) all.define(std::move(definition));
    std::ranges::sort(all.code, {},
                      [](const std::string& option) { return std::pair(!option.starts_with("-O"), option); });
    std::ranges::sort(all.definitions);
    all.definitions.erase(std::unique(all.definitions.begin(), all.definitions.end()), all.definitions.end());
    std::string text;
    for (const std::string& option : all.code) text += option + ' ';
    for (const std::string& definition : all.definitions) text += "-D" + definition + ' ';
    return std::string(detail::trimmed(text));
}

}  // namespace perfspec
