// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <catch2/matchers/catch_matchers.hpp>
#include <support/test.hpp>

#include <random>

using namespace perfspec;
using namespace perfspec::testing;
using counts = std::vector<std::uint64_t>;

namespace {

/// The definition, with all averages stored and sorted.
double naive(const std::vector<double>& x) {
    std::vector<double> averages;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = i; j < x.size(); ++j) averages.push_back(x[i] / 2 + x[j] / 2);
    std::sort(averages.begin(), averages.end());
    const std::size_t middle = averages.size() / 2;
    return averages.size() % 2 != 0 ? averages[middle] : averages[middle - 1] / 2 + averages[middle] / 2;
}

/// Values with many ties in the middle, both signs, and a long tail, like timing noise.
std::vector<double> needle_and_tail(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 bits(seed);
    std::vector<double> x;
    for (std::size_t i = 0; i < n; ++i) {
        const double u = static_cast<double>(bits() >> 11) * 0x1p-53;
        x.push_back(u < .3 ? .01 : u < .9 ? u - .6 : 1 / (u - .9 + .001));
    }
    return x;
}

}  // namespace

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
    CHECK_THROWS_AS(median({}), input_error);
    const double bad = GENERATE(std::nan(""), std::numeric_limits<double>::infinity());
    CHECK_THROWS_AS(summarize(std::vector<double>{1, bad}), input_error);
    CHECK_THROWS_AS(median(std::vector<double>{1, bad}), input_error);
}

TEST_CASE("hodges_lehmann equals the reference vectors", "[stats][unit]") {  // stats/README.md, "Reference values"
    CHECK(hodges_lehmann(std::vector<double>{1, 2, 4, 8}) == 3.5);
    CHECK(hodges_lehmann(std::vector<double>{0, 0, 0, 1, 10}) == .5);
    CHECK(hodges_lehmann(std::vector<double>{1, -2, 3, -1, 2, 2, 5, -.5, 4, 1}) == 1.5);
}

TEST_CASE("hodges_lehmann equals the sorted list of all averages", "[stats][unit]") {
    const auto n = GENERATE(as<std::size_t>{}, 1, 2, 3, 4, 5, 7, 10, 31, 64, 200);
    const auto seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{11}));
    CAPTURE(n, seed);
    const auto x = needle_and_tail(n, seed);
    CHECK(hodges_lehmann(x) == naive(x));
}

TEST_CASE("hodges_lehmann of equal values is that value", "[stats][unit]") {
    const double value = GENERATE(0.0, -0.0, 3.25, -1e-12, 1e300, -std::numeric_limits<double>::max());
    CHECK(hodges_lehmann(std::vector<double>(9, value)) == value);
    CHECK(hodges_lehmann(std::vector<double>(7, value)) == value);
}

TEST_CASE("hodges_lehmann refuses nothing and what is not finite", "[stats][unit]") {
    CHECK_THROWS_WITH(hodges_lehmann({}), ContainsSubstring("found no values"));
    CHECK_THROWS_AS(hodges_lehmann(std::vector<double>{1, std::nan("")}), input_error);
}

TEST_CASE("repeated_count is the count of three equal runs", "[stats][unit]") {
    CHECK(repeated_count(counts{7, 7, 7}) == 7U);
    CHECK(repeated_count(counts{0, 0, 0, 0}) == 0U);
}

TEST_CASE("repeated_count is none where one run differs", "[stats][unit]") {
    CHECK_FALSE(repeated_count(counts{7, 7, 8}).has_value());
    CHECK_FALSE(repeated_count(counts{8, 7, 7}).has_value());
}

TEST_CASE("spread_of is the scaled median distance of logarithms from their median", "[stats][unit]") {
    std::vector<double> values;
    for (const double l : {0.0, -0.01, 0.02, -0.03, 0.04}) values.push_back(std::exp(l));
    const process_spread s = spread_of(values);
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
    const process_spread s = spread_of(values);
    CHECK_THAT(s.spread, WithinAbs(1.4826 * 0.04, 1e-12));
    CHECK_THAT(s.level, WithinAbs(0.96484375, 1e-12));    // 1 - 2 (1 + 15 + 105 + 455) / 2^15
    CHECK_THAT(s.low, WithinAbs(1.4826 * 0.02, 1e-12));   // the fourth of 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7
    CHECK_THAT(s.high, WithinAbs(1.4826 * 0.06, 1e-12));  // the twelfth
}

TEST_CASE("spread_of equal processes is nothing, and of no times an error", "[stats][unit]") {
    CHECK(spread_of(std::vector<double>(15, 3.0)).spread == 0.0);
    CHECK_THROWS_AS(spread_of(std::vector<double>{1, 2, 0}), input_error);
    CHECK_THROWS_AS(spread_of(std::vector<double>{1, 2, std::numeric_limits<double>::infinity()}), input_error);
}

TEST_CASE("spread_test counts processes beyond the bound by an exact binomial test", "[stats][unit]") {
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
    std::vector<double> processes;  // logarithms -.05 -.04 … .05, of MAD .03
    for (int i = -5; i <= 5; ++i) processes.push_back(std::exp(.01 * i));
    processes.back() *= 1000;
    CHECK_THAT(relative_spread(processes), WithinRel(1.4826 * .03, 1e-9));
}

TEST_CASE("relative_spread of equal processes is none, of counts of zero too", "[stats][unit]") {
    CHECK(relative_spread(std::vector<double>(10, GENERATE(0.0, 3.0))) == 0);
}

TEST_CASE("relative_spread refuses values without a logarithm", "[stats][unit]") {
    CHECK_THROWS_WITH(relative_spread({}), ContainsSubstring("found no values"));
    CHECK_THROWS_WITH(relative_spread(std::vector<double>{1, 0}), ContainsSubstring("found 0"));
    CHECK_THROWS_AS(relative_spread(std::vector<double>{1, -1}), input_error);
    CHECK_THROWS_AS(relative_spread(std::vector<double>{1, std::nan("")}), input_error);
    CHECK_THROWS_AS(relative_spread(std::vector<double>{1, std::numeric_limits<double>::infinity()}), input_error);
}

namespace {

/// Five values of each quarter around its median.
std::vector<double> quarters(double a, double b, double c, double d) {
    std::vector<double> values;
    for (const double m : {a, b, c, d})
        for (const double f : {1.5, 1.0, 0.5, 1.0, 0.9}) values.push_back(m * f);
    return values;
}

/// A block: five sizes, four times each, of a body that takes 3 n^power.
std::vector<complexity_point> block_of(double power) {
    std::vector<complexity_point> points;
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

TEST_CASE("complexity_slope is the power of n", "[stats][unit]") {
    CHECK_THAT(complexity_slope(block_of(0)), WithinAbs(0, 1e-12));
    CHECK_THAT(complexity_slope(block_of(2)), WithinAbs(2, 1e-12));
    CHECK_THAT(complexity_slope(block_of(-1)), WithinAbs(-1, 1e-12));
}

TEST_CASE("complexity_slope is fitted by least squares", "[stats][unit]") {
    const double e = std::exp(1);
    // log t = 0, 1, 0 at log n = 0, 1, 3: covariance -1/3, variance 14/3.
    CHECK_THAT(complexity_slope(std::vector<complexity_point>{{1, 1}, {e, e}, {e * e * e, 1}}),
               WithinAbs(-1.0 / 14, 1e-12));
}

TEST_CASE("the tolerance of a complexity lets a log factor pass, and not half a power", "[stats][unit]") {
    auto n_log_n = block_of(1);
    for (auto& p : n_log_n) p.time *= std::log(p.size);
    CHECK(complexity_slope(n_log_n) < 1 + complexity_tolerance);  // O(n) and O(n log n) are not distinguished
    CHECK(complexity_slope(block_of(1.5)) > 1 + complexity_tolerance);
}
