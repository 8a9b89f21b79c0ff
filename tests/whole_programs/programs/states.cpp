// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What a body captured changes between two claims on it. Short is 5 us and long 500 us, so that 100 us lies a factor
// from both.
#include "work.hpp"

#include <perfspec/catch2.hpp>

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

TEST_CASE("slow before and fast after") {  // true both times
    int n = large;
    const auto x = perfspec::subject("x", [&] { return work(n); });
    PERF_CHECK(latency(x) < 100ms);
    n = small;
    PERF_CHECK(latency(x) < 100us);
}

TEST_CASE("sweep with an axis") {  // true
    for (const int n : {1, 2, 4}) {
        const auto x = perfspec::subject("x", [n] { return work(n); }).axis("n", n);
        PERF_CHECK(latency(x) < 100ms);
    }
}
