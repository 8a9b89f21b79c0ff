// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/summary.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using perfspec::median;
using perfspec::quantile_of_sorted;
using perfspec::summarize;
using perfspec::summary;

TEST_CASE("summary of 101 shuffled values is exact", "[stats][unit]") {
    std::vector<double> values;
    for (int i = 0; i <= 100; ++i) values.push_back(i * 37 % 101);
    CHECK(summarize(values) == summary{101, 0, 25, 50, 75, 90, 99, 100, 25});
}

TEST_CASE("summary interpolates between order statistics", "[stats][unit]") {  // R: quantile(c(1, 2, 4, 8), type = 7)
    const auto s = summarize(std::vector<double>{8, 1, 4, 2});
    CHECK(s.lower_quartile == 1.75);
    CHECK(s.median == 3);
    CHECK(s.upper_quartile == 5);
    CHECK_THAT(s.p90, WithinAbs(6.8, 1e-14));
    CHECK_THAT(s.p99, WithinAbs(7.88, 1e-14));
    CHECK(s.mad == 1.5);  // deviations 2 1 1 5
}

TEST_CASE("summary of one value is that value", "[stats][unit]") {
    CHECK(summarize(std::vector<double>{7}) == summary{1, 7, 7, 7, 7, 7, 7, 7, 0});
}

TEST_CASE("median is the middle value or the mean of the middle two", "[stats][unit]") {
    CHECK(median(std::vector<double>{3, 1, 2}) == 2);
    CHECK(median(std::vector<double>{4, 1, 2, 3}) == 2.5);
    CHECK(median(std::vector<double>(2, std::numeric_limits<double>::max())) == std::numeric_limits<double>::max());
}

TEST_CASE("quantile_of_sorted reaches both ends", "[stats][unit]") {
    const std::vector<double> sorted{1, 2, 4};
    CHECK(quantile_of_sorted(sorted, 0) == 1);
    CHECK(quantile_of_sorted(sorted, 1) == 4);
    CHECK(quantile_of_sorted(sorted, .25) == 1.5);
}

TEST_CASE("summary refuses nothing and what is not finite", "[stats][unit]") {
    CHECK_THROWS_WITH(summarize({}), ContainsSubstring("found no values"));
    CHECK_THROWS_AS(median({}), perfspec::input_error);
    CHECK_THROWS_AS(quantile_of_sorted({}, .5), perfspec::input_error);
    const double bad = GENERATE(std::nan(""), std::numeric_limits<double>::infinity());
    CHECK_THROWS_AS(summarize(std::vector<double>{1, bad}), perfspec::input_error);
    CHECK_THROWS_AS(median(std::vector<double>{1, bad}), perfspec::input_error);
    const double p = GENERATE(-.1, 1.1, std::nan(""));
    CHECK_THROWS_WITH(quantile_of_sorted(std::vector<double>{1}, p), ContainsSubstring("from 0 to 1"));
}
