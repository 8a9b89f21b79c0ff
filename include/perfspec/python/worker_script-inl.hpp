// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/python/worker_script.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace perfspec::inline v0_2::detail {

std::optional<std::string> program_called(std::string_view name, const std::string& folder,
                                          const environment& variables) {
    if (name.find('/') != name.npos) return (std::filesystem::path(folder) / name).lexically_normal().string();
    std::string path = program_path(variables, std::string(name));
    return path.empty() ? std::nullopt : std::optional(std::move(path));
}

std::string python_to_use(std::string_view named, std::string_view configured, const environment& variables) {
    if (!named.empty()) return std::string(named);
    if (const auto set = variables.get("PERFSPEC_PYTHON"); set && !set->empty()) return *set;
    return configured.empty() ? "python3" : std::string(configured);
}

std::string reason_of_missing_python(std::string_view named, std::string_view configured, const std::string& folder,
                                     const environment& variables) {
    const std::string python = python_to_use(named, configured, variables);
    if (python.find('/') == python.npos || is_program(*program_called(python, folder, variables))) return {};
    const bool is_set = !variables.get("PERFSPEC_PYTHON").value_or("").empty();
    const std::string who = !named.empty() ? "the settings' .interpreter is"
                            : is_set       ? "PERFSPEC_PYTHON is"
                                           : "the build found";
    return who + " \"" + python + "\", but there is no such program: " +
           (named.empty() && !is_set ? "configure again, or set PERFSPEC_PYTHON to a Python"
                                     : "name a Python of version 3.9 or newer, such as /usr/bin/python3");
}

std::string folder_of_source(std::string_view source, const program_start& start) {
    namespace fs = std::filesystem;
    const fs::path file(source);
    const auto folder_below = [&](const fs::path& base) {
        return (base / file).lexically_normal().parent_path().string();
    };
    if (file.is_absolute()) return folder_below({});
    std::error_code ignored;
    for (fs::path base = fs::path(start.executable).parent_path(); !base.empty(); base = base.parent_path()) {
        if (fs::exists(base / file, ignored)) return folder_below(base);
        if (base == base.parent_path()) break;
    }
    return folder_below(start.working_directory);
}

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
        return {{},
                fmt::format(
                    "PERFSPEC_PYTHON_MODULE={}: there is no {}. Name the folder perfspec/python/module of perfspec's "
                    "headers",
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
            "perfspec's Python module is no longer beside the headers with which this program was compiled: there is "
            "no {}. Set PERFSPEC_PYTHON_MODULE to its folder, such as /usr/local/include/perfspec/python/module",
            places)};
}

}  // namespace perfspec::inline v0_2::detail
