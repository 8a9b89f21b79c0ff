// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims that are false by factors, and limits that leave no room for the evidence of it: a claim that cannot fail is
// none.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

const auto fast = perfspec::subject("fast", [] { return work(1); });
const auto slow = perfspec::subject("slow", [] { return work(10); });
const auto sleepy = perfspec::subject("sleepy", [] { std::this_thread::sleep_for(std::chrono::milliseconds(90)); });

}  // namespace

TEST_CASE("first call under a cap") { PERF_CHECK(first_call(sleepy) < 1ms, cap(1s)); }
TEST_CASE("first call") { PERF_CHECK(first_call(sleepy) < 1ms); }
TEST_CASE("first call under a budget") { PERF_CHECK(first_call(sleepy) < 1ms, budget(300ms)); }

TEST_CASE("load time under a cap") {
    auto model = perfspec::subject("model", [] { return work(1); }).load([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(90));
    });
    PERF_CHECK(load_time(model) < 1ms, cap(1s));
}

TEST_CASE("cold start under a cap") { PERF_CHECK(cold_start(slow) < 1us, cap(1s)); }
TEST_CASE("speedup over launches under a cap") {
    const auto a = perfspec::subject("a", [] { return work(100); });
    const auto b = perfspec::subject("b", [] { return work(300); });
    PERF_CHECK(speedup(a, b) > 0.95, launches(7), cap(1s));
}
TEST_CASE("peak memory under a cap") {
    PERF_CHECK(peak_memory([] {
                   std::this_thread::sleep_for(std::chrono::milliseconds(90));
                   return std::vector<char>(20'000'000, 'x');
               }) < 1_MB,
               cap(1s));
}

TEST_CASE("ten rounds") { PERF_CHECK(speedup(fast, slow) > 0.95, rounds(10), confirm(off)); }
TEST_CASE("five rounds") { PERF_CHECK(speedup(fast, slow) > 0.95, rounds(5)); }
TEST_CASE("ten rounds at a lower rate") { PERF_CHECK(speedup(fast, slow) > 0.95, rounds(10), false_failure(1e-6)); }
TEST_CASE("ten rounds of a tolerance") {
    PERF_CHECK(speedup(fast, slow) == within(1.0, 5_pct), rounds(10), confirm(off));
}
TEST_CASE("eleven blocks") { PERF_CHECK(latency(slow) < 1us, rounds(11), confirm(off)); }

TEST_CASE("a budget of few blocks") {
    PERF_CHECK(latency([] { return work(200); }) < 10us, budget(250ms), confirm(off));
}
TEST_CASE("a budget of few pairs") {
    const auto a = perfspec::subject("a", [] { return work(1000); });
    const auto b = perfspec::subject("b", [] { return work(3000); });
    PERF_CHECK(speedup(a, b) > 0.95, budget(300ms), confirm(off));
}

TEST_CASE("first call at a low rate") { PERF_CHECK(first_call(sleepy) < 1ms, false_failure(1e-6)); }
TEST_CASE("stability at a low rate") {
    // half of the processes take twice as long, so that no spread of 1 % describes them
    PERF_CHECK(stability([] {
                   static const int units =
                       std::chrono::steady_clock::now().time_since_epoch().count() / 64 % 2 == 0 ? 20 : 40;
                   return work(units);
               }) < 1_pct,
               launches(10), false_failure(1e-4));
}
TEST_CASE("latency") { PERF_CHECK(latency(slow) < 1us); }
TEST_CASE("speedup") { PERF_CHECK(speedup(fast, slow) > 0.95); }
TEST_CASE("growth in few blocks") {
    PERF_CHECK(growth(setup([](std::size_t n) { return static_cast<int>(n); }),
                      [](int& n) { return work(n / 10 * n / 10); }, {10, 40, 80}) <= order::power(1),
               rounds(10), confirm(off));
}
TEST_CASE("metric in ten rounds") {
    PERF_CHECK(metric("errors", less_is_better, [] { return 50.0 + work(1); }) < 2, rounds(10), confirm(off));
}

TEST_CASE("true in seven launches") { PERF_CHECK(speedup(slow, fast) > 2, launches(7)); }
TEST_CASE("true in twenty rounds") { PERF_CHECK(speedup(slow, fast) > 2, rounds(20)); }
TEST_CASE("true of first calls") { PERF_CHECK(first_call(slow) < 1s); }
