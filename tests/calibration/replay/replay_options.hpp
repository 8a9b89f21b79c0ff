// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "replay.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfspec::testing {

enum class claim_kind : std::uint8_t { paired, p99, absolute, p99_absolute, stored, trend };

/// The command line of perfspec_replay.
struct replay_options {
    claim_kind claim = claim_kind::paired;
    std::vector<std::string> traces;  ///< files, a process each
    std::string launches;             ///< a file
    std::string workload;             ///< rows of it, where a trace has the column `workload`
    std::optional<noise_kind> noise;  ///< in place of a trace
    replay_request request;
};

/// What stops a program before it has begun: a text for the user, and the exit code, 0 for --help.
struct command_line_end : std::runtime_error {
    command_line_end(int code, const std::string& text) : std::runtime_error(text), exit_code(code) {}
    int exit_code;
};

/// Arguments without the program's name. Throws command_line_end.
[[nodiscard]] replay_options parse_replay_options(std::vector<std::string> arguments);

}  // namespace perfspec::testing
