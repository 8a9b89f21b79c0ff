// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/resolve.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

class file_system;

/// The options that a project sets for all of its runs: `perfspec.json` in the folder of committed baselines,
/// under the same version control.
///
///     {
///       "margin": "1%",
///       "rounds": 500,
///       "undecided": "fail"
///     }
///
/// One object. Its names are option names as a call spells them; its values are spelled as on the command line. Counts can be numbers.
/// "$schema" is allowed, for editors. `baselines/perfspec.schema.json` is the JSON Schema of this file.
struct project_file {
    static constexpr std::string_view name = "perfspec.json";
    /// A larger file is not a project file.
    static constexpr std::size_t max_bytes = std::size_t{1} << 20;
};

/// Reads the text of a project file; the options are in the order of the text.
///
/// path    names the file in errors and in `project_option::place`
/// Throws  input_error for text that is not JSON, a value that does not parse, and an option that is unknown, occurs twice, or
///         belongs to one run or one call. The message names file, line, option and a legal value.
[[nodiscard]] std::vector<project_option> parse_project_file(std::string_view text, std::string_view path);

/// The options of the project file in this folder; none where there is no such file.
/// Throws input_error as parse_project_file does, and where the file cannot be read or is not a file.
[[nodiscard]] std::vector<project_option> read_project_file(const file_system& files, const std::string& folder);

}  // namespace perfspec
