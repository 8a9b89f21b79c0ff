// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

/// The version of this library for `#if`: 10000 for a major version, 100 for a minor one, 1 for a patch. 0.2.0 is 200.
#define PERFSPEC_VERSION 200

/// The linker prints this name if headers of this version are used with a library of another one. All names of perfspec
/// are in the inline namespace v0_2, so that two versions never share a function by mistake.
#define PERFSPEC_DETAIL_VERSION_IS_LINKED \
    perfspec_0_2_0_is_included_and_another_version_is_linked_so_compile_and_link_one_version

namespace perfspec::inline v0_2 {

/// The version of this library. CMakeLists.txt reads it from here.
inline constexpr std::string_view library_version = "0.2.0";

}  // namespace perfspec::inline v0_2
