// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/counts.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <vector>

using perfspec::settled_count;

using counts = std::vector<std::uint64_t>;

TEST_CASE("settled_count is the count of three equal runs", "[stats][unit]") {
    CHECK(settled_count(counts{7, 7, 7}) == 7U);
    CHECK(settled_count(counts{0, 0, 0, 0}) == 0U);
}

TEST_CASE("settled_count is none where one run differs", "[stats][unit]") {
    CHECK_FALSE(settled_count(counts{7, 7, 8}).has_value());
    CHECK_FALSE(settled_count(counts{8, 7, 7}).has_value());
}

TEST_CASE("settled_count refuses fewer than three runs", "[stats][unit]") {
    CHECK_THROWS_AS(settled_count(counts{}), perfspec::input_error);
    CHECK_THROWS_AS(settled_count(counts{7, 7}), perfspec::input_error);
}
