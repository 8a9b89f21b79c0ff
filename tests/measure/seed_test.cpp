// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/block_source.hpp>

#include <catch2/catch_test_macros.hpp>

#include <set>

TEST_CASE("fresh_seed is fresh, and can be given again as an option", "[measure][unit]") {
    std::set<std::uint64_t> seeds;
    for (int i = 0; i < 8; ++i) seeds.insert(perfspec::fresh_seed());
    CHECK(seeds.size() > 1);  // eight equal draws of 32 bits do not happen
    CHECK(*seeds.rbegin() <= 0xffff'ffffU);
}

TEST_CASE("coin tosses the same for one seed, wherever it was moved", "[measure][unit]") {
    perfspec::coin a(9);
    perfspec::coin b(9);
    for (int i = 0; i < 100; ++i) CHECK(a.toss() == b.toss());
    perfspec::coin c = std::move(a);
    for (int i = 0; i < 100; ++i) CHECK(c.toss() == b.toss());
}
