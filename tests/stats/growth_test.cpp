// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/growth.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using perfspec::growth_point;
using perfspec::growth_slope;
using perfspec::growth_tolerance;

namespace {

/// A block: five sizes, four times each, of a body that takes 3 n^power, claimed to grow as n^claimed.
std::vector<growth_point> block_of(double power, double claimed) {
    std::vector<growth_point> points;
    for (int i = 0; i < 20; ++i) {
        const double n = 1000 * std::pow(2, i % 5);
        points.push_back({n, 3 * std::pow(n, power), std::pow(n, claimed)});
    }
    return points;
}

}  // namespace

TEST_CASE("growth_slope is the power that the claim lacks", "[stats][unit]") {
    CHECK_THAT(growth_slope(block_of(1, 1)), WithinAbs(0, 1e-12));
    CHECK_THAT(growth_slope(block_of(2, 1)), WithinAbs(1, 1e-12));
    CHECK_THAT(growth_slope(block_of(1, 2)), WithinAbs(-1, 1e-12));
}

TEST_CASE("growth_slope is fitted by least squares", "[stats][unit]") {
    const double e = std::exp(1);
    // log(t / g) = 0, 1, 0 at log n = 0, 1, 3: covariance -1/3, variance 14/3.
    CHECK_THAT(growth_slope(std::vector<growth_point>{{1, 1, 1}, {e, e, 1}, {e * e * e, 1, 1}}),
               WithinAbs(-1.0 / 14, 1e-12));
}

TEST_CASE("the tolerance of a growth lets a log factor pass, and not half a power", "[stats][unit]") {
    auto n_log_n = block_of(1, 1);
    for (auto& p : n_log_n) p.time *= std::log(p.size);
    CHECK(growth_slope(n_log_n) < growth_tolerance);  // O(n) and O(n log n) are not told apart
    CHECK(growth_slope(block_of(1.5, 1)) > growth_tolerance);
}

TEST_CASE("growth_slope refuses points of one size", "[stats][unit]") {
    CHECK_THROWS_AS(growth_slope({}), perfspec::input_error);
    CHECK_THROWS_WITH(growth_slope(std::vector<growth_point>(20, {1000, 3, 1})),
                      ContainsSubstring("20 points of one size, needs at least two sizes"));
}

TEST_CASE("growth_slope refuses what is no size, no time and no growth", "[stats][unit]") {
    const double wrong =
        GENERATE(0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_AS(growth_slope(std::vector<growth_point>{{wrong, 1, 1}, {2, 1, 1}}), perfspec::input_error);
    CHECK_THROWS_AS(growth_slope(std::vector<growth_point>{{1, wrong, 1}, {2, 1, 1}}), perfspec::input_error);
    CHECK_THROWS_AS(growth_slope(std::vector<growth_point>{{1, 1, wrong}, {2, 1, 1}}), perfspec::input_error);
}
