// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tool.hpp"

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/measure/gpu/gpu_machine.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/report/console/console.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::tool {

/// Everything outside the program. Tests replace each part.
struct tool_surroundings {
    file_system& files;
    const environment& variables;
    /// The files *.json and *.golden in the folders below a folder, sorted; none from the folder itself.
    std::function<std::vector<std::string>(const std::string& folder)> baseline_files_below;
    /// Writes an output file of a command to the path that a user gave. Throws file_error.
    std::function<void(const std::string& path, std::string_view text)> write_output_file;
    process_launcher& launcher;                                    ///< starts git
    std::string working_directory{};                               ///< absolute
    std::string now{};                                             ///< RFC 3339
    std::vector<std::pair<std::string, std::string>> inherited{};  ///< the environment for started programs
    console_colour colour{console_colour::never};                  ///< of the printed text
    gpu_machine* gpus{};                                           ///< tells of the GPUs
};

/// The program's output and exit code.
struct program_end {
    int code = 0;
    std::string out{};
    std::string err{};
};

/// Runs the tool. arguments: without the program's name.
[[nodiscard]] program_end run_program(std::vector<std::string> arguments, const tool_surroundings& around);

}  // namespace perfspec::tool
