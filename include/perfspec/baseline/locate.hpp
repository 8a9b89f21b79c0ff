// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace perfspec {

class file_system;

/// The paths that decide where baselines live. An empty one is not known.
struct baseline_paths {
    std::string baseline_dir{};       ///< the option
    std::string project_baselines{};  ///< compiled in by perfspec_discover_tests: <project>/baselines
    std::string build_folder{};       ///< compiled in by perfspec_discover_tests
    std::string working_directory{};  ///< absolute, as it was at program start
    std::string executable{};         ///< absolute path of this test binary
};

/// How a folder was found; messages name it.
enum class folder_origin : std::uint8_t { option, compiled_in, above_working_directory, build_folder, beside_executable };

[[nodiscard]] const char* describe(folder_origin origin) noexcept;

struct located_folder {
    std::string path{};
    folder_origin origin;

    friend bool operator==(const located_folder&, const located_folder&) = default;
};

/// The folder of committed baselines: the option, else the one compiled in, else the nearest `baselines` from the working directory
/// upwards, else none. The compiled-in one counts while its project folder exists, so that a first recording creates it
/// and a binary that was moved to another machine looks around itself instead.
[[nodiscard]] std::optional<located_folder> find_committed_folder(const baseline_paths& paths, const file_system& files);

/// The same where one is needed. Throws input_error that says where was looked and how to name one.
[[nodiscard]] located_folder committed_folder(const baseline_paths& paths, const file_system& files);

/// The folder of recordings that are this machine's own: `perfspec-baselines` in the build folder while that exists, else beside
/// the executable. Throws input_error where neither is known.
[[nodiscard]] located_folder local_folder(const baseline_paths& paths, const file_system& files);

}  // namespace perfspec
