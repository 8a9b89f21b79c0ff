// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/percentile.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstddef>
#include <limits>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using perfspec::percentile_block;
using perfspec::percentile_of;

namespace {

/// n, n - 1, …, 1: the order statistics are their own ranks.
std::vector<double> down_from(std::size_t n) {
    std::vector<double> v;
    for (std::size_t i = n; i > 0; --i) v.push_back(static_cast<double>(i));
    return v;
}

}  // namespace

TEST_CASE("percentile_of is an order statistic, or the mean of two where the level falls between them",
          "[stats][unit]") {
    struct row {
        std::size_t n;
        double level, percentile;
    };
    const auto r = GENERATE(values<row>({
        {100, .99, 99.5},  // the mean of the two largest
        {100, .95, 95.5},
        {100, .57, 57.5},  // .57 * 100 is a little less than 57 in binary
        {100, .5, 50.5},
        {100, .905, 91},
        {101, .99, 100},
        {50, .99, 50},
        {200, .995, 199.5},
        {1000, .99, 990.5},
        {1, .99, 1},
        {2, .5, 1.5},
    }));
    CHECK(percentile_of(down_from(r.n), r.level) == r.percentile);
}

TEST_CASE("percentile_of is not moved by an outlier beyond its two order statistics", "[stats][unit]") {
    auto values = down_from(1000);
    values.front() = 1e9;
    CHECK(percentile_of(values, .99) == 990.5);
}

TEST_CASE("percentile_block is the fewest iterations from 100 on with one beyond the level", "[stats][unit]") {
    CHECK(percentile_block(.5) == 100);
    CHECK(percentile_block(.9) == 100);
    CHECK(percentile_block(.99) == 100);
    CHECK(percentile_block(.992) == 125);
    CHECK(percentile_block(.995) == 200);
}

TEST_CASE("percentile_of names the levels that there are", "[stats][unit]") {
    const double level = GENERATE(0.0, .49, .996, .999, 1.0, 99.0, std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_AS(percentile_of(down_from(10), level), perfspec::input_error);
    CHECK_THROWS_AS(percentile_block(level), perfspec::input_error);
    CHECK_THROWS_WITH(percentile_of(down_from(10), level),
                      ContainsSubstring("needs one from 0.5 to 0.995 such as 0.99"));
}

TEST_CASE("percentile_of refuses no values, and what is no time", "[stats][unit]") {
    CHECK_THROWS_AS(percentile_of({}, .9), perfspec::input_error);
    CHECK_THROWS_AS(percentile_of(std::vector{1.0, std::numeric_limits<double>::infinity()}, .9),
                    perfspec::input_error);
}
