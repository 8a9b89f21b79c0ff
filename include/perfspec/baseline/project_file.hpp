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

/// The options that a project gives to all of its runs: `perfspec.json` in the folder of committed baselines, which versions them together.
///
///     {
///       "margin": "1%",
///       "rounds": 500,
///       "undecided": "fail"
///     }
///
/// One object of option names, as a call spells them, to values, as the command line spells them; counts can be numbers. "$schema" may stand
/// there for editors. `baselines/perfspec.schema.json` is its JSON Schema.
struct project_file {
    static constexpr std::string_view name = "perfspec.json";
    /// A larger file is none.
    static constexpr std::size_t max_bytes = std::size_t{1} << 20;
};

/// Reads the text of a project file; the options stand in the order of the text.
///
/// path    names the file in errors and in `project_option::place`
/// Throws  input_error, naming file, line, option and a legal value: for text that is no JSON, an option that is unknown, stands twice, is of one
///         run or one call, or a value that does not parse.
[[nodiscard]] std::vector<project_option> parse_project_file(std::string_view text, std::string_view path);

/// The options of the project file in that folder; none where there is no such file.
/// Throws input_error as parse_project_file does, and for one that cannot be read, or is no file.
[[nodiscard]] std::vector<project_option> read_project_file(const file_system& files, const std::string& folder);

}  // namespace perfspec
