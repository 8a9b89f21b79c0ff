// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "program.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::tool {

/// Runs a program of PATH, and captures its whole standard output as `result`: the launcher alone keeps only the end of it.
///
/// variables  added to the environment
/// The code is 127 where there is no such program.
[[nodiscard]] child_end run_captured(const tool_surroundings& around, const std::string& program, std::vector<std::string> arguments,
                                     std::chrono::nanoseconds time_out, std::vector<std::pair<std::string, std::string>> variables = {});

inline constexpr int code_of_no_such_program = 127;

/// Whether it exited with 0.
[[nodiscard]] bool ended_well(const child_end& end) noexcept;

/// The last line of what it said, or else how it ended.
[[nodiscard]] std::string last_line_of(const child_end& end);

}  // namespace perfspec::tool
