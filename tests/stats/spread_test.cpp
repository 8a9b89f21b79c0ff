// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace perfspec;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("spread_of is the scaled median distance of logarithms from their median", "[stats][unit]") {
    std::vector<double> values;
    for (const double l : {0.0, -0.01, 0.02, -0.03, 0.04}) values.push_back(std::exp(l));
    const launch_spread s = spread_of(values);
    CHECK_THAT(s.spread, WithinAbs(1.4826 * 0.02, 1e-12));
    CHECK_THAT(s.low, WithinAbs(0.0, 1e-12));
    CHECK_THAT(s.high, WithinAbs(1.4826 * 0.04, 1e-12));
    CHECK_THAT(s.level, WithinAbs(1.0 - 2.0 / 32.0, 1e-12));  // all of five: both extremes
    CHECK(s.distances.size() == 5);
    CHECK_THAT(s.distances[2], WithinAbs(1.4826 * 0.02, 1e-12));
}

TEST_CASE("spread_of has the order statistics that hold a median with 95 %", "[stats][unit]") {
    std::vector<double> values;
    for (int i = -7; i <= 7; ++i) values.push_back(std::exp(0.01 * i));
    const launch_spread s = spread_of(values);
    CHECK_THAT(s.spread, WithinAbs(1.4826 * 0.04, 1e-12));
    CHECK_THAT(s.level, WithinAbs(0.96484375, 1e-12));    // 1 - 2 (1 + 15 + 105 + 455) / 2^15
    CHECK_THAT(s.low, WithinAbs(1.4826 * 0.02, 1e-12));   // the fourth of 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7
    CHECK_THAT(s.high, WithinAbs(1.4826 * 0.06, 1e-12));  // the twelfth
}

TEST_CASE("spread_of equal launches is nothing, and of no times an error", "[stats][unit]") {
    CHECK(spread_of(std::vector<double>(15, 3.0)).spread == 0.0);
    CHECK_THROWS_AS(spread_of(std::vector<double>{1, 2, 0}), input_error);
    CHECK_THROWS_AS(spread_of(std::vector<double>{1, 2, std::numeric_limits<double>::infinity()}), input_error);
}

TEST_CASE("spread_test counts launches beyond the bound by an exact binomial test", "[stats][unit]") {
    struct row {
        int beyond;
        decision expected;
    };
    // P(at most 3 of 14) = 470 / 2^14 = .0287, of 4 .0898; P(at least 13 of 14) = 15 / 2^14 = .00092, of 12 .0065.
    const auto [beyond, expected] = GENERATE(Catch::Generators::values<row>({{0, decision::holds},
                                                                             {3, decision::holds},
                                                                             {4, decision::none},
                                                                             {12, decision::none},
                                                                             {13, decision::violated},
                                                                             {14, decision::violated}}));
    std::vector<double> distances{0.0};
    for (int i = 0; i < 14; ++i) distances.push_back(i < beyond ? 0.08 : 0.06);
    CHECK(spread_test{}.decide(distances, direction::less, 0.07) == expected);
    std::vector<double> reversed{0.0};
    for (int i = 0; i < 14; ++i) reversed.push_back(i < beyond ? 0.06 : 0.08);
    CHECK(spread_test{}.decide(reversed, direction::more, 0.07) == expected);
}

TEST_CASE("spread_test lets the margin pass, and nothing more", "[stats][unit]") {
    const std::vector<double> on_the_edge(14, 0.07 * 1.004);
    CHECK(spread_test{}.decide(on_the_edge, direction::less, 0.07) == decision::violated);  // looked at first
    CHECK(spread_test{.margin = 0, .false_failure = 1e-6}.decide(on_the_edge, direction::less, 0.07) == decision::none);
    CHECK(spread_test{.margin = 0.005, .false_failure = 1e-6}.decide(on_the_edge, direction::less, 0.07) ==
          decision::holds);
}

TEST_CASE("relative_spread is a robust standard deviation of the logarithms", "[stats][unit]") {
    std::vector<double> launches;  // logarithms -.05 -.04 … .05, of MAD .03
    for (int i = -5; i <= 5; ++i) launches.push_back(std::exp(.01 * i));
    launches.back() *= 1000;
    CHECK_THAT(relative_spread(launches), WithinRel(1.4826 * .03, 1e-9));
}

TEST_CASE("relative_spread of equal launches is none, of counts of zero too", "[stats][unit]") {
    CHECK(relative_spread(std::vector<double>(10, GENERATE(0.0, 3.0))) == 0);
}

TEST_CASE("relative_spread refuses values without a logarithm", "[stats][unit]") {
    CHECK_THROWS_WITH(relative_spread({}), ContainsSubstring("found no values"));
    CHECK_THROWS_WITH(relative_spread(std::vector<double>{1, 0}), ContainsSubstring("found 0"));
    CHECK_THROWS_AS(relative_spread(std::vector<double>{1, -1}), input_error);
    CHECK_THROWS_AS(relative_spread(std::vector<double>{1, std::nan("")}), input_error);
    CHECK_THROWS_AS(relative_spread(std::vector<double>{1, std::numeric_limits<double>::infinity()}), input_error);
}
