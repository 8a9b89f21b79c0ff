// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Assertions in several threads. The scripted clock moves while a thread waits for its turn, so that no test waits for long.
#include "../scripted_run.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::EndsWith;

const written outer{.claim = "latency(outer) < 1s", .line = 7};
const written inner{.claim = "latency(inner) < 1s", .line = 8};

}  // namespace

TEST_CASE("an assertion in a thread that a measured body waits for is invalid, and so is the one that is measured", "[run][unit]") {
    scripted_run program;
    std::vector<assertion_outcome> within;
    const subject fast = program.takes("inner", 1us);
    const subject waits("outer", [&] {
        if (!within.empty()) return program.work(1ms);
        std::thread([&] { within.push_back(program.outcome(latency(fast) < 1s, {}, inner)); }).join();
    });
    const record r = program.evaluate(latency(waits) < 1s, {cap(3s)}, outer);
    CHECK(r.verdict == verdict::invalid);
    CHECK(r.failed);
    CHECK_THAT(
        r.reason,
        EndsWith("it asserts while it is measured: PERF_CHECK( latency(inner) < 1s ) at sort_test.cpp:8; move the assertion out of the "
                 "measured body"));
    REQUIRE(within.size() == 1);
    CHECK(within[0].result.verdict == verdict::invalid);
    CHECK(within[0].result.failed);
    CHECK(within[0].result.reason == "it asserts in a thread that the body of another claim waits for, so neither can continue: "
                                     "PERF_CHECK( latency(outer) < 1s ) at sort_test.cpp:7; move the assertion out of the measured body");
    CHECK(program.context().records().size() == 2);  // both count for the exit code and the summary
}

TEST_CASE("a thread waits for its turn until a body has run for longer than its claim's cap", "[run][unit]") {
    scripted_run program;
    std::chrono::nanoseconds waited{};
    const subject fast = program.takes("inner", 1us);
    const subject waits("outer", [&] {
        if (waited.count() > 0) return program.work(1ms);
        std::thread([&] {
            const std::int64_t started = program.wall.now();
            static_cast<void>(program.outcome(latency(fast) < 1s));
            waited = std::chrono::nanoseconds(program.wall.now() - started);
        }).join();
    });
    CHECK(program.evaluate(latency(waits) < 1s, {cap(30s)}).verdict == verdict::invalid);
    CHECK(waited > 30s);
    CHECK(waited < 30100ms);
}

TEST_CASE("a body that keeps to itself that it asserted is invalid all the same", "[run][unit]") {
    scripted_run program;
    const subject fast = program.takes("inner", 1us);
    const subject hides("outer", [&] {
        program.work(1ms);
        try {
            static_cast<void>(program.outcome(latency(fast) < 1s, {}, inner));
        } catch (const std::logic_error&) {}
    });
    const record r = program.evaluate(latency(hides) < 1s, {}, outer);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, EndsWith("PERF_CHECK( latency(inner) < 1s ) at sort_test.cpp:8; move the assertion out of the measured body"));
}

TEST_CASE("threads that assert beside each other are judged one after the other", "[run][unit]") {
    std::vector<verdict> found(4, verdict::invalid);
    std::vector<std::thread> threads;
    for (verdict& one : found)
        threads.emplace_back([&one] {
            scripted_run program;
            static_cast<void>(program.context().facts_of(program.wall));  // while that clock still ticks
            one = program.evaluate(latency(program.takes("sort", 1ms)) < 1s, {cap(std::chrono::hours(24))}).verdict;
        });
    for (std::thread& t : threads) t.join();
    CHECK(found == std::vector<verdict>(4, verdict::holds));
}

}  // namespace perfspec
