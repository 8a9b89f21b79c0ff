// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

namespace perfspec {

/// The version of this library; CMakeLists.txt reads it from here.
inline constexpr std::string_view library_version = "0.1.0";

}  // namespace perfspec
