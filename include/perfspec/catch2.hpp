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
#include <perfspec/catch2/link_check.hpp>
#include <perfspec/catch2/session.hpp>
#include <perfspec/perfspec.hpp>

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/catch2/implementation.hpp>
#endif
