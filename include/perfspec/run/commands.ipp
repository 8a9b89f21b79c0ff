// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/commands.hpp>
#include <perfspec/run/stored_claim.hpp>

namespace perfspec {

std::string shell_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

namespace detail {

inline std::string literal_pattern(std::string_view text) {
    constexpr std::string_view special = R"(\^$.|?*+()[])";
    std::string pattern;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

}  // namespace detail

std::string ctest_pattern(std::string_view prefix, std::string_view name) {
    const std::string_view kept = prefix.substr(0, prefix.find_last_not_of(' ') + 1);
    const std::string blank = kept.size() < prefix.size() ? " ?" : "";
    return "^" + detail::literal_pattern(kept) + blank + detail::literal_pattern(name) + "$";
}

namespace detail {

std::string run_again(const evaluation& e) {
    const std::string& build = e.context.project().build;
    if (!build.empty()) {  // the whole path: the shell that this is pasted into stands anywhere
        return "ctest --test-dir " + shell_quoted(build) + " -R " +
               shell_quoted(ctest_pattern(e.context.project().prefix, e.position.test)) + " --output-on-failure";
    }
    return shell_quoted(e.context.around().start.executable) + " " + shell_quoted(e.framework.test_filter(e.position));
}

void add_commands(evaluation& e) {
    if (e.position.test.empty() || e.out.verdict == verdict::holds) return;
    const std::string again = run_again(e);
    e.out.commands.emplace_back("again", again);
    if (e.tree().bound == bound_kind::baseline && e.out.verdict != verdict::not_judged) {
        const std::string file = e.out.baseline ? e.out.baseline->file : std::string{};
        e.out.commands.emplace_back("accept", update_variables(e, file, "1") + " " + again);
    }
}

}  // namespace detail
}  // namespace perfspec
