// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Assertions in several threads, and in the body of another one.
#include "../scripted_run.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

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
    CHECK_THAT(
        r.reason,
        EndsWith("PERF_CHECK( latency(inner) < 1s ) at sort_test.cpp:8; move the assertion out of the measured body"));
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
