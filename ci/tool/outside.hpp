// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Parts of this machine that main.cpp gives to the commands: folders, output files, the standard output.

#include <perfspec/baseline/file_system.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// The files *.json and *.golden in the folders below a folder, sorted. Files in the folder itself and hidden files are left out.
/// Links to folders are not followed.
/// Throws input_error for a folder that cannot be read, because its files must not count as absent. The text names the folder.
[[nodiscard]] std::vector<std::string> baseline_files_below(const std::string& folder);

/// Writes an output file. Replaces a regular file in one step; writes in place to anything else (a pipe, a
/// device, a link such as /dev/stdout).
/// Throws file_error.
void write_output_file(file_system& files, const std::string& path, std::string_view text);

/// Prints the text. Throws input_error where the standard output does not take all of it, as on a full disk.
void print_out(std::string_view text);

}  // namespace perfspec::tool
