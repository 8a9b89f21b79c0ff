// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// A program needs perfspec's bodies exactly once. These names are what a linker prints when they are missing or there twice.

extern "C" {
/// Defined by the implementation; undefined when no file of the program supplies it.
extern const int perfspec_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_in_one_source_file;
}

namespace perfspec::detail {

[[gnu::used]] inline const int* const implementation_is_linked =
    &perfspec_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_in_one_source_file;

}  // namespace perfspec::detail
