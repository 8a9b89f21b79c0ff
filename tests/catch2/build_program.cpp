// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// One test program in two builds, the head and the reference: what a change of code between them may do. Most test
// cases fail on purpose.
#include "bodies.hpp"

#include <perfspec/catch2.hpp>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include <unistd.h>

namespace {

using perfspec::testing::work;

constexpr bool is_head = PERFSPEC_TEST_HEAD == 1;

/// So far apart that no disturbance of a launch hides it.
int slower_in_head() { return work(is_head ? 20 : 2); }

}  // namespace

TEST_CASE("unchanged") {
    const auto a = perfspec::subject("a", [] { return work(4); });
    const auto b = perfspec::subject("b", [] { return work(8); }).items(100);
    PERF_CHECK(latency(a) < 3.0 * baseline());
    PERF_CHECK(throughput(b) > 0.3 * baseline());
    PERF_CHECK(speedup(b, a) > 0.3 * baseline());
}

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

TEST_CASE("fails in the reference") {
    REQUIRE(is_head);
    const auto a = perfspec::subject("a", [] { return work(1); });
    PERF_CHECK(latency(a) < 3.0 * baseline());
}

// What the reference does inside of its body, where a variable says so.
TEST_CASE("ends badly in the reference") {
    const char* told = std::getenv("PERFSPEC_TEST_END");
    const std::string_view how = is_head || told == nullptr ? "" : told;
    const auto a = perfspec::subject("a", [how] {
        if (how == "exit") std::_Exit(3);
        if (how == "crash") std::raise(SIGKILL);
        if (how == "throw") throw std::runtime_error("no model");
        if (how == "garbage" && ::write(100, "garbage\n", 8) != 8) std::_Exit(4);  // the result pipe lies there
        return work(1);
    });
    PERF_CHECK(latency(a) < 3.0 * baseline());
}

TEST_CASE("in a section") {
    SECTION("outer") {
        SECTION("inner") {
            const auto a = perfspec::subject("a", [] { return work(1); });
            PERF_CHECK(latency(a) < 3.0 * baseline());
        }
    }
}
