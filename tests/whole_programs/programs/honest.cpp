// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on honest bodies of several kinds, true by factors. WHOLE_SLOWER makes those of the last test case false.
#include "work.hpp"

#include <perfspec/allocations.hpp>
#include <perfspec/catch2.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

TEST_CASE("times") {
    std::map<int, int> known;
    for (int i = 0; i < 1000; ++i) known[i * 7] = i;
    const std::vector<int> data(10'000, 3);
    PERF_CHECK(latency([] { return work(1); }) < 10ms);
    PERF_CHECK(latency([&] { return std::accumulate(data.begin(), data.end(), 0); }) < 10ms);
    PERF_CHECK(latency([&] { return known.find(perfspec::black_box(4'200))->second; }) < 10ms);
    PERF_CHECK(cpu_time([] { return work(1); }) < 10ms);
    PERF_CHECK(latency([] { return std::string(1'000, 'x'); }) < 10ms);
}

TEST_CASE("threads in turn") {
    const auto pass_the_ball = [] {
        constexpr int passes = 20;
        std::atomic<int> ball{0};
        const auto player = [&](int own) {
            for (int now = ball; now < passes; now = ball)
                if (now % 2 == own) ball.compare_exchange_strong(now, now + 1);
        };
        std::thread other(player, 1);
        player(0);
        other.join();
    };
    PERF_CHECK(latency(pass_the_ball) < 5ms);
}

TEST_CASE("fresh inputs") {
    const auto reversed = [] {
        std::vector<int> v(1'000);
        std::iota(v.rbegin(), v.rend(), 0);
        return v;
    };
    const auto sort = perfspec::subject("sort", perfspec::setup(reversed), [](auto& v) { std::ranges::sort(v); });
    const auto twice = perfspec::subject("ten times", perfspec::setup(reversed), [&](auto& v) {
        for (int i = 0; i < 10; ++i) {
            std::ranges::sort(v);
            std::ranges::reverse(v);
        }
    });
    PERF_CHECK(latency(sort) < 10ms);
    PERF_CHECK(speedup(twice, sort) > 1.5);
}

TEST_CASE("percentiles") {
    const auto a = perfspec::subject("a", [] { return work(2); });
    const auto b = perfspec::subject("b", [] { return work(40); });  // above what the clock of the process tells
    PERF_CHECK(percentile(cpu_time(b), 95) < 100ms);
    PERF_CHECK(percentile(cpu_time(b), 95) < 110ms);
    PERF_CHECK(percentile(latency(a), 90) < 50ms);
    PERF_CHECK(percentile(latency(a), 90) < 2 * percentile(latency(b), 90));
}

TEST_CASE("counts") {
    const auto none = perfspec::subject("none", [] { return work(1); });
    const auto three = perfspec::subject("three", [] {
        std::vector<std::vector<int>> v(2, std::vector<int>());
        v.front().resize(10);
        v.back().resize(10);
        return v;
    });
    PERF_CHECK(allocations(none) == 0);
    PERF_CHECK(allocations(none) <= 0);
    PERF_CHECK(allocations(three) == 3);
    PERF_CHECK(allocations(three) == within(3, 1));
    PERF_CHECK(allocated_bytes(three) < 1_KiB);
}

TEST_CASE("generator without a baseline") {
    const int n = GENERATE(1, 2, 4);
    const auto x = perfspec::subject("x", [n] { return work(n); });
    PERF_CHECK(latency(x) < 100ms);
}

TEST_CASE("one subject in several sections") {
    int units = 1;
    const auto x = perfspec::subject("x", [&] { return work(units); });
    SECTION("short") { PERF_CHECK(latency(x) < 100ms); }
    SECTION("long") {
        units = 10;
        PERF_CHECK(latency(x) < 100ms);
    }
}

TEMPLATE_TEST_CASE("containers", "", std::vector<int>, std::deque<int>) {
    const TestType data(1'000, 1);
    PERF_CHECK(latency([&] { return std::accumulate(data.begin(), data.end(), 0); }) < 10ms);
}

TEST_CASE("loop with an axis") {
    for (const int n : {1, 8}) {
        const auto a = perfspec::subject("a", [n] { return work(10 * n); }).axis("n", n).items(1000);
        const auto b = perfspec::subject("b", [n] { return work(n); }).axis("n", n);
        PERF_CHECK(speedup(a, b) > 2);
        PERF_CHECK(throughput(a) > items_per_second(1000));
    }
}

TEST_CASE("tolerance") {
    const auto a = perfspec::subject("a", [] { return work(4); });
    const auto b = perfspec::subject("b", [] { return work(4); });
    PERF_CHECK(speedup(a, b) == within(1.0, 40_pct));
}

TEST_CASE("complexity") {
    PERF_CHECK(complexity(setup([](std::size_t n) { return static_cast<int>(n); }), [](int& n) { return work(n); },
                          {2, 8, 32}) <= order::power(1.5));
}

TEST_CASE("records") {
    const auto a = perfspec::subject("a", [] { return work(4); });
    const auto b = perfspec::subject("b", [] { return work(8); });
    const auto c = perfspec::subject("c", [] { return work(40); });
    PERF_MEASURE(speedups(a, b, c));
    PERF_CHECK(speedup(c, a) > 2);
}

TEST_CASE("fresh processes") {
    const auto a = perfspec::subject("a", [] { return work(100); });
    PERF_CHECK(first_call(a) < 10s);
    PERF_CHECK(cold_start(a) < 10s);
}

TEST_CASE("against a version") {
    const auto before = perfspec::subject("before", [] { return work(2); });
    const auto after = perfspec::subject("after", [] { return work(std::getenv("WHOLE_SLOWER") == nullptr ? 2 : 20); });
    PERF_CHECK(speedup(before, after) > 0.4);
}
