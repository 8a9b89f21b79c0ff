// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// A program whose assertions nobody reports to Catch2 would pass whatever they say. So what includes <perfspec/catch2.hpp> needs the object that
// holds the Catch2 host and its listener, whichever library comes first on the command line and whoever has main. The name is what a linker prints.

extern "C" {
/// Defined beside the Catch2 host; undefined when no file of the program supplies it.
extern const int
    perfspec_catch2_host_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_before_perfspec_catch2_hpp;
}

namespace perfspec::detail {

[[gnu::used]] inline const int* const catch2_host_is_linked =
    &perfspec_catch2_host_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_before_perfspec_catch2_hpp;

}  // namespace perfspec::detail
