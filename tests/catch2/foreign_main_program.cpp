// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A program with Catch2's own main. This file holds the bodies, those of the modules too; it has the kernel's names of performance events before
// perfspec's macros, and its own PERF_CHECK. The bodies are before <perfspec/allocations.hpp>.
#include <linux/perf_event.h>

#define PERFSPEC_PREFIX_ALL
#define PERFSPEC_IMPLEMENTATION
#include <perfspec/callgrind.hpp>
#include <perfspec/catch2.hpp>
#include <perfspec/explain.hpp>
#include <perfspec/python.hpp>

#include <perfspec/allocations.hpp>

#include <vector>

#define PERF_CHECK 7

#include "bodies.hpp"

using perfspec::testing::fast;
using perfspec::testing::slow;

#if defined(PERF_REQUIRE) || defined(PERF_WARN) || defined(PERF_MEASURE)
#    error "PERFSPEC_PREFIX_ALL leaves PERF_* to others"
#endif

TEST_CASE("long names") {
    PERFSPEC_REQUIRE(speedup(slow, fast) > 2);
    PERFSPEC_CHECK(speedup(slow, fast) > 3, margin(1_pct));
    PERFSPEC_WARN(speedup(slow, fast) > 4);
    PERFSPEC_MEASURE(speedup(slow, fast));
    CHECK(PERF_CHECK == 7);
    CHECK(PERF_TYPE_HARDWARE == 0);
}

TEST_CASE("violated") { PERFSPEC_CHECK(speedup(fast, slow) > 2); }

TEST_CASE("allocates") {
    PERFSPEC_CHECK(allocations([] { return std::vector<int>(100); }) == 1);
}

TEST_CASE("stored") { PERFSPEC_CHECK(latency(perfspec::subject("fast", fast)) < 1.5 * baseline()); }
