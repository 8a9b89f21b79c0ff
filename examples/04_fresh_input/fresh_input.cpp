// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Sorting and selecting consume their input: setup makes a fresh one for each iteration, outside the time.

#include <perfspec/catch2.hpp>

#include <algorithm>
#include <cstddef>
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

TEST_CASE("finding the median beats sorting for it", "[perf]") {
    const std::vector<int> numbers = shuffled(20'000);
    const auto middle = [](std::vector<int>& v) { return v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2); };

    using perfspec::setup;
    auto sort = perfspec::subject("sort", setup([&] { return numbers; }), [](auto& v) { std::ranges::sort(v); });
    auto select =
        perfspec::subject("nth_element", setup([&] { return numbers; }), [&](auto& v) { std::nth_element(v.begin(), middle(v), v.end()); });

    PERF_CHECK(speedup(sort, select) > 2.0);
}
