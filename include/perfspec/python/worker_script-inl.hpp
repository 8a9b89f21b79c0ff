// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/process/program_start.hpp>
#include <perfspec/python/source_folder.hpp>
#include <perfspec/python/worker_script.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace perfspec::detail {

inline constexpr const char* worker_script_name = "perfspec_worker.py";

inline bool is_file(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

worker_script find_worker_script(const std::vector<std::string_view>& headers, const program_start& start,
                                 const environment& variables) {
    namespace fs = std::filesystem;
    if (const auto named = variables.get("PERFSPEC_PYTHON_MODULE"); named && !named->empty()) {
        const fs::path script = (fs::path(start.working_directory) / *named / worker_script_name).lexically_normal();
        if (is_file(script)) return {script.string(), {}};
        return {
            {},
            fmt::format(
                "PERFSPEC_PYTHON_MODULE={}: there is no {}; name the folder perfspec/python/module of perfspec's headers",
                *named, script.string())};
    }
    std::string places;
    for (const std::string_view header : headers) {
        const fs::path script = fs::path(folder_of_source(header, start)) / "module" / worker_script_name;
        if (is_file(script)) return {script.string(), {}};
        if (places.find(script.string()) == places.npos) places += (places.empty() ? "" : ", nor ") + script.string();
    }
    return {
        {},
        fmt::format(
            "perfspec's module for Python is not where the headers were when this program was compiled: there is no {}; set "
            "PERFSPEC_PYTHON_MODULE to its folder, such as /usr/local/include/perfspec/python/module",
            places)};
}

}  // namespace perfspec::detail
