// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/link_check.hpp>

extern "C" {
// `extern` gives the constant external linkage. Without it, a second definition would not be a linker error.
extern const int
    perfspec_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_in_one_source_file = 1;
extern const int
    perfspec_is_linked_twice_so_define_PERFSPEC_IMPLEMENTATION_in_one_source_file_or_link_perfspec_catch2_main;
const int perfspec_is_linked_twice_so_define_PERFSPEC_IMPLEMENTATION_in_one_source_file_or_link_perfspec_catch2_main =
    1;
#if defined(_GLIBCXX_DEBUG)
extern const int
    perfspec_was_compiled_without_GLIBCXX_DEBUG_so_configure_with_PERFSPEC_FROM_SOURCE_ON_and_that_flag_in_CMAKE_CXX_FLAGS =
        1;
#endif
}
