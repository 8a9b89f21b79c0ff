// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Several subjects with one key of a baseline. WHOLE_SLOWER makes them ten times slower.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <catch2/generators/catch_generators.hpp>

#include <chrono>
#include <cstdlib>
#include <locale>
#include <string>
#include <thread>

#include <unistd.h>

namespace {

const int factor = std::getenv("WHOLE_SLOWER") == nullptr ? 1 : 10;

/// 100 us of wall time; processor time only in the slower version.
int waits() {
    if (factor == 1) std::this_thread::sleep_for(std::chrono::microseconds(100));
    return work(factor);
}

}  // namespace

TEST_CASE("generator from large to small") {
    const int n = GENERATE(100, 1);
    const auto x = perfspec::subject("x", [n] { return work(n == 1 ? factor : n); });
    PERF_CHECK(latency(x) < 1.5 * baseline());
}

TEST_CASE("generator with an axis") {  // true
    const int n = GENERATE(40, 4);
    const auto x = perfspec::subject("x", [n] { return work(n); }).axis("n", n);
    PERF_CHECK(latency(x) < 5 * baseline());
}

TEST_CASE("two metrics under one key") {
    const auto x = perfspec::subject("x", waits);
    PERF_CHECK(latency(x) < 3 * baseline(), key("k"));
    PERF_CHECK(cpu_time(x) < 1.5 * baseline(), key("k"));
}

TEST_CASE("unchanged") {  // true
    const auto x = perfspec::subject("x", [] { return work(10); });
    PERF_CHECK(latency(x) < 5 * baseline());
}

struct decimal_comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST_CASE("another locale") {
    std::locale::global(std::locale(std::locale::classic(), new decimal_comma));
    const auto x = perfspec::subject("x", [] { return work(10 * factor); });
    PERF_CHECK(latency(x) < 5 * baseline());
    std::locale::global(std::locale::classic());
}

TEST_CASE("another working directory") {
    REQUIRE(::chdir("/") == 0);
    const auto x = perfspec::subject("x", [] { return work(10 * factor); });
    PERF_CHECK(latency(x) < 5 * baseline());
}

TEST_CASE("slower") {
    const auto x = perfspec::subject("x", [] { return work(10 * factor); });
    PERF_CHECK(latency(x) < 1.5 * baseline());
}
