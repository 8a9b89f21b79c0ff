// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/stats/trend.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace perfspec {
namespace {

/// Five values of each quarter around its median.
std::vector<double> quarters(double a, double b, double c, double d) {
    std::vector<double> values;
    for (const double m : {a, b, c, d})
        for (const double f : {1.5, 1.0, 0.5, 1.0, 0.9}) values.push_back(m * f);
    return values;
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

}  // namespace perfspec
