// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Without the Catch2 host, no assertion would be reported to Catch2, and all would pass. So every file that includes
// <perfspec/catch2.hpp> needs the object with the Catch2 host and its listener. The order of libraries and the source
// of main do not matter. The linker prints this name.

extern "C" {
/// Defined beside the Catch2 host; undefined when no file of the program supplies it.
extern const int
    perfspec_catch2_host_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_before_perfspec_catch2_hpp;
}

namespace perfspec::detail {

[[gnu::used]] inline const int* const catch2_host_is_linked =
    &perfspec_catch2_host_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_before_perfspec_catch2_hpp;

}  // namespace perfspec::detail
