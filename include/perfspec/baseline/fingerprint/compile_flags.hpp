// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace perfspec {

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

}  // namespace perfspec
