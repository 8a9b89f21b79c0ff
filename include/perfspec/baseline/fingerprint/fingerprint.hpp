// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// How a program was compiled, in CMake's terms.
struct compile_options {
    std::string_view flags{};        ///< as on a command line: CMAKE_CXX_FLAGS and those of the build type
    std::string_view options{};      ///< a list with ";" between: COMPILE_OPTIONS of the target
    std::string_view definitions{};  ///< a list with ";" between: COMPILE_DEFINITIONS of the target
    bool link_time{};                ///< INTERPROCEDURAL_OPTIMIZATION
};

/// The given options that may change the speed of the program, in a form that two builds share: "-O3 -march=native
/// -flto -DNDEBUG".
///
/// Keeps -O, -m and -f options; where several exclude each other by name, the last one. Definitions follow, sorted by
/// name. Leaves out options that name a folder (a definition becomes -DNAME=…) or only change messages, and
/// PERFSPEC_COMMIT.
[[nodiscard]] std::string significant_flags(const compile_options& given);

}  // namespace perfspec::detail

namespace perfspec {

class file_system;

struct versioned_library {
    std::string name{};
    std::string version{};
    friend bool operator==(const versioned_library&, const versioned_library&) = default;
};

/// Facts that may change the speed of the same hardware. They are stored with the launches and compared with them. A
/// difference is reported with the verdict, and forbids nothing. A field is empty where the system does not report it.
struct fingerprint {
    std::string memory{};      ///< "8 GiB", rounded: the kernels of one machine reserve different amounts
    std::string os{};          ///< "Debian GNU/Linux 12 (bookworm)"
    std::string kernel{};      ///< "6.1.0-18-amd64"
    std::string compiler{};    ///< "g++ 12.2.0"
    std::string flags{};       ///< "-O2 -DNDEBUG"
    std::string governor{};    ///< "performance"
    std::string container{};   ///< "docker", "podman", "kubernetes"
    std::string processors{};  ///< those that this process may use: "0-3", or "0-3, quota 1.5"
    std::vector<versioned_library> libraries{};  ///< sorted by name

    friend bool operator==(const fingerprint&, const fingerprint&) = default;
};

namespace detail {

struct fingerprint_field {
    const char* name;
    std::string fingerprint::*member;
};

/// The fields with a single text each, by their names in files and messages.
inline constexpr fingerprint_field fingerprint_fields[] = {
    {"memory", &fingerprint::memory},       {"os", &fingerprint::os},
    {"kernel", &fingerprint::kernel},       {"compiler", &fingerprint::compiler},
    {"flags", &fingerprint::flags},         {"governor", &fingerprint::governor},
    {"container", &fingerprint::container}, {"processors", &fingerprint::processors},
};

}  // namespace detail

/// Facts that the program knows and no file shows. The compiler is known to each file that asserts.
struct build_facts {
    std::string flags{};
    std::vector<versioned_library> libraries{};  ///< in any order
};

/// The fingerprint of this machine and build, from /proc, /sys and /etc.
[[nodiscard]] fingerprint read_fingerprint(const file_system& files, const build_facts& build);

/// One text per difference, in the order of the fields: "kernel: was 6.1.0, is 6.8.0". None where both agree.
/// Of the flags, only those that differ are listed. Flags or libraries that one side lacks, as recordings of an older
/// perfspec do, are no difference.
[[nodiscard]] std::vector<std::string> describe_difference(const fingerprint& then, const fingerprint& now);

}  // namespace perfspec
