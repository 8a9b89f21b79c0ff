// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims that hold on the measured code, but not on the intended code: the verdict has to note it.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <cstddef>
#include <random>
#include <vector>

namespace {

std::vector<int> shuffled(std::size_t n) {
    std::vector<int> data(n);
    std::minstd_rand draw(1);
    for (int& value : data) value = static_cast<int>(draw() % 1'000'000);
    return data;
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

TEST_CASE("an honest pair") {  // true
    const auto a = perfspec::subject("a", [] { return work(10); });
    const auto b = perfspec::subject("b", perfspec::setup([] { return 1; }), [](int& units) { return work(units); });
    PERF_CHECK(speedup(a, b) > 2);
    PERF_CHECK(latency(a) < 100ms);
}
