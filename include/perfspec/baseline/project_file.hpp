// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/plan.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

class file_system;

/// The settings of a project for all of its runs: `perfspec.json` in the folder of committed baselines.
/// `plan/README.md` describes it, and `baselines/perfspec.schema.json` is its JSON Schema.
struct project_file {
    static constexpr std::string_view name = "perfspec.json";
    /// perfspec does not read larger files.
    static constexpr std::size_t max_bytes = std::size_t{1} << 20;
};

/// The content of a project file, in the order of its text.
struct project_settings {
    std::vector<project_option> options{};
    std::vector<waiver> waivers{};
};

/// Reads the text of a project file.
///
/// path  names the file in errors and in the places of options and waivers
///
/// Throws input_error for text that is not JSON, a value that does not parse, an option that is unknown, occurs twice,
/// or belongs to one run or one call, and a waiver that is incomplete or covers every claim. The message names the
/// place and a legal value.
[[nodiscard]] project_settings parse_project_file(std::string_view text, std::string_view path);

/// The project file in this folder; empty if there is no such file. Throws input_error as parse_project_file does, and
/// for a file that cannot be read.
[[nodiscard]] project_settings read_project_file(const file_system& files, const std::string& folder);

}  // namespace perfspec::inline v0_2
