// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The command line tool `perfspec`: this machine's files, and the standard streams.

#include "program.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace perfspec::tool {
namespace {

/// What cannot be looked into is left out here; what is found and cannot be read is an error later.
std::vector<std::string> json_files_below(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code ignored;
    constexpr auto options = std::filesystem::directory_options::skip_permission_denied;
    for (auto at = std::filesystem::recursive_directory_iterator(folder, options, ignored);
         at != std::filesystem::recursive_directory_iterator(); at.increment(ignored)) {
        const std::string name = at->path().filename().string();
        if (at.depth() > 0 && name.ends_with(".json") && !name.starts_with('.')) paths.push_back(at->path().string());
    }
    std::ranges::sort(paths);
    return paths;
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
        std::error_code ignored;
        const program_end end =
            run_program({argv + std::min(argc, 1), argv + argc},
                        {files, variables, json_files_below, std::filesystem::current_path(ignored).string(), utc_now()});
        std::fputs(end.err.c_str(), stderr);
        std::fwrite(end.out.data(), 1, end.out.size(), stdout);
        return end.code;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        return static_cast<int>(exit_code::unusable);
    }
}
