// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Peaks of memory of functions that ran before the measurement: the allocator keeps their freed memory.
#include <perfspec/catch2.hpp>

#include <cstddef>
#include <vector>

namespace {

std::size_t sum_of(std::size_t bytes) {
    const std::vector<char> v(bytes, 1);
    return v[bytes / 2] == 1 ? v.size() : 0;
}

constexpr std::size_t large = 20U << 20;

std::size_t check_large() { return sum_of(large); }

}  // namespace

TEST_CASE("checked three times") {
    REQUIRE(check_large() == large);
    REQUIRE(check_large() == large);
    REQUIRE(check_large() == large);
    PERF_CHECK(peak_memory(check_large) < 1_MiB);
}

TEST_CASE("a model that takes 20 MiB to load") {
    std::vector<char> model;
    const auto x =
        perfspec::subject("x", [&] { return model.size() + sum_of(1000); }).load([&] { model.assign(large, 1); });
    PERF_CHECK(latency(x) < 1s);
    PERF_CHECK(peak_memory(x, including_load) < 1_MiB);
}

TEST_CASE("a key behind a claim without one") {
    const auto small = perfspec::subject("small", [] { return sum_of(1U << 20); });
    const auto big = perfspec::subject("big", check_large);
    PERF_CHECK(peak_memory(small) < 10_MiB);
    PERF_CHECK(peak_memory(big) < 10_MiB, key("big"));
}

TEST_CASE("recorded") {  // true
    const auto x = perfspec::subject("x", check_large);
    PERF_MEASURE(peak_memory(x));
}

TEST_CASE("far below its bound") {  // true
    for (int i = 0; i < 3; ++i) REQUIRE(check_large() == large);
    PERF_CHECK(peak_memory(check_large) < 100_MiB);
}
