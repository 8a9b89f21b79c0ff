// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/power/detectable_effect.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;
using perfspec::detectable_from;

TEST_CASE("detectable_effect is four robust standard deviations of the logarithms", "[stats][unit]") {
    std::vector<double> launches;  // logarithms -.05 -.04 … .05, of MAD .03
    for (int i = -5; i <= 5; ++i) launches.push_back(2e6 * std::exp(.01 * i));
    const auto effect = detectable_from(launches);
    CHECK_THAT(effect.spread, WithinRel(1.4826 * .03, 1e-9));
    CHECK_THAT(effect.rise, WithinRel(std::exp(4 * 1.4826 * .03) - 1, 1e-9));
    CHECK_THAT(effect.fall, WithinRel(1 - std::exp(-4 * 1.4826 * .03), 1e-9));
}

TEST_CASE("detectable_effect is not below what the extreme launch hides", "[stats][unit]") {
    std::vector<double> launches(10, 7.9);
    launches[3] = 7.95;
    launches[7] = 9.2;  // between 7.95 and 9.2 the rank test sees nothing that is slower
    CHECK_THAT(detectable_from(launches).rise, WithinRel(9.2 / 7.9 - 1, 1e-9));
    CHECK(detectable_from(launches).fall == 0);
    launches[7] = 7.0;
    CHECK_THAT(detectable_from(launches).fall, WithinRel(1 - 7.0 / 7.9, 1e-9));
}

TEST_CASE("detectable_effect's spread does not depend on one outlier", "[stats][unit]") {
    std::vector<double> launches;
    for (int i = -5; i <= 5; ++i) launches.push_back(std::exp(.01 * i));
    launches.back() *= 1000;
    CHECK_THAT(detectable_from(launches).spread, WithinRel(1.4826 * .03, 1e-9));
}

TEST_CASE("detectable_effect of equal launches is none, of counts of zero too", "[stats][unit]") {
    const double value = GENERATE(0.0, 3.0);
    const auto effect = detectable_from(std::vector<double>(10, value));
    CHECK(effect.spread == 0);
    CHECK(effect.rise == 0);
    CHECK(effect.fall == 0);
}

TEST_CASE("detectable_effect refuses values without a logarithm", "[stats][unit]") {
    CHECK_THROWS_WITH(detectable_from({}), ContainsSubstring("found no values"));
    CHECK_THROWS_WITH(detectable_from(std::vector<double>{1, 0}), ContainsSubstring("found the launch value 0"));
    CHECK_THROWS_AS(detectable_from(std::vector<double>{1, -1}), perfspec::input_error);
    CHECK_THROWS_AS(detectable_from(std::vector<double>{1, std::nan("")}), perfspec::input_error);
    CHECK_THROWS_AS(detectable_from(std::vector<double>{1, std::numeric_limits<double>::infinity()}), perfspec::input_error);
}
