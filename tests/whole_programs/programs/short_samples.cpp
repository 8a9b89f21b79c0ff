// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Samples about as short as a reading of the clock. The long body does three times the work of the short one.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <chrono>

namespace {

/// A chain in which each link waits for the one before. Three times the links take three times as long if they take
/// longer than a mispredicted end of the loop. Not inlined: the places of two copies may make a factor of two.
[[gnu::noinline]] int additions(int n) {
    int sum = perfspec::black_box(1);
    for (int i = 0; i < n; ++i) sum = (sum ^ i) + 1;
    return sum;
}

/// An input that takes so long to make that a sample can have few of them.
int slow_input() { return busy_for(std::chrono::milliseconds(5)); }

const auto a = perfspec::subject("a", [] { return additions(400); });
const auto b = perfspec::subject("b", [] { return additions(1200); });
const auto fed_a = perfspec::subject("a", perfspec::setup(slow_input), [](int&) { return additions(40); });
const auto fed_b = perfspec::subject("b", perfspec::setup(slow_input), [](int&) { return additions(120); });

}  // namespace

TEST_CASE("ratio after a slow setup") { PERF_CHECK(speedup(fed_a, fed_b) > 0.5); }
TEST_CASE("time after a slow setup") { PERF_CHECK(latency(fed_a) < 60ns); }  // true
TEST_CASE("ratio") { PERF_CHECK(speedup(b, a) > 2); }                        // true
TEST_CASE("ratio false") { PERF_CHECK(speedup(a, b) > 0.5); }
