// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The surroundings of the tool, and its commands. Each registers with CLI11, and parses its arguments.

#include "tool.hpp"

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/gpu/gpu_machine.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/report/console/console.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace perfspec::tool {

/// Everything outside the program. Tests replace each part.
struct tool_system {
    file_system& files;
    const environment& variables;
    /// The files *.json in the folders below a folder, sorted; none from the folder itself.
    std::function<std::vector<std::string>(const std::string& folder)> baseline_files_below;
    /// Writes an output file of a command. Throws file_error.
    std::function<void(const std::string& path, std::string_view text)> write_output_file;
    std::string working_directory{};                 ///< absolute
    std::string now{};                               ///< RFC 3339
    console_color color{console_color::never};       ///< of the printed text
    gpu_machine* gpus{};                             ///< the GPUs of this machine; null in tests without GPUs
    std::function<std::string()> examine_machine{};  ///< the doctor's report on this machine
};

/// The program's output and exit code.
struct program_end {
    int code = 0;
    std::string out{};
    std::string err{};
};

/// Runs the tool. arguments: without the program's name.
[[nodiscard]] program_end run_program(std::vector<std::string> arguments, const tool_system& system);

/// The surroundings of a command, and the place for its outcome.
struct command_context {
    const tool_system& system;
    outcome done{};

    /// Reads the files. Throws input_error if one cannot be read or is larger.
    [[nodiscard]] std::vector<input_text> read(const std::vector<std::string>& paths, std::size_t max_bytes) const;
    [[nodiscard]] std::vector<input_text> read_results_files(const std::vector<std::string>& paths) const;
    /// Reads the baseline files below a folder; for a file, only that file.
    [[nodiscard]] std::vector<input_text> read_baselines(const std::string& folder_or_file) const;
    /// The option's folder, else PERFSPEC_BASELINE_DIR, else the nearest `baselines` in the working directory or above.
    /// Throws input_error if there is none.
    [[nodiscard]] std::string baseline_dir(const std::string& option) const;
};

/// Parses "10%" or "0.1" to a fraction in [0, 1]. Throws input_error that names the option.
[[nodiscard]] double parse_share(const std::string& option, const std::string& text);

/// Writes a file in addition to the command's own output. Throws input_error if it cannot be written.
void write_file(const tool_system& system, const std::string& path, std::string_view text);

void add_accept(CLI::App& app, command_context& context);
void add_baselines(CLI::App& app, command_context& context);
void add_compare(CLI::App& app, command_context& context);
void add_doctor(CLI::App& app, command_context& context);
void add_export(CLI::App& app, command_context& context);
void add_history(CLI::App& app, command_context& context);
void add_judge(CLI::App& app, command_context& context);
void add_merge(CLI::App& app, command_context& context);
void add_report(CLI::App& app, command_context& context);

}  // namespace perfspec::tool
