// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Test cases that the tests of this folder start one by one. Most fail on purpose, so ctest does not discover them.
#include "bodies.hpp"

#include <perfspec/catch2.hpp>

#include <catch2/generators/catch_generators.hpp>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <vector>

namespace {

const perfspec::subject fast("fast", perfspec::testing::fast);
const perfspec::subject slow("slow", perfspec::testing::slow);
using perfspec::testing::work;

perfspec::subject no_model() { throw std::runtime_error("no such model"); }

/// Claims of a helper belong to the test case that calls it.
void check_from_a_helper() { PERF_CHECK(speedup(fast, slow) > 2); }

}  // namespace

TEST_CASE("holds", "[verdict]") {
    PERF_REQUIRE(speedup(slow, fast) > 2);
    PERF_CHECK(latency(fast) < 0.5 * latency(slow));
    PERF_CHECK(latency(fast) < 10s);
}

TEST_CASE("violated check", "[verdict]") {
    PERF_CHECK(speedup(fast, slow) > 2, margin(1_pct));
    CHECK(1 + 1 == 2);
    WARN("went on");
}

TEST_CASE("violated require", "[verdict]") {
    PERF_REQUIRE(speedup(fast, slow) > 2);
    WARN("went on");
}

TEST_CASE("violated warn", "[verdict]") { PERF_WARN(speedup(fast, slow) > 2); }

TEST_CASE("undecided", "[verdict]") {  // true, and ten rounds cannot show it at that rate
    PERF_CHECK(speedup(slow, fast) > 2, rounds(10), false_pass(1e-300));
}

TEST_CASE("undecided passes", "[verdict]") {
    PERF_CHECK(speedup(slow, fast) > 2, rounds(10), false_pass(1e-300), undecided::pass);
}

TEST_CASE("undecided fails", "[verdict]") {
    PERF_CHECK(speedup(slow, fast) > 2, rounds(10), false_pass(1e-300), undecided::fail);
}

TEST_CASE("looks violated", "[verdict]") {
    // One of any ten pairs is inside the bound: too little evidence, and no values that all agree.
    const auto steps = perfspec::subject("steps", [n = 0]() mutable { return ++n % 10 == 0 ? 0.99 : 2.0; });
    const auto one = perfspec::subject("one", [] { return 1.0; });
    PERF_CHECK(metric("steps", less_is_better, steps) < metric("steps", less_is_better, one), rounds(14),
               false_failure(1e-6));
    PERF_CHECK(speedup(slow, fast) > 2);
}

TEST_CASE("error", "[verdict]") {
    PERF_CHECK(speedup(slow, fast) > -1);
    WARN("went on");
}

TEST_CASE("error require", "[verdict]") {
    PERF_REQUIRE(speedup(slow, fast) > -1);
    WARN("went on");
}

TEST_CASE("error warn", "[verdict]") { PERF_WARN(speedup(slow, fast) > -1); }

TEST_CASE("recorded", "[verdict]") { PERF_MEASURE(speedup(slow, fast)); }

TEST_CASE("stored", "[verdict]") {
    PERF_CHECK(latency(perfspec::subject("fast", perfspec::testing::fast)) < 1.5 * baseline());
}

TEST_CASE("four failures", "[codes]") {
    for (int i = 0; i < 4; ++i) CHECK(i < 0);
}

TEST_CASE("may fail", "[codes][!mayfail]") { PERF_CHECK(speedup(fast, slow) > 2); }
TEST_CASE("should fail", "[codes][!shouldfail]") { PERF_CHECK(speedup(fast, slow) > 2); }
TEST_CASE("should fail and does not", "[codes][!shouldfail]") { PERF_CHECK(speedup(slow, fast) > 2); }
TEST_CASE("no performance", "[codes]") { CHECK(true); }
TEST_CASE("skipped", "[codes]") { SKIP("not today"); }

TEST_CASE("body throws", "[body]") {
    PERF_CHECK(latency([] { throw std::runtime_error("index 7"); }) < 3ms);
    CHECK(false);
}
TEST_CASE("body requires", "[body]") {
    PERF_CHECK(latency([] { REQUIRE(1 == 2); }) < 3ms);
    WARN("went on");
}
TEST_CASE("body skips", "[body]") {
    PERF_CHECK(latency([] { SKIP("no data"); }) < 3ms);
    WARN("went on");
}
TEST_CASE("body allocates", "[body]") {
    PERF_CHECK(latency([] { return std::vector<int>(1000, 1); }) < 100ms);
}
TEST_CASE("body crashes", "[body]") {
    PERF_CHECK(latency([] { std::raise(SIGSEGV); }) < 3ms);
}
TEST_CASE("building throws", "[body]") {
    PERF_CHECK(latency(no_model()) < 3ms);
    WARN("went on");
}

TEST_CASE("generator", "[address]") {  // one value of three is violated: a child at another one would not agree
    const int n = GENERATE(1, 2, 3);
    SECTION("first") { PERF_CHECK(speedup(slow, fast) > 2); }
    SECTION("second") {
        SECTION("  inner, with blanks  ") {
            const auto measured = perfspec::subject("measured", [n] { return work(n == 2 ? 10 : 1); });
            PERF_CHECK(latency(measured) < 2 * latency(fast));
        }
    }
}

TEST_CASE("generator left early", "[address]") {
    const int n = GENERATE(1, 2);
    const auto measured = perfspec::subject("measured", [n] { return work(n == 1 ? 10 : 1); });
    PERF_REQUIRE(latency(measured) < 2 * latency(fast));  // ends the test case for 1
    const auto other = perfspec::subject("other", [n] { return work(n == 2 ? 10 : 1); });
    PERF_CHECK(speedup(other, fast) < 2);  // violated for 2, and would hold for 1
}

TEST_CASE("sections of odd names", "[address]") {
    SECTION("-c") { PERF_CHECK(speedup(fast, slow) > 2); }
    SECTION("a, \"b\" [c]") { PERF_CHECK(speedup(fast, slow) > 2); }
    SECTION("line\nend") { PERF_CHECK(speedup(fast, slow) > 2); }
    SECTION("=") { PERF_CHECK(speedup(fast, slow) > 2); }
}

TEST_CASE("repeated", "[address]") {  // the same query three times; the first bound holds with any compiler
    for (const double bound : {0.03, 0.2, 0.3}) PERF_CHECK(speedup(fast, slow) > bound * bound * 10);
}

TEST_CASE("nested", "[address]") {
    check_from_a_helper();
    [&] { PERF_CHECK(speedup(fast, slow) > 3); }();
    if (perfspec::testing::fast() != 0) PERF_CHECK(speedup(fast, slow) > 4);
    else FAIL("not reached");
}

TEST_CASE("cannot be repeated", "[address]") {
    if (perfspec::in_child()) return;
    PERF_CHECK(speedup(fast, slow) > 2);
}

TEST_CASE("fails first in a child", "[address]") {
    CHECK_FALSE(perfspec::in_child());
    PERF_CHECK(speedup(fast, slow) > 2);
}

TEST_CASE("sweep", "[axes]") {
    for (const int batch : {1, 8, 16}) {
        const auto f = perfspec::subject("fast", perfspec::testing::fast).axis("batch", batch);
        const auto s = perfspec::subject("slow", perfspec::testing::slow).axis("batch", batch);
        PERF_CHECK(speedup(s, f) > 2);
    }
}

TEST_CASE("within a tolerance", "[verdict]") {
    PERF_CHECK(speedup(fast, [] { return perfspec::testing::fast(); }) == within(1.0, 30_pct));
}
TEST_CASE("slower than a tolerance", "[verdict]") {
    PERF_CHECK(within(latency(fast), 30_pct) == latency(slow), margin(1_pct));
}
TEST_CASE("faster than a tolerance", "[verdict]") { PERF_CHECK(speedup(slow, fast) == within(1, 0.3)); }
