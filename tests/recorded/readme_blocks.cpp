// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Blocks of include/perfspec/README.md and pages below it, with the names that they need (blocks.cmake).
#include <perfspec/allocations.hpp>
#include <perfspec/callgrind.hpp>
#include <perfspec/catch2.hpp>
#include <perfspec/explain.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <new>
#include <numeric>
#include <vector>

namespace {

int sum(const std::vector<int>& v) { return std::accumulate(v.begin(), v.end(), 0); }

}  // namespace

// Hidden: with empty bodies these sentences have no verdict.
TEST_CASE("the first page's sentences compile", "[.]") {
    const perfspec::subject parse("parse", [] {});
    const perfspec::subject lru("lru", [] {});
    const perfspec::subject fifo("fifo", [] {});
    const perfspec::subject old("old", [] {});
    const perfspec::subject now("now", [] {});
    const perfspec::subject saxpy("saxpy", [] {});
#include "readme_2.inc"
}

TEST_CASE("the README's subjects can be measured", "[recorded]") {
    const std::vector<int> data(1000, 1);
#include "language_2.inc"
    PERF_CHECK(latency(a) < 1s);
    PERF_CHECK(latency(b) < 1s);
}

TEST_CASE("the README's counts are what the program does", "[recorded]") {
    const std::vector<int> data(1000, 1);
    const auto a = perfspec::subject("sum", [&] { return sum(data); });
#include "counts_1.inc"
}

// Hidden: a baseline of them would have to be recorded.
TEST_CASE("the README's simulated counts compile", "[.]") {
    using namespace perfspec::language;
    const perfspec::subject parse("parse", [] {});
    const perfspec::subject fast("fast", [] {});
    const perfspec::subject simple("simple", [] {});
#include "callgrind_1.inc"
}

TEST_CASE("the README's result is what evaluate returns", "[recorded]") {
    using namespace perfspec::language;
    const std::vector<int> data(1000, 1);
    const auto a = perfspec::subject("sum", [&] { return sum(data); });
    const auto b = perfspec::subject("sum again", [&] { return sum(data); });
#include "record_1.inc"
    CHECK(found.query == "speedup(sum, sum again)");
}

namespace {

#include "adapter_1.inc"

}  // namespace

TEST_CASE("the README's adapter makes subjects", "[recorded]") { PERF_CHECK(latency(decoding("decoder")) < 1s); }
