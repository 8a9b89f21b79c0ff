// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/catch2/test_spec.hpp>
#include <perfspec/quantity/text.hpp>

namespace perfspec {
std::string test_spec_for(std::string_view test_case) {
    constexpr std::string_view exclude = "exclude:";
    if (test_case.starts_with(exclude)) { return "*" + test_spec_for(test_case.substr(1)); }
    std::string spec;
    for (const char c : test_case) {
        const bool special = c == '\\' || c == ',' || c == '[' || c == ']' || c == '"';
        const bool leading = spec.empty() && (c == '~' || c == '-');
        if (special || leading) spec += '\\';
        spec += c;
    }
    return spec;
}

std::vector<std::string> quiet_arguments(std::string_view test_case, const std::vector<std::string>& sections,
                                         unsigned rng_seed) {
    // Without this reporter's own file, the parent's report (JUnit, console) would be written twice.
    std::vector<std::string> arguments{test_spec_for(test_case), "--reporter",
                                       "compact::out=/dev/null", "--rng-seed",
                                       std::to_string(rng_seed), "--allow-running-no-tests"};
    // One argument, because a name may begin with a dash. Catch2 compares with the trimmed name.
    for (const std::string& section : sections)
        arguments.push_back("--section=" + std::string(detail::trimmed(section)));
    return arguments;
}

}  // namespace perfspec
