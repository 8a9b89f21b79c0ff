// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Slips of the pen, and values at their bound.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <chrono>
#include <limits>
#include <random>

namespace {

const auto slow = perfspec::subject("slow", [] { return work(10); });
constexpr double infinity = std::numeric_limits<double>::infinity();

double one() { return 1.0; }
double recall() { return 0.9851; }
double nothing() { return 0.0; }
/// 0.30000000000000004, computed when it runs.
double three_tenths() {
    const volatile double tenth = 0.1;
    const volatile double fifth = 0.2;
    return tenth + fifth;
}

/// An integral in `steps` steps, without side effects, so that a compiler may merge two calls with one literal.
[[gnu::noinline]] double simpson(int steps) {
    double sum = 0.0;
    for (int i = 0; i <= steps; ++i) {
        const double x = static_cast<double>(i) / steps;
        sum += (i % 2 == 0 ? 2.0 : 4.0) * (x * x * x + 2.0 * x * x - x + 3.0) / (1.0 + x * x);
    }
    return sum / (3.0 * steps);
}

int loads_once() {
    static const int loaded = busy_for(std::chrono::milliseconds(20));
    return loaded;
}

/// From 10 to 100 us, drawn.
int noisy() {
    static std::minstd_rand draw(1);
    return busy_for(std::chrono::microseconds(10 + draw() % 90));
}

}  // namespace

TEST_CASE("metric at its bound") { PERF_CHECK(metric("errors", less_is_better, one) < 1); }
TEST_CASE("recall below by less than the margin") { PERF_CHECK(metric("recall", more_is_better, recall) > 0.99); }

TEST_CASE("one subject against itself") { PERF_CHECK(speedup(slow, slow) > 0.5); }

TEST_CASE("infinitely often the baseline") { PERF_CHECK(latency(slow) < infinity * baseline()); }

TEST_CASE("first call of what ran before") {
    REQUIRE(loads_once() == 1);
    PERF_CHECK(first_call(loads_once) < 1ms);
}
TEST_CASE("noise beyond the bound") {
    const auto a = perfspec::subject("a", noisy);
    const auto b = perfspec::subject("b", noisy);
    PERF_CHECK(speedup(a, b) > 1.3, rounds(30), iterations(1));
}

TEST_CASE("metric at the bound that it may have") { PERF_CHECK(metric("errors", less_is_better, one) <= 1); }  // true
TEST_CASE("no errors where none are allowed") { PERF_CHECK(metric("errors", less_is_better, nothing) <= 0); }  // true
TEST_CASE("recall at its bound") { PERF_CHECK(metric("recall", more_is_better, recall) >= 0.9851); }           // true

TEST_CASE("metric at the end of its tolerance") {  // true
    PERF_CHECK(metric("errors", less_is_better, [] { return 115.0; }) == within(100, 15_pct));
}
TEST_CASE("metric at a product that is less than its double") {  // true
    const auto a = perfspec::subject("a", [] { return 25.0; });
    const auto b = perfspec::subject("b", [] { return 29.0; });
    PERF_CHECK(metric("errors", less_is_better, b) <= 1.16 * metric("errors", less_is_better, a));
}
TEST_CASE("an error in every third call where none are allowed") {
    PERF_CHECK(metric("errors", less_is_better, [i = 0]() mutable { return ++i % 3 == 0 ? 1.0 : 0.0; }) <= 0);
}
TEST_CASE("metric that is 0 in some calls against one that is 0 in all") {
    const auto none = perfspec::subject("none", nothing);
    const auto some = perfspec::subject("some", [i = 0]() mutable { return ++i % 3 == 0 ? 5.0 : 0.0; });
    PERF_CHECK(metric("errors", less_is_better, some) <= metric("errors", less_is_better, none));
}

TEST_CASE("work on literals") {
    PERF_CHECK(latency([] { return simpson(200); }) < 300ns);  // about 1 us
}

TEST_CASE("longer work on literals in a ratio") {  // one call does the work for a sample of several
    const auto hidden = perfspec::subject("hidden", [] { return simpson(perfspec::black_box(2000)); });
    PERF_CHECK(speedup(hidden, perfspec::subject("literal", [] { return simpson(2000); })) > 3);
}

TEST_CASE("equal fractions") {  // true
    const auto a = perfspec::subject("a", three_tenths);
    const auto b = perfspec::subject("b", three_tenths);
    PERF_CHECK(metric("errors", less_is_better, b) <= metric("errors", less_is_better, a));
}
TEST_CASE("a fraction at the bound that computes it") {  // true
    PERF_CHECK(metric("errors", less_is_better, three_tenths) <= three_tenths());
}
TEST_CASE("a fraction at its stored processes") {  // true
    PERF_CHECK(metric("errors", less_is_better, three_tenths) <= baseline(), key("errors"));
}
