// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/locate.hpp>

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace perfspec {

namespace detail {

// ASCII only, whatever the locale: a name must give the same path everywhere.
[[nodiscard]] constexpr bool stays_in_paths(char c, bool leads) noexcept {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
    if (c == '-' || c == '.') return !leads;
    return c == '_' || c == '+' || c == '=' || c == ',' || c == '@';
}

[[nodiscard]] inline std::string hex_digits(std::uint64_t value, int digits) {
    std::string text;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        text += "0123456789ABCDEF"[(value >> static_cast<unsigned>(shift)) & 0xFU];
    return text;
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view bytes) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

}  // namespace detail

std::string path_component(std::string_view name) {
    constexpr std::size_t maximum = 120;
    constexpr std::size_t kept = 100;
    if (name.empty()) return "%empty";
    const std::size_t ending = name.ends_with(".json")     ? 5
                               : name.ends_with(".golden") ? 7
                                                           : 0;  // length of a file ending
    std::string escaped;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool last_dot = i + ending == name.size();
        if (detail::stays_in_paths(name[i], i == 0) && !last_dot) escaped += name[i];
        else escaped += '%' + detail::hex_digits(static_cast<unsigned char>(name[i]), 2);
    }
    if (escaped.size() <= maximum) return escaped;
    escaped.resize(kept);
    const auto cut = escaped.rfind('%');
    if (cut != std::string::npos && cut + 3 > escaped.size()) escaped.resize(cut);  // drops half of a %XX
    return escaped + "%~" + detail::hex_digits(detail::fnv1a(name), 16);
}

namespace detail {

/// The folder of a path; "/" for paths directly below it, empty for a path without a folder.
[[nodiscard]] inline std::string parent_of(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    const auto slash = path.rfind('/');
    if (slash == std::string::npos || path == "/") return {};
    path.resize(slash == 0 ? 1 : slash);
    return path;
}

[[nodiscard]] inline std::string inside(const std::string& folder, const char* name) {
    return folder.ends_with('/') ? folder + name : folder + '/' + name;
}

}  // namespace detail

const char* describe(folder_origin origin) noexcept {
    switch (origin) {
    case folder_origin::option: return "named by baseline_dir";
    case folder_origin::compiled_in: return "compiled in for this project";
    case folder_origin::above_working_directory: return "nearest one above the working directory";
    case folder_origin::build_folder: return "recorded on this machine, in the build folder";
    case folder_origin::beside_executable: return "recorded on this machine, beside the test binary";
    }
    return "of unknown origin";
}

std::optional<located_folder> find_committed_folder(const baseline_paths& paths, const file_system& files) {
    if (!paths.baseline_dir.empty()) return located_folder{paths.baseline_dir, folder_origin::option};
    const auto& project = paths.project_baselines;
    if (!project.empty() && (files.is_folder(project) || files.is_folder(detail::parent_of(project))))
        return located_folder{project, folder_origin::compiled_in};
    for (auto above = paths.working_directory; !above.empty(); above = detail::parent_of(above)) {
        auto candidate = detail::inside(above, "baselines");
        if (files.is_folder(candidate))
            return located_folder{std::move(candidate), folder_origin::above_working_directory};
    }
    return {};
}

located_folder committed_folder(const baseline_paths& paths, const file_system& files) {
    if (auto found = find_committed_folder(paths, files)) return *found;
    throw input_error(fmt::format(
        "no folder for committed baselines: the build names none ({}), and there is no folder \"baselines\" in {} or above it; "
        "make one in the project's folder (mkdir baselines), or name one with PERFSPEC_BASELINE_DIR=/path/to/project/baselines",
        paths.project_baselines.empty() ? "no path" : paths.project_baselines + " is gone",
        paths.working_directory.empty() ? "the working directory" : paths.working_directory));
}

located_folder local_folder(const baseline_paths& paths, const file_system& files) {
    constexpr const char* name = "perfspec-baselines";
    if (!paths.build_folder.empty() && files.is_folder(paths.build_folder))
        return {detail::inside(paths.build_folder, name), folder_origin::build_folder};
    const auto beside = detail::parent_of(paths.executable);
    if (!beside.empty()) return {detail::inside(beside, name), folder_origin::beside_executable};
    throw input_error(
        "no folder for this machine's baselines: the build names no build folder, and the path of the test binary is unknown; "
        "name a folder with PERFSPEC_BASELINE_DIR=/path/to/project/baselines");
}

}  // namespace perfspec
