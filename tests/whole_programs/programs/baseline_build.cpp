// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// One test program in two builds. The head is three times slower than the reference.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <catch2/generators/catch_generators.hpp>

namespace {

constexpr int factor = WHOLE_HEAD == 1 ? 3 : 1;

}  // namespace

TEST_CASE("generator that has one value more") {
#if WHOLE_HEAD == 1
    const int n = GENERATE(1, 10, 100);
#else
    const int n = GENERATE(10, 100);
#endif
    const auto x = perfspec::subject("x", [n] { return work(factor * n); });
    PERF_CHECK(latency(x) < 1.25 * baseline());
}

TEST_CASE("slower") {
    const auto x = perfspec::subject("x", [] { return work(10 * factor); });
    PERF_CHECK(latency(x) < 1.25 * baseline());
}

TEST_CASE("unchanged") {  // true
    const auto x = perfspec::subject("x", [] { return work(10); });
    PERF_CHECK(latency(x) < 2 * baseline());
}

TEST_CASE("metric above by less than the margin") {
    PERF_CHECK(metric("errors", perfspec::less_is_better, [] { return WHOLE_HEAD == 1 ? 1001.0 : 1000.0; }) <=
                   baseline(),
               perfspec::key("errors"));
}

TEST_CASE("equal fractions") {  // true
    PERF_CHECK(metric("errors", perfspec::less_is_better, [] { return 0.1 + 0.2; }) <= baseline(),
               perfspec::key("errors"));
}

TEST_CASE("no errors in both builds") {  // true
    PERF_CHECK(metric("errors", perfspec::less_is_better, [] { return 0.0; }) <= baseline(), perfspec::key("errors"));
}

#if WHOLE_HEAD == 1
TEST_CASE("only in the head") {
    const auto x = perfspec::subject("x", [] { return work(10); });
    PERF_CHECK(latency(x) < 1.25 * baseline());
}
#endif
