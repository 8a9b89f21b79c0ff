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

std::string ctest_pattern(std::string_view name) {
    constexpr std::string_view special = R"(\^$.|?*+()[])";
    std::string pattern;
    for (const char c : name) {
        if (special.find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern + "$";
}

namespace detail {

inline std::string run_again(const evaluation& e) {
    const std::string& build = e.context.project().build;
    if (!build.empty()) {  // the whole path: the shell that this is pasted into stands anywhere
        return "ctest --test-dir " + shell_quoted(build) + " -R " + shell_quoted(ctest_pattern(e.position.test)) + " --output-on-failure";
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
