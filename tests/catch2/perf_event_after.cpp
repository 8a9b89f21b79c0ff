// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The other order: the kernel's names of performance events after perfspec's macros.
#include <perfspec/catch2.hpp>

#include <linux/perf_event.h>

#include "bodies.hpp"

using perfspec::testing::fast;
using perfspec::testing::slow;

TEST_CASE("short names") {
    PERF_REQUIRE(speedup(slow, fast) > 2);
    PERF_WARN(speedup(slow, fast) > 2);
    PERF_MEASURE(speedup(slow, fast));
    CHECK(PERF_TYPE_HARDWARE == 0);
}

namespace {

// Names of the user's own beside those that the macros open.
int budget() { return 3; }
struct baseline {
    int latency = 4;
};

}  // namespace

TEST_CASE("names of a user's own") {
    const int margin = budget() + baseline{}.latency;
    const auto speedup_of = [&](int units) { return perfspec::testing::work(units + margin - 7); };
    PERF_CHECK(perfspec::speedup([&] { return speedup_of(10); }, [&] { return speedup_of(1); }) > 2);
    const auto seed = [] { return perfspec::testing::work(1); };
    PERF_CHECK(latency(seed) < 10s);
}
