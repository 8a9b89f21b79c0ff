// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What a body captured changes between two claims on it. Short is 5 us and long 500 us, so that 100 us lies a factor from both.
#include "work.hpp"

#include <perfspec/allocations.hpp>
#include <perfspec/catch2.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

namespace {

constexpr int small = 1;
constexpr int large = 100;

void claim_in_a_helper(const perfspec::subject& x) { PERF_CHECK(latency(x) < 100us); }

}  // namespace

TEST_CASE("latency in a loop") {
    int n = 0;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    for (const int size : {small, large}) {
        n = size;
        PERF_CHECK(latency(x) < 100us);
    }
}

TEST_CASE("latency in a loop with an axis") {
    int n = 0;
    auto x = perfspec::subject("x", [&] { return work(n); });
    for (const int size : {small, large}) {
        n = size;
        x.axis("n", size);
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

TEST_CASE("latency in a helper") {
    int n = small;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    claim_in_a_helper(x);
    n = large;
    claim_in_a_helper(x);
}

TEST_CASE("latency after insertions") {
    std::vector<int> data(100, 1);
    const auto x = perfspec::subject("max", [&] { return *std::ranges::max_element(data); });
    PERF_CHECK(latency(x) < 5us);
    for (int i = 0; i < 1'000'000; ++i) data.push_back(i);
    PERF_CHECK(latency(x) < 6us);
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

TEST_CASE("speedup in a loop") {
    int n = 10;
    const auto a = perfspec::subject("a", [] { return work(10); });
    const auto b = perfspec::subject("b", [&] { return work(n); });
    for (const int size : {10, 100}) {
        n = size;
        PERF_CHECK(speedup(a, b) > 0.8);
    }
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

TEST_CASE("p95 at two places") {
    int n = small;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    PERF_CHECK(p95(latency(x)) < 150us);
    n = large;
    PERF_CHECK(p95(latency(x)) < 151us);
}

TEST_CASE("allocations in a loop") {
    std::vector<int> v(1000, 1);
    v.reserve(100'000);
    bool is_tight = false;
    const auto push = perfspec::subject("push", [&] {
        if (is_tight) v.shrink_to_fit();
        v.push_back(1);
        v.pop_back();
        return v.size();
    });
    for (const bool tight : {false, true}) {
        is_tight = tight;
        PERF_CHECK(allocations(push) == 0);
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

TEST_CASE("first call in a loop") {
    int n = 0;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    for (const int size : {small, 20 * large}) {
        n = size;
        PERF_CHECK(first_call(x) < 2ms);
    }
}

TEST_CASE("peak memory in a loop") {
    std::size_t n = 0;
    const auto x = perfspec::subject("x", [&] { return std::vector<char>(n, 'x'); });
    for (const std::size_t size : {std::size_t{1000}, std::size_t{20'000'000}}) {
        n = size;
        PERF_CHECK(peak_memory(x) < 10_MB);
    }
}

TEST_CASE("comparison of several") {
    int n = 10;
    const auto a = perfspec::subject("a", [] { return work(10); });
    const auto b = perfspec::subject("b", [] { return work(10); });
    const auto c = perfspec::subject("c", [&] { return work(n); });
    PERF_RECORD(compare(a, b, c));
    n = 100;
    PERF_CHECK(speedup(a, c) > 0.5);
}

TEST_CASE("a state that the setup of another changes") {
    int n = small;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    const auto grows = perfspec::subject("grows", perfspec::setup([&] { return n = large; }), [](int&) { return work(small); });
    PERF_CHECK(latency(x) < 100us);
    PERF_CHECK(latency(grows) < 100us);
    PERF_CHECK(latency(x) < 99us);
}

TEST_CASE("throughput in a loop") {
    int n = 0;
    const auto x = perfspec::subject("x", [&] { return work(n); }).items(1000);
    for (const int size : {small, large}) {
        n = size;
        PERF_CHECK(throughput(x) > items_per_second(1e7));
    }
}

TEST_CASE("claims of one state share samples") {  // true
    const auto a = perfspec::subject("a", [] { return work(10); });
    const auto b = perfspec::subject("b", [] { return work(1); });
    PERF_CHECK(speedup(a, b) > 2);
    PERF_CHECK(speedup(a, b) > 3);
    PERF_CHECK(latency(b) < 100ms);
    PERF_CHECK(latency(b) < 90ms);
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
