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

namespace perfspec {
inline namespace language {

/// What one call of the body does in all threads of the process, from the second call on, in fresh processes. It
/// repeats from process to process, also on other machines of one architecture, so processes that agree are compared
/// exactly. *Not judged*, with the command that installs it, where there is no Valgrind. The body must not start
/// processes.
query<dimension::count, statistic::exact> simulated_instructions(const subject& x);

}  // namespace language
}  // namespace perfspec

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/callgrind/callgrind.cpp>
#endif
