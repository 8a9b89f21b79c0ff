// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/build_kind.hpp>

#include <catch2/catch_test_macros.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <run/start_program.hpp>

namespace perfspec::testing {

/// Runs a test case of host_program.cpp.
[[nodiscard]] inline ended_program run_host_program(const std::string& test_case, std::vector<std::string> arguments = {},
                                                    const std::map<std::string, std::string>& variables = {}) {
    if (PERFSPEC_DETAIL_BUILD_KIND != build_kind::optimised) SKIP("this build is not judged");
    if (!test_case.empty()) arguments.insert(arguments.begin(), test_case);
    return start_program(PERFSPEC_HOST_PROGRAM, arguments, variables);
}

}  // namespace perfspec::testing
