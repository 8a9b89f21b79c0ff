// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Instructions on a simulated processor, the same on every machine: Valgrind's callgrind counts them. Link
// perfspec::callgrind in addition to perfspec::catch2_main.
//
//     #include <perfspec/catch2.hpp>
//     #include <perfspec/callgrind.hpp>
//
//     TEST_CASE("parsing", "[perf]") { PERF_CHECK(simulated_instructions(parse) <= 1.001 * baseline()); }

#include <perfspec/language/query.hpp>

namespace perfspec::inline v0_2 {
inline namespace language {

/// The instructions of one call of the body in all threads of the process, from the second call on, in fresh processes.
/// It repeats, also on other machines of one architecture, so equal counts are compared exactly. *Skipped*
/// without Valgrind, with the command that installs it. The body must not start processes.
query<dimension::count, statistic::exact> simulated_instructions(const subject& x);

}  // namespace language
}  // namespace perfspec::inline v0_2

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/callgrind/callgrind.cpp>
#endif
