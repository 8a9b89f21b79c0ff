// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The command line tool `perfspec`, with this machine's files and standard streams.

#include "outside.hpp"
#include "program.hpp"

#include <perfspec/process/program_start.hpp>
#include <perfspec/report/console/terminal.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace perfspec::tool {
namespace {

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
        perfspec::posix_launcher launcher;
        perfspec::gpu_machine gpus;
        const auto write = [&files](const std::string& path, std::string_view text) { write_output_file(files, path, text); };
        std::error_code ignored;
        const program_end end = run_program(
            {argv + std::min(argc, 1), argv + argc},
            {files, variables, baseline_files_below, write, launcher, std::filesystem::current_path(ignored).string(), utc_now(),
             perfspec::at_program_start().environment, perfspec::colour_for(perfspec::is_terminal(stdout), variables), &gpus});
        std::fputs(end.err.c_str(), stderr);
        print_out(end.out);
        return end.code;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        return static_cast<int>(exit_code::unusable);
    }
}
