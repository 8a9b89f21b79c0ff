// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace perfspec;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
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

/// Values with a needle of ties in the middle, both signs, and a long tail, as timing noise has them.
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
