// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The commands as CLI11 knows them. Each reads what it is given and hands values to the function that does the work.

#include "program.hpp"
#include "results.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace perfspec::tool {

/// Where a command leaves what it says.
struct command_context {
    const tool_surroundings& around;
    outcome done{};

    /// The files as they are. Throws input_error where one cannot be read, or has more bytes.
    [[nodiscard]] std::vector<input_text> read(const std::vector<std::string>& paths, std::size_t max_bytes) const;
    [[nodiscard]] std::vector<input_text> read_results_files(const std::vector<std::string>& paths) const;
    /// The baseline files below a folder; of a file, itself.
    [[nodiscard]] std::vector<input_text> read_baselines(const std::string& folder_or_file) const;
    /// As given, else PERFSPEC_BASELINE_DIR, else the nearest `baselines` from the working directory upwards. Throws input_error where there is none.
    [[nodiscard]] std::string baseline_dir(const std::string& given) const;
};

/// "10%" or "0.1" as a fraction in [0, 1]. Throws input_error that names the option.
[[nodiscard]] double parse_share(const std::string& option, const std::string& text);

void add_accept(CLI::App& app, command_context& context);
void add_baselines(CLI::App& app, command_context& context);
void add_compare(CLI::App& app, command_context& context);
void add_merge(CLI::App& app, command_context& context);
void add_report(CLI::App& app, command_context& context);
void add_completion(CLI::App& app, command_context& context);

}  // namespace perfspec::tool
