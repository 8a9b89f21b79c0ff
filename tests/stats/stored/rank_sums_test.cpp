// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/stats/stored/rank_sums.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using Catch::Matchers::WithinAbs;
using perfspec::detail::rank_sum_counts;

namespace {

/// Counts of U over all orders, one by one: a letter for each value from the smallest on.
std::vector<std::uint64_t> enumerated(std::size_t stored, std::size_t fresh) {
    std::vector<std::uint64_t> counts(stored * fresh + 1);
    std::string order = std::string(fresh, 'f') + std::string(stored, 's');
    do {
        std::size_t larger = stored;
        std::size_t u = 0;
        for (const char letter : order) {
            if (letter == 's') --larger;
            else u += larger;
        }
        ++counts[u];
    } while (std::next_permutation(order.begin(), order.end()));
    return counts;
}

}  // namespace

TEST_CASE("rank sums are counted as by enumeration of all orders", "[stats][unit]") {
    constexpr std::size_t stored = 10;
    const rank_sum_counts counts(stored, 6);
    for (std::size_t fresh = 1; fresh <= 6; ++fresh) {
        const auto all = enumerated(stored, fresh);
        std::uint64_t sum = 0;
        for (std::size_t u = 0; u < all.size(); ++u) {
            sum += all[u];
            CHECK_THAT(counts.probability_up_to(fresh, static_cast<std::int64_t>(u)),
                       WithinAbs(static_cast<double>(sum) / static_cast<double>(counts.orders(fresh)), 1e-15));
        }
        CHECK(sum == counts.orders(fresh));
    }
}

TEST_CASE("all orders of forty and twenty are counted exactly", "[stats][unit]") {
    const rank_sum_counts counts(40, 20);
    CHECK(counts.orders(20) == 4'191'844'505'805'495ULL);  // 60 over 20
    CHECK(counts.orders(1) == 41);
    CHECK_THAT(counts.probability_up_to(20, 399),
               WithinAbs(1.0 - counts.probability_up_to(20, 400), 1e-12));  // it is symmetric
}

TEST_CASE("the largest rank sum within a rate, and that of the next one is beyond it", "[stats][unit]") {
    const rank_sum_counts counts(10, 5);
    CHECK(counts.most_below(5, 1.0 / 3003) == 0);
    CHECK(counts.most_below(5, 0.9999 / 3003) == -1);
    CHECK(counts.probability_up_to(5, -1) == 0.0);
    const std::int64_t limit = counts.most_below(5, 0.05);
    CHECK(counts.probability_up_to(5, limit) <= 0.05);
    CHECK(counts.probability_up_to(5, limit + 1) > 0.05);
}
