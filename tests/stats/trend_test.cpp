// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace perfspec;
using Catch::Matchers::WithinAbs;

namespace {

/// Five values of each quarter around its median.
std::vector<double> quarters(double a, double b, double c, double d) {
    std::vector<double> values;
    for (const double m : {a, b, c, d})
        for (const double f : {1.5, 1.0, 0.5, 1.0, 0.9}) values.push_back(m * f);
    return values;
}

/// A block: five sizes, four times each, of a body that takes 3 n^power.
std::vector<growth_point> block_of(double power) {
    std::vector<growth_point> points;
    for (int i = 0; i < 20; ++i) {
        const double n = 1000 * std::pow(2, i % 5);
        points.push_back({n, 3 * std::pow(n, power)});
    }
    return points;
}

}  // namespace

TEST_CASE("a trend rises or falls in every quarter, to twice or half", "[stats][unit]") {
    CHECK(find_trend(quarters(100, 130, 160, 200)) == trend{100, 200});
    CHECK(find_trend(quarters(200, 160, 130, 100)) == trend{200, 100});
    CHECK_FALSE(find_trend(quarters(100, 130, 160, 199)).has_value());
    CHECK_FALSE(find_trend(quarters(100, 200, 300, 399), 4.0).has_value());
    CHECK(find_trend(quarters(100, 200, 300, 400), 4.0).has_value());
    CHECK_FALSE(find_trend(quarters(100, 114, 160, 200)).has_value());  // a quarter like the one before
    CHECK_FALSE(find_trend(quarters(100, 100, 300, 300)).has_value());  // a step is no trend
    CHECK_FALSE(find_trend(quarters(100, 300, 100, 300)).has_value());
}

TEST_CASE("a trend takes eight values", "[stats][unit]") {
    std::vector<double> values{100, 110, 200, 220, 300, 310, 500, 510};
    CHECK(find_trend(values).has_value());
    values.pop_back();
    CHECK_FALSE(find_trend(values).has_value());
    CHECK_FALSE(find_trend({}).has_value());
}

TEST_CASE("the last quarter of a trend holds what is left over", "[stats][unit]") {
    auto values = quarters(100, 200, 400, 800);
    values.insert(values.end(), {8000, 8000, 8000});
    CHECK(find_trend(values) == trend{100, 1000});  // of eight: 400 720 800 800 1200 8000 8000 8000
}

TEST_CASE("growth_slope is the power of n", "[stats][unit]") {
    CHECK_THAT(growth_slope(block_of(0)), WithinAbs(0, 1e-12));
    CHECK_THAT(growth_slope(block_of(2)), WithinAbs(2, 1e-12));
    CHECK_THAT(growth_slope(block_of(-1)), WithinAbs(-1, 1e-12));
}

TEST_CASE("growth_slope is fitted by least squares", "[stats][unit]") {
    const double e = std::exp(1);
    // log t = 0, 1, 0 at log n = 0, 1, 3: covariance -1/3, variance 14/3.
    CHECK_THAT(growth_slope(std::vector<growth_point>{{1, 1}, {e, e}, {e * e * e, 1}}), WithinAbs(-1.0 / 14, 1e-12));
}

TEST_CASE("the tolerance of a growth lets a log factor pass, and not half a power", "[stats][unit]") {
    auto n_log_n = block_of(1);
    for (auto& p : n_log_n) p.time *= std::log(p.size);
    CHECK(growth_slope(n_log_n) < 1 + growth_tolerance);  // O(n) and O(n log n) are not told apart
    CHECK(growth_slope(block_of(1.5)) > 1 + growth_tolerance);
}
