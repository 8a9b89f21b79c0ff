// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A name of a test case that Catch2 reads as a filter: as a command line it runs all other test cases.
#include "work.hpp"

#include <perfspec/catch2.hpp>

TEST_CASE("~latency of a") {
    PERF_CHECK(latency([] { return work(10); }) < 1us);
}
TEST_CASE("another") { CHECK(work(1) == 1); }
