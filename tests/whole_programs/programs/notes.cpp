// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims that hold on what is measured, and not on what was meant: the verdict has to say so.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

std::vector<int> shuffled(std::size_t n) {
    std::vector<int> data(n);
    std::minstd_rand draw(1);
    for (int& value : data) value = static_cast<int>(draw() % 1'000'000);
    return data;
}

int memoised() {
    static std::optional<int> known;
    if (!known) known = work(1000);
    return *known;
}

}  // namespace

TEST_CASE("sorts what is sorted") {
    auto data = shuffled(4'000);
    const auto x = perfspec::subject("sort", [&] {
        perfspec::testing::insertion_sort(data);
        return data.front();
    });
    PERF_CHECK(latency(x) < 100ms);
}

TEST_CASE("remembers") { PERF_CHECK(latency(memoised) < 1ms); }

TEST_CASE("opens a file once") {
    std::ifstream file;
    const auto x = perfspec::subject("read", [&] {
        if (!file.is_open()) {
            work(1000);  // as parsing it takes
            file.open("/proc/self/status");
        }
        file.clear();
        file.seekg(0);
        return file.get();
    });
    PERF_CHECK(latency(x) < 1ms);
}

TEST_CASE("remembers in a ratio") {
    const auto slow = perfspec::subject("slow", [] { return work(10); });
    const auto fast = perfspec::subject("fast", memoised);
    PERF_CHECK(speedup(slow, fast) > 2);
}

TEST_CASE("an honest pair") {  // true
    const auto a = perfspec::subject("a", [] { return work(10); });
    const auto b = perfspec::subject("b", perfspec::setup([] { return 1; }), [](int& units) { return work(units); });
    PERF_CHECK(speedup(a, b) > 2);
    PERF_CHECK(latency(a) < 100ms);
}
