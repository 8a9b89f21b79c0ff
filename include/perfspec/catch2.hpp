// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Performance assertions in Catch2 v3 test cases.
//
//     #include <perfspec/catch2.hpp>
//
//     TEST_CASE("sorting", "[perf]") {
//         auto before = perfspec::subject("before", [&] { return sort_old(data); });
//         auto after = perfspec::subject("after", [&] { return sort_new(data); });
//         PERF_REQUIRE(speedup(before, after) > 0.95);
//     }
//
// Link perfspec::catch2_main, or write `#define PERFSPEC_IMPLEMENTATION` before this include in one source file. The
// program's main may be perfspec's or Catch2's (Catch2::Catch2WithMain). Your own main must end with `return
// perfspec::exit_code(session.run());`.

#include <catch2/catch_test_macros.hpp>
#include <perfspec/catch2/session.hpp>
#include <perfspec/perfspec.hpp>

// Without the Catch2 host, no assertion would be reported to Catch2, and all would pass. So every file that includes
// <perfspec/catch2.hpp> needs the object with the Catch2 host and its listener. The order of libraries and the source
// of main do not matter. The linker prints this name.

extern "C" {
/// Defined beside the Catch2 host; undefined when no file of the program supplies it.
extern const int
    perfspec_catch2_host_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_before_perfspec_catch2_hpp;
}

namespace perfspec::inline v0_2::detail {

[[gnu::used]] inline const int* const catch2_host_is_linked =
    &perfspec_catch2_host_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_before_perfspec_catch2_hpp;

}  // namespace perfspec::inline v0_2::detail

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/catch2/catch2_host.cpp>
#endif
