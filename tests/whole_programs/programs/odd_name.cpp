// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Names of test cases. Catch2 reads the one of this program as a filter, and a line in its place runs all others.
#include "work.hpp"

#include <perfspec/catch2.hpp>

TEST_CASE("~latency of a") {
    PERF_CHECK(latency([] { return work(10); }) < 1us);
}
TEST_CASE("another") { CHECK(work(1) == 1); }
