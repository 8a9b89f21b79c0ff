// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Sorting and selecting consume their input. So `setup` makes a fresh one for each iteration, outside the time.

#include <perfspec/catch2.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

namespace {

/// Returns another order each time: a processor learns the branches of a call that gets the same input again.
class shuffled_numbers {
public:
    explicit shuffled_numbers(std::size_t count) : numbers_(count) { std::iota(numbers_.begin(), numbers_.end(), 0); }

    std::vector<int> operator()() {
        std::shuffle(numbers_.begin(), numbers_.end(), draw_);
        return numbers_;
    }

private:
    std::vector<int> numbers_;
    std::mt19937 draw_{7};
};

}  // namespace

TEST_CASE("finding the median beats sorting for it", "[perf]") {
    shuffled_numbers numbers(20'000);
    const auto middle = [](std::vector<int>& v) { return v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2); };

    using perfspec::setup;
    auto sort = perfspec::subject("sort", setup([&] { return numbers(); }), [](auto& v) { std::ranges::sort(v); });
    auto select = perfspec::subject("nth_element", setup([&] { return numbers(); }),
                                    [&](auto& v) { std::nth_element(v.begin(), middle(v), v.end()); });

    PERF_CHECK(speedup(sort, select) > 2.0);
}
