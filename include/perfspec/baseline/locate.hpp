// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perfspec {

/// Turns any name into the name of one file or folder: `../x` becomes `%2E.%2Fx`, never a path.
///
/// Letters, digits and `_ + = , @` stay; so do `-` and `.`, except at the beginning. Every other byte becomes %XX, so
/// different names give different results. The empty name is `%empty`. A result of more than 120 bytes is cut to its
/// first 100, and gets the FNV-1a hash of the whole name. The dot of a final `.json` or `.golden` is escaped too,
/// because files with such names stand beside the folder.
[[nodiscard]] std::string path_component(std::string_view name);

class file_system;

/// The paths that decide where baselines are. Empty means unknown.
struct baseline_paths {
    std::string baseline_dir{};       ///< the value of the option
    std::string project_baselines{};  ///< compiled in by perfspec_discover_tests: <project>/baselines
    std::string build_folder{};       ///< compiled in by perfspec_discover_tests
    std::string working_directory{};  ///< absolute, as it was at program start
    std::string executable{};         ///< absolute path of this test binary
};

/// How a folder was found; messages name it.
enum class folder_origin : std::uint8_t {
    option,
    compiled_in,
    above_working_directory,
    build_folder,
    beside_executable
};

[[nodiscard]] const char* describe(folder_origin origin) noexcept;

struct located_folder {
    std::string path{};
    folder_origin origin;

    friend bool operator==(const located_folder&, const located_folder&) = default;
};

/// The folder of committed baselines: the option, else the compiled-in folder, else the nearest `baselines` in the
/// working directory or above it, else none. The compiled-in folder counts while its project folder exists. Then a
/// first recording creates it, and a binary that moved to another machine searches above its working directory instead.
[[nodiscard]] std::optional<located_folder> find_committed_folder(const baseline_paths& paths,
                                                                  const file_system& files);

/// find_committed_folder, for callers that need a folder. Throws input_error with the places searched and how to name a
/// folder.
[[nodiscard]] located_folder committed_folder(const baseline_paths& paths, const file_system& files);

/// The folder of recordings for this machine only: `perfspec-baselines` in the build folder while that exists, else
/// beside the executable. Throws input_error where neither is known.
[[nodiscard]] located_folder local_folder(const baseline_paths& paths, const file_system& files);

}  // namespace perfspec
