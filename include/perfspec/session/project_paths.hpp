// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec::inline v0_2 {
namespace detail {

/// The commit of the sources, if the build of the file that includes this defines it: -DPERFSPEC_COMMIT='"3f2c1ab"'
[[maybe_unused]] static constexpr const char commit_of_this_file[] =
#if defined(PERFSPEC_COMMIT)
    PERFSPEC_COMMIT;
#else
    "";
#endif

}  // namespace detail

/// Registers the paths of a test program. `perfspec_discover_tests` generates one object of this type for each target.
///
/// suite      name of the baseline file; if empty, the program's file name.
/// baselines  the committed folder, written by the update flag and read by every run.
/// build      the build folder. A first run at a desk records baselines below it if there are no committed ones.
/// prefix     the text before the name of each test case in ctest.
struct register_project_paths {
    register_project_paths(const char* suite, const char* baselines, const char* build,
                           const char* prefix = "") noexcept;
};

/// Registers how a test program was compiled (`compile_options`), for the fingerprint of its baselines. It is also
/// generated.
struct register_compile_options {
    register_compile_options(const char* flags, const char* options, const char* definitions, bool link_time,
                             const char* commit = detail::commit_of_this_file) noexcept;
};

}  // namespace perfspec::inline v0_2
