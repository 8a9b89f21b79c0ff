// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Test cases whose claims hold, or fail, and that a note explains; notes_test.cpp says what they
// print.
#include "../support/work.hpp"

#include <perfspec/catch2.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

using perfspec::setup;
using perfspec::subject;

std::uint64_t arithmetic(std::size_t steps) {
    std::uint64_t x = 88172645463325252ULL;
    for (std::size_t i = 0; i < steps; ++i) {
        x ^= x << 13U;
        x ^= x >> 7U;
        x ^= x << 17U;
    }
    return x;
}

/// What it returns for an argument is computed once.
std::uint64_t memoised(std::size_t steps) {
    static std::unordered_map<std::size_t, std::uint64_t> known;
    const auto found = known.find(steps);
    return found != known.end() ? found->second : known.emplace(steps, arithmetic(steps)).first->second;
}

std::vector<std::uint64_t> numbers(std::size_t count) {
    std::vector<std::uint64_t> all(count);
    std::uint64_t x = 1;
    for (std::uint64_t& n : all) n = x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    return all;
}

/// Fills 20 MiB and says whether that went well.
int fill() {
    std::vector<char> v(std::size_t{20} << 20, 1);
    perfspec::keep(v.data());
    return v[7];
}

int slow_at_first() {
    static const std::uint64_t once = arithmetic(100'000'000);
    return once != 0 ? 1 : 0;
}

}  // namespace

TEST_CASE("memory that suffices") {
    REQUIRE(fill() == 1);
    REQUIRE(fill() == 1);
    const subject x("fill", fill);
    PERF_CHECK(peak_memory(x) < 21_MiB);
}

TEST_CASE("memoised") {
    const subject x("memoised", [] { return memoised(2'000'000); });
    PERF_CHECK(latency(x) < 1ms);
    PERF_CHECK(cpu_time(x) < 1ms);
}

TEST_CASE("sorted from the second call on") {
    auto all = numbers(4'000);
    const subject x("sort", [&] { perfspec::testing::insertion_sort(all); });
    PERF_CHECK(latency(x) < 1s);
}

TEST_CASE("sorted anew") {
    const auto all = numbers(100'000);
    const subject x("sort", setup([&] { return all; }), [](auto& v) { std::ranges::sort(v); });
    PERF_CHECK(latency(x) < 1s);
}

TEST_CASE("joined") {
    const subject x("joined", [] {
        std::thread other([] { perfspec::keep(arithmetic(100'000)); });
        perfspec::keep(arithmetic(100'000));
        other.join();
    });
    PERF_CHECK(latency(x) < 1s);
}

TEST_CASE("grows") {
    std::vector<std::uint64_t> all;
    const subject x("insert", [&] {
        for (int i = 0; i < 2000; ++i) all.push_back(all.size());
        std::uint64_t sum = 0;
        for (const std::uint64_t n : all) perfspec::keep(sum += n);
    });
    PERF_CHECK(latency(x) < 10s);
}

TEST_CASE("called before") {
    REQUIRE(slow_at_first() == 1);
    const subject x("slow at first", slow_at_first);
    PERF_CHECK(first_call(x) < 10s);
}

TEST_CASE("called by nobody") {
    const subject x("slow at first", slow_at_first);
    PERF_CHECK(first_call(x) < 10s);
}

TEST_CASE("claims that it is slow") {
    const subject x("arithmetic", [] { return arithmetic(perfspec::opaque(std::size_t{10'000})); });
    PERF_CHECK(latency(x) > 1ns);
}

TEST_CASE("honest") {
    const auto all = numbers(2'000);
    const subject a("arithmetic", [] { return arithmetic(perfspec::opaque(std::size_t{20'000})); });
    const subject b("sort", setup([&] { return all; }), [](auto& v) { std::ranges::sort(v); });
    const subject c("fill", fill);
    PERF_CHECK(latency(a) < 1s);
    PERF_CHECK(speedup(a, b) > 1e-3);
    PERF_CHECK(latency(c) < 1s);
}
