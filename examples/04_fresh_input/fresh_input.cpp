// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Sorting consumes its input: setup makes a fresh one for each iteration, outside the time.

#include <perfspec/catch2.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace {

std::vector<int> shuffled(int n) {
    std::vector<int> v(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = i;
    std::shuffle(v.begin(), v.end(), std::mt19937{7});
    return v;
}

}  // namespace

TEST_CASE("sorting a sorted vector beats sorting a shuffled one", "[perf]") {
    const std::vector<int> mixed = shuffled(2000);
    std::vector<int> ordered = mixed;
    std::ranges::sort(ordered);

    using perfspec::setup;
    auto sort_mixed = perfspec::subject("sort shuffled", setup([&] { return mixed; }), [](auto& v) { std::ranges::sort(v); });
    auto sort_ordered = perfspec::subject("sort sorted", setup([&] { return ordered; }), [](auto& v) { std::ranges::sort(v); });

    PERF_CHECK(speedup(sort_mixed, sort_ordered) > 1.2);
}
