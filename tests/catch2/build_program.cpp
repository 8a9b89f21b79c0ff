// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// One test program in two builds, the head and the baseline, with several changes of code between them. Most test
// cases fail on purpose.
#include "bodies.hpp"

#include <perfspec/catch2.hpp>

namespace {

using perfspec::testing::work;

constexpr bool is_head = PERFSPEC_TEST_HEAD == 1;

/// A difference that no disturbance of a process hides.
int slower_in_head() { return work(is_head ? 20 : 2); }

}  // namespace

TEST_CASE("slower") {
    const auto a = perfspec::subject("a", slower_in_head);
    PERF_CHECK(latency(a) < 1.05 * baseline());
}

TEST_CASE("new claim") {
    const auto a = perfspec::subject("a", [] { return work(1); });
    const auto b = perfspec::subject("b", [] { return work(1); });
    PERF_CHECK(latency(a) < 3.0 * baseline());
    if (is_head) PERF_CHECK(cpu_time(b) < 2.0 * baseline());
}

#if PERFSPEC_TEST_HEAD == 1
TEST_CASE("new test") {
    const auto a = perfspec::subject("a", [] { return work(1); });
    PERF_CHECK(latency(a) < 3.0 * baseline());
}
#endif

TEST_CASE("in a section") {
    SECTION("outer") {
        SECTION("inner") {
            const auto a = perfspec::subject("a", [] { return work(1); });
            PERF_CHECK(latency(a) < 3.0 * baseline());
        }
    }
}
