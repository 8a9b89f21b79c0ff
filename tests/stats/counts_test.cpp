// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/counts.hpp>
#include <perfspec/stats/p_value.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using Catch::Matchers::WithinAbs;
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

TEST_CASE("p_value_bound is the inverse of the e-value, and at most 1", "[stats][unit]") {
    CHECK_THAT(perfspec::p_value_bound(std::log(20)), WithinAbs(.05, 1e-12));
    CHECK(perfspec::p_value_bound(0) == 1);
    CHECK(perfspec::p_value_bound(-3) == 1);
    CHECK(perfspec::p_value_bound(std::numeric_limits<double>::infinity()) == 0);
    CHECK_THROWS_AS(perfspec::p_value_bound(std::numeric_limits<double>::quiet_NaN()), perfspec::input_error);
}
