// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The command line tool `perfspec`, with this machine's files and standard streams.

#include "program.hpp"

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace perfspec::tool {
namespace {

namespace fs = std::filesystem;

std::string last_reason() { return std::generic_category().message(errno); }

enum class level_of_folder : std::uint8_t { top, below };

void collect(const fs::path& folder, level_of_folder level, std::vector<std::string>& paths) {
    std::error_code error;
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
        const fs::path& path = at->path();
        const std::string name = path.filename().string();
        const fs::file_status kind = at->symlink_status(error);
        if (error) break;
        if (fs::is_directory(kind)) collect(path, level_of_folder::below, paths);
        else if (level == level_of_folder::below && name.ends_with(".json") && !name.starts_with('.'))
            paths.push_back(path.string());
    }
    if (error)
        throw input_error(fmt::format(
            "{}: {}, expected a folder that can be read; correct its permissions, or name another by --baseline-dir",
            detail::single_line(folder.string()), error.message()));
}

/// Whether a path leads to the standard output. Opening /dev/stdout again would start at the beginning of a
/// file, and overwrite earlier output.
bool is_standard_output(const struct stat& facts) {
    struct stat ours {};
    return ::fstat(STDOUT_FILENO, &ours) == 0 && ours.st_dev == facts.st_dev && ours.st_ino == facts.st_ino;
}

/// Prints the text. Throws input_error where the standard output does not take all of it, as on a full disk.
void print_out(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
    throw input_error(fmt::format(
        "cannot write to the standard output: {}; the output is lost; free space on the disk, or redirect it elsewhere",
        last_reason()));
}

void write_in_place(const std::string& path, std::string_view text) {
    std::FILE* const file = std::fopen(path.c_str(), "we");
    if (file == nullptr) throw file_error(path, last_reason());
    const bool taken = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    const std::string reason = last_reason();
    if ((std::fclose(file) != 0) || !taken) throw file_error(path, reason);
}

/// The files *.json in the folders below a folder, sorted. Files in the folder itself and hidden files are
/// left out. Links to folders are not followed. Throws input_error for a folder that cannot be read, because its files
/// must not count as absent. The text names the folder.
std::vector<std::string> baseline_files_below(const std::string& folder) {
    std::vector<std::string> paths;
    collect(folder, level_of_folder::top, paths);
    std::ranges::sort(paths);
    return paths;
}

/// Writes an output file. Replaces a regular file in one step; writes in place to anything else (a pipe, a device, a
/// link such as /dev/stdout). Throws file_error.
void write_output_file(file_system& files, const std::string& path, std::string_view text) {
    struct stat itself {};
    if (::lstat(path.c_str(), &itself) != 0 || S_ISREG(itself.st_mode)) {
        files.write_atomically(path, text);
        return;
    }
    struct stat target {};
    if (::stat(path.c_str(), &target) == 0 && is_standard_output(target)) print_out(text);
    else write_in_place(path, text);
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm fields{};
    gmtime_r(&now, &fields);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &fields)};
}

}  // namespace
}  // namespace perfspec::tool

int main(int argc, char** argv) {
    using namespace perfspec::tool;
    try {
        perfspec::posix_file_system files;
        const perfspec::process_environment variables;
        perfspec::gpu_machine gpus;
        const auto write = [&files](const std::string& path, std::string_view text) {
            write_output_file(files, path, text);
        };
        std::error_code ignored;
        const program_end end =
            run_program({argv + std::min(argc, 1), argv + argc},
                        {files, variables, baseline_files_below, write, std::filesystem::current_path(ignored).string(),
                         utc_now(), perfspec::colour_for(perfspec::is_terminal(stdout), variables), &gpus});
        std::fputs(end.err.c_str(), stderr);
        print_out(end.out);
        return end.code;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        return static_cast<int>(exit_code::unusable);
    }
}
