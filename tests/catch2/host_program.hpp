// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <run/start_program.hpp>
#include <support/test.hpp>

namespace perfspec::testing {

/// Without blanks and line ends: Catch2 breaks lines anywhere.
[[nodiscard]] inline std::string squeezed(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

/// Runs a test case of host_program.cpp.
[[nodiscard]] inline ended_program run_host_program(const std::string& test_case,
                                                    std::vector<std::string> arguments = {},
                                                    const std::map<std::string, std::string>& variables = {}) {
    skip_unless_judged();
    if (!test_case.empty()) arguments.insert(arguments.begin(), test_case);
    return start_program(PERFSPEC_HOST_PROGRAM, arguments, variables);
}

}  // namespace perfspec::testing
