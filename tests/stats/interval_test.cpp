// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

using namespace perfspec;
using Catch::Matchers::WithinAbs;

namespace {

/// 0, 1, …, n - 1: their averages are the multiples of a half from 0 to n - 1.
std::vector<double> first_numbers(std::size_t n) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<double>(i));
    return values;
}

}  // namespace

TEST_CASE("signed_rank_interval equals a published interval", "[stats][unit]") {
    // Depression scores, Hollander & Wolfe, example 3.3: before less after treatment.
    const std::vector<double> differences{.952, -.147, 1.022, .430, .620, .590, .490, -.080, .010};
    const centre_interval interval = signed_rank_interval(differences);
    CHECK_THAT(interval.low, WithinAbs(.010, 1e-12));
    CHECK_THAT(interval.centre, WithinAbs(.460, 1e-12));
    CHECK_THAT(interval.high, WithinAbs(.786, 1e-12));
    CHECK(interval.level == 0.95);
}

TEST_CASE("signed_rank_interval leaves out as many averages as the tables of the statistic say", "[stats][unit]") {
    // One more than the largest statistic that is significant at 5 %, two-sided: tables of Wilcoxon's test.
    const auto [n, outside] = GENERATE(table<std::size_t, std::size_t>(
        {{6, 1}, {7, 3}, {8, 4}, {9, 6}, {10, 9}, {11, 11}, {12, 14}, {13, 18}, {20, 53}, {25, 90}, {50, 435}}));
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(std::pow(1.3, static_cast<double>(i)));  // no equal averages
    std::vector<double> averages;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) averages.push_back(values[i] / 2 + values[j] / 2);
    std::ranges::sort(averages);
    CHECK(signed_rank_interval(values).low == averages[outside - 1]);
    CHECK(signed_rank_interval(values).high == averages[averages.size() - outside]);
}

TEST_CASE("signed_rank_interval goes on without a step where its distribution becomes normal", "[stats][unit]") {
    const auto width = [](std::size_t n) {
        const centre_interval interval = signed_rank_interval(first_numbers(n));
        return (interval.high - interval.low) / static_cast<double>(n);
    };
    CHECK(width(51) < width(50));
    CHECK(width(51) > 0.97 * width(50));
}

TEST_CASE("signed_rank_interval has no ends below six values", "[stats][unit]") {
    const centre_interval five = signed_rank_interval(first_numbers(centre_interval::minimum - 1));
    CHECK(five.low == -std::numeric_limits<double>::infinity());
    CHECK(five.centre == 2);
    CHECK(five.high == std::numeric_limits<double>::infinity());
    const centre_interval six = signed_rank_interval(first_numbers(centre_interval::minimum));
    CHECK(six.low == 0);
    CHECK(six.high == 5);
}

TEST_CASE("signed_rank_interval does not depend on the order, and moves and stretches with its values",
          "[stats][unit]") {
    std::vector<double> values = first_numbers(15);
    for (double& v : values) v = 0.25 * v + 3;
    std::swap(values.front(), values[9]);
    const centre_interval moved = signed_rank_interval(values);
    const centre_interval original = signed_rank_interval(first_numbers(15));
    CHECK(moved.low == 0.25 * original.low + 3);
    CHECK(moved.centre == 0.25 * original.centre + 3);
    CHECK(moved.high == 0.25 * original.high + 3);
}

TEST_CASE("signed_rank_interval of equal values is a point", "[stats][unit]") {
    const centre_interval interval = signed_rank_interval(std::vector<double>(10, 0.25));
    CHECK(interval.low == 0.25);
    CHECK(interval.centre == 0.25);
    CHECK(interval.high == 0.25);
}

TEST_CASE("signed_rank_interval refuses no values and values that are not finite", "[stats][unit]") {
    CHECK_THROWS_AS(signed_rank_interval({}), input_error);
    CHECK_THROWS_AS(signed_rank_interval(std::vector<double>{1, std::nan(""), 2}), input_error);
}
