// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace perfspec {

/// How a program was compiled, as CMake tells it.
struct compile_options {
    std::string_view flags{};        ///< as on a command line: CMAKE_CXX_FLAGS and those of the build type
    std::string_view options{};      ///< a list with ";" between: COMPILE_OPTIONS of the target
    std::string_view definitions{};  ///< a list with ";" between: COMPILE_DEFINITIONS of the target
    bool link_time{};                ///< INTERPROCEDURAL_OPTIMIZATION
};

/// What of that may change how fast the program is, in a form that two builds share: "-O3 -march=native -flto -DNDEBUG".
///
/// Kept are -O, -m and -f (the last of those that exclude each other by their name), then definitions in the order of their names. Left out is
/// what names a folder (its definition becomes -DNAME=…), what only changes messages, and PERFSPEC_COMMIT.
[[nodiscard]] std::string significant_flags(const compile_options& given);

}  // namespace perfspec
