// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What main.cpp gives the commands of this machine: folders, files to write, the standard output.

#include <perfspec/baseline/file_system.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// The files *.json and *.golden in the folders below a folder, sorted; none of the folder itself, none whose name begins with a dot. Links to
/// folders are not followed. Throws input_error that names a folder that cannot be read: what lies in it must not count as absent.
[[nodiscard]] std::vector<std::string> baseline_files_below(const std::string& folder);

/// Replaces a regular file in one step. What else stands there (a pipe, a device, a link such as /dev/stdout) is written to as it is.
/// Throws file_error.
void write_output_file(file_system& files, const std::string& path, std::string_view text);

/// Prints the text. Throws input_error where the standard output does not take it: a full disk, for one.
void print_out(std::string_view text);

}  // namespace perfspec::tool
