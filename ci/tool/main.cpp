// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The command line tool `perfspec`, with this machine's files and standard streams.

#include "program.hpp"

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/program/program.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace perfspec::tool {
namespace {

namespace fs = std::filesystem;

std::string last_reason() { return std::generic_category().message(errno); }

/// Prints the text. Throws input_error if the standard output does not take all of it, as on a full disk.
void print_out(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
    throw input_error(fmt::format(
        "cannot write to the standard output: {}, so the output is lost. Free space on the disk, or redirect it "
        "elsewhere",
        last_reason()));
}

void write_in_place(const std::string& path, std::string_view text) {
    std::FILE* const file = std::fopen(path.c_str(), "we");
    if (file == nullptr) throw file_error(path, last_reason());
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    const std::string reason = last_reason();
    if ((std::fclose(file) != 0) || !written) throw file_error(path, reason);
}

/// The files *.json in the folders below a folder, sorted. Files in the folder itself and hidden files are
/// left out. Links to folders are not followed. Throws input_error for a folder that cannot be read, because its files
/// must not count as absent. The text names the folder.
std::vector<std::string> baseline_files_below(const std::string& folder) {
    std::vector<std::string> paths;
    fs::path last = folder;
    try {
        for (fs::recursive_directory_iterator at(folder), end; at != end; ++at) {
            const std::string name = at->path().filename().string();
            if (at->is_directory()) last = at->path();
            else if (at.depth() > 0 && name.ends_with(".json") && !name.starts_with('.'))
                paths.push_back(at->path().string());
        }
    } catch (const fs::filesystem_error& error) {
        throw input_error(fmt::format(
            "{}: {}, expected a folder that can be read; correct its permissions, or name another by --baseline-dir",
            detail::single_line(last.string()), error.code().message()));
    }
    std::ranges::sort(paths);
    return paths;
}

/// Writes an output file. Replaces a regular file in one step; writes in place to anything else (a pipe, a device, a
/// link such as /dev/stdout). Throws file_error.
void write_output_file(file_system& files, const std::string& path, std::string_view text) {
    std::error_code ignored;
    const fs::file_status itself = fs::symlink_status(path, ignored);
    if (!fs::exists(itself) || fs::is_regular_file(itself)) files.write_atomically(path, text);
    else write_in_place(path, text);
}

}  // namespace
}  // namespace perfspec::tool

int main(int argc, char** argv) {
    using namespace perfspec::tool;
    try {
        perfspec::posix_file_system files;
        const perfspec::program_start_environment variables;
        perfspec::gpu_machine gpus;
        const auto write = [&files](const std::string& path, std::string_view text) {
            write_output_file(files, path, text);
        };
        std::error_code ignored;
        const program_end end =
            run_program({argv + std::min(argc, 1), argv + argc},
                        {files, variables, baseline_files_below, write, std::filesystem::current_path(ignored).string(),
                         fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr))),
                         perfspec::color_for(perfspec::is_terminal(stdout), variables), &gpus,
                         perfspec::detail::examine_this_machine});
        std::fputs(end.err.c_str(), stderr);
        print_out(end.out);
        return end.code;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        return static_cast<int>(exit_code::wrong_input);
    }
}
