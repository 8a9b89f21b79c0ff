// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/hodges_lehmann.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using perfspec::hodges_lehmann;

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

TEST_CASE("hodges_lehmann equals the sorted list of all averages at two thousand values", "[stats][unit]") {
    const auto x = needle_and_tail(2000, 12);
    CHECK(hodges_lehmann(x) == naive(x));
}

TEST_CASE("hodges_lehmann of equal values is that value", "[stats][unit]") {
    const double value = GENERATE(0.0, -0.0, 3.25, -1e-12, 1e300, -std::numeric_limits<double>::max());
    CHECK(hodges_lehmann(std::vector<double>(9, value)) == value);
    CHECK(hodges_lehmann(std::vector<double>(7, value)) == value);
}

TEST_CASE("hodges_lehmann turns its sign with the values", "[stats][unit]") {
    auto x = needle_and_tail(101, 13);
    const double centre = hodges_lehmann(x);
    for (double& v : x) v = -v;
    CHECK(hodges_lehmann(x) == -centre);
}

TEST_CASE("hodges_lehmann refuses nothing and what is not finite", "[stats][unit]") {
    CHECK_THROWS_WITH(hodges_lehmann({}), ContainsSubstring("found no values"));
    CHECK_THROWS_AS(hodges_lehmann(std::vector<double>{1, std::nan("")}), perfspec::input_error);
}
