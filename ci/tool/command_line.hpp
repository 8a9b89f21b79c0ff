// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Registers the commands with CLI11. Each command parses its arguments, and calls the function that does the work.

#include "program.hpp"
#include "results/results.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace perfspec::tool {

/// The surroundings of a command, and the place for its outcome.
struct command_context {
    const tool_surroundings& around;
    outcome done{};

    /// Reads the files. Throws input_error where one cannot be read or is larger.
    [[nodiscard]] std::vector<input_text> read(const std::vector<std::string>& paths, std::size_t max_bytes) const;
    [[nodiscard]] std::vector<input_text> read_results_files(const std::vector<std::string>& paths) const;
    /// Reads the baseline files below a folder; for a file, only that file.
    [[nodiscard]] std::vector<input_text> read_baselines(const std::string& folder_or_file) const;
    /// The given folder, else PERFSPEC_BASELINE_DIR, else the nearest `baselines` in the working directory or above it.
    /// Throws input_error where there is none.
    [[nodiscard]] std::string baseline_dir(const std::string& given) const;
};

/// Parses "10%" or "0.1" to a fraction in [0, 1]. Throws input_error that names the option.
[[nodiscard]] double parse_share(const std::string& option, const std::string& text);

/// Writes a file in addition to the command's own output. Throws input_error where it cannot be written.
void write_file(const tool_surroundings& around, const std::string& path, std::string_view text);

void add_accept(CLI::App& app, command_context& context);
void add_baselines(CLI::App& app, command_context& context);
void add_compare(CLI::App& app, command_context& context);
void add_doctor(CLI::App& app, command_context& context);
void add_export(CLI::App& app, command_context& context);
void add_history(CLI::App& app, command_context& context);
void add_merge(CLI::App& app, command_context& context);
void add_report(CLI::App& app, command_context& context);

}  // namespace perfspec::tool
