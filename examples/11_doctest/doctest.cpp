// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The four assertions in doctest test cases; doctest_host.cpp connects the two libraries.

#include <perfspec/perfspec.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

const std::vector<int> data(20'000, 3);

// Not inlined: two copies of so short a loop may differ by a factor of two, by where they lie.
[[gnu::noinline]] long sum() { return std::accumulate(data.begin(), data.end(), 0L); }
long sum_twice() {
    perfspec::do_not_optimize(sum());  // or a compiler computes one sum and doubles it
    return sum();
}

}  // namespace

TEST_CASE("a sum adds all, once") {
    CHECK(sum() == 60'000);

    auto once = perfspec::subject("once", [] { return sum(); });
    auto now = perfspec::subject("now", [] { return std::getenv("EXAMPLE_SLOWER") != nullptr ? sum_twice() : sum(); });

    SUBCASE("against another implementation, now") { PERF_REQUIRE(speedup(once, now) > 0.8); }
    SUBCASE("against a time") {
        PERF_CHECK(latency(now) < 1ms);
        PERF_MEASURE(latency(now));
    }
}
