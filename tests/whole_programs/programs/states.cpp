// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What a body captured changes between two claims on it. Short is 5 us and long 500 us, so that 100 us lies a factor
// from both.
#include "work.hpp"

#include <perfspec/allocations.hpp>
#include <perfspec/catch2.hpp>

#include <cstddef>
#include <deque>
#include <vector>

namespace {

constexpr int small = 1;
constexpr int large = 100;

}  // namespace

TEST_CASE("latency in a loop") {
    int n = 0;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    for (const int size : {small, large}) {
        n = size;
        PERF_CHECK(latency(x) < 100us);
    }
}

TEST_CASE("latency at two places") {
    int n = small;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    PERF_CHECK(latency(x) < 100us);
    n = large;
    PERF_CHECK(latency(x) < 99us);
}

TEST_CASE("slow before and fast after") {  // true both times
    int n = large;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    PERF_CHECK(latency(x) < 100ms);
    n = small;
    PERF_CHECK(latency(x) < 100us);
}

TEST_CASE("slow before and fast after without a second process") {
    int n = large;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    PERF_CHECK(latency(x) < 100ms);
    n = small;
    PERF_CHECK(latency(x) < 100us, confirm(off));
}

TEST_CASE("speedup at two places") {
    int n = 10;
    const auto a = perfspec::subject("a", [] { return work(10); });
    const auto b = perfspec::subject("b", [&] { return work(n); });
    PERF_CHECK(speedup(a, b) > 0.8);
    n = 100;
    PERF_CHECK(speedup(a, b) > 0.5);
}

TEST_CASE("speedup over launches in a loop") {
    int n = 10;
    const auto a = perfspec::subject("a", [] { return work(10); });
    const auto b = perfspec::subject("b", [&] { return work(n); });
    for (const int size : {10, 100}) {
        n = size;
        PERF_CHECK(speedup(a, b) > 0.8, launches(7));
    }
}

TEST_CASE("allocations at two places") {
    std::size_t n = 0;
    const auto x = perfspec::subject("x", [&] { return std::vector<char>(n, 'x'); });
    PERF_CHECK(allocations(x) == 0);
    n = 1000;
    PERF_CHECK(allocations(x) <= 0);
}

TEST_CASE("metric in a loop") {
    double errors = 0;
    const auto x = perfspec::subject("x", [&] { return errors; });
    for (const double value : {1.0, 100.0}) {
        errors = value;
        PERF_CHECK(metric("errors", less_is_better, x) < 2);
    }
}

TEST_CASE("a state that the setup of another changes") {
    int n = small;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    const auto grows =
        perfspec::subject("grows", perfspec::setup([&] { return n = large; }), [](int&) { return work(small); });
    PERF_CHECK(latency(x) < 100us);
    PERF_CHECK(latency(grows) < 100us);
    PERF_CHECK(latency(x) < 99us);
}

TEST_CASE("sweep with an axis") {  // true
    for (const int n : {1, 2, 4}) {
        const auto x = perfspec::subject("x", [n] { return work(n); }).axis("n", n);
        PERF_CHECK(latency(x) < 100ms);
    }
}

TEST_CASE("allocates now and then") {
    std::deque<int> queue;
    PERF_CHECK(allocations([&] {
                   queue.push_back(1);
                   return queue.back();
               }) == 0);
}

TEST_CASE("index that an earlier body filled") {
    std::vector<int> index;
    const auto build = perfspec::subject("build", [&] {
        index.assign(200, 1);
        return index.size();
    });
    const auto query = perfspec::subject("query", [&] {
        int found = work(1);
        for (const int value : index) found += work(1) == value ? 1 : 0;
        return found;
    });
    const auto reference = perfspec::subject("reference", [] { return work(10); });
    PERF_CHECK(latency(build) < 1s);
    PERF_CHECK(speedup(reference, query) > 1.0, launches(7));
}
