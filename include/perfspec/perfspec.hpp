// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The language and the assertions, without a test framework. The reference is `include/perfspec/README.md`.

#include <perfspec/judge/evaluate.hpp>
#include <perfspec/judge/macros.hpp>
#include <perfspec/language/bound.hpp>
#include <perfspec/language/complexity.hpp>
#include <perfspec/language/options.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/program/program.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/version.hpp>

// A program needs exactly one definition of perfspec's functions. Otherwise the linker prints these names.

extern "C" {
/// The implementation defines it. It is undefined if no file of the program has the implementation.
extern const int
    perfspec_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_in_one_source_file;
/// The implementation of this version defines it.
extern const int PERFSPEC_DETAIL_VERSION_IS_LINKED;
#if defined(_GLIBCXX_DEBUG)
/// Containers have another size in debug mode, so a library that was compiled without it does not fit.
extern const int
    perfspec_was_compiled_without_GLIBCXX_DEBUG_so_configure_with_PERFSPEC_FROM_SOURCE_ON_and_that_flag_in_CMAKE_CXX_FLAGS;
#endif
}

namespace perfspec::inline v0_2::detail {

[[gnu::used]] inline const int* const implementation_is_linked =
    &perfspec_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_in_one_source_file;
[[gnu::used]] inline const int* const this_version_is_linked = &PERFSPEC_DETAIL_VERSION_IS_LINKED;
#if defined(_GLIBCXX_DEBUG)
[[gnu::used]] inline const int* const implementation_has_debug_containers =
    &perfspec_was_compiled_without_GLIBCXX_DEBUG_so_configure_with_PERFSPEC_FROM_SOURCE_ON_and_that_flag_in_CMAKE_CXX_FLAGS;
#endif

}  // namespace perfspec::inline v0_2::detail

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/implementation.hpp>
#endif
