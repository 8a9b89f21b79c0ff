// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

/// The version of this library for `#if`: 10000 for a major version, 100 for a minor one, 1 for a patch. 0.1.0 is 100.
#define PERFSPEC_VERSION 100

namespace perfspec {

/// The version of this library. CMakeLists.txt reads it from here.
inline constexpr std::string_view library_version = "0.1.0";

}  // namespace perfspec
