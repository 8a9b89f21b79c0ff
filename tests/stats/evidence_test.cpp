// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <support/test.hpp>

using namespace perfspec;
using namespace perfspec::testing;

namespace {

/// The 30 differences of the reference: (-1)^i ((37 i mod 11) + 1/2).
std::vector<double> thirty_differences() {
    std::vector<double> d;
    for (int i = 0; i < 30; ++i) d.push_back((i % 2 == 0 ? 1 : -1) * (37 * i % 11 + 0.5));
    return d;
}

signed_rank_evidence evidence_of(const std::vector<double>& differences) {
    signed_rank_evidence e;
    for (const double d : differences) e.add(d);
    return e;
}

}  // namespace

TEST_CASE("signed_rank_evidence equals the reference vectors",
          "[stats][unit]") {  // stats/README.md, "Reference values"
    const auto [differences, log_e_for, log_e_against] = GENERATE(table<std::vector<double>, double, double>({
        {std::vector<double>(10, 1.0), 4.964948478, -2.962822822},
        {std::vector<double>(10, -1.0), -2.962822822, 4.964948478},
        {{1, -2, 3, -1, 2, 2, 5, -.5, 4, 1}, .898325339, -2.090963216},
        {{0, .5, .5, -.5, 1}, .402519611, -1.322486087},
        {{3, 2, 1, -1, -2, -3}, -.809224536, -.291956064},
        {thirty_differences(), -1.624882668, -1.498024714},
    }));
    const signed_rank_evidence e = evidence_of(differences);
    CHECK_THAT(e.log_e_for(), WithinAbs(log_e_for, 1e-8));
    CHECK_THAT(e.log_e_against(), WithinAbs(log_e_against, 1e-8));
    CHECK(e.size() == differences.size());
}

TEST_CASE("signed_rank_evidence starts without an opinion", "[stats][unit]") {
    const signed_rank_evidence e;
    CHECK(e.size() == 0);
    CHECK_THAT(e.log_e_for(), WithinAbs(0, 1e-15));
    CHECK_THAT(e.log_e_against(), WithinAbs(0, 1e-15));
}

TEST_CASE("signed_rank_evidence counts a zero in the ranks and wins no bet", "[stats][unit]") {
    const signed_rank_evidence zeros = evidence_of({0, 0.0, -0.0});
    CHECK(zeros.size() == 3);
    CHECK_THAT(zeros.log_e_for(), WithinAbs(0, 1e-15));

    // After one zero the next magnitude has rank (1 + 1/2) / 2 instead of 1/2.
    const signed_rank_evidence after_zero = evidence_of({0, 1});
    const double wealth = (1 + .35 * .75 + 1 + .85 * .75 + 1.2 + 1.5 + 1.9) / 5;
    CHECK_THAT(after_zero.log_e_for(), WithinAbs(std::log(wealth), 1e-14));
}

TEST_CASE("signed_rank_evidence does not depend on the unit", "[stats][unit]") {
    auto scaled = thirty_differences();
    for (double& d : scaled) d *= 0x1p-40;
    CHECK(evidence_of(scaled).log_e_for() == evidence_of(thirty_differences()).log_e_for());
}

TEST_CASE("signed_rank_evidence swaps its sides with the signs", "[stats][unit]") {
    auto negated = thirty_differences();
    for (double& d : negated) d = -d;
    const signed_rank_evidence e = evidence_of(thirty_differences());
    const signed_rank_evidence swapped = evidence_of(negated);
    CHECK(swapped.log_e_for() == e.log_e_against());
    CHECK(swapped.log_e_against() == e.log_e_for());
}

TEST_CASE("signed_rank_evidence is a fair game after any past", "[stats][unit]") {
    // Conditional on the past and the next magnitude, the mean of E over both signs is E itself.
    const auto past = thirty_differences();
    const signed_rank_evidence before = evidence_of(past);
    const double magnitude = GENERATE(0.001, 0.5, 3.0, 10.5, 1000.0);
    auto up = before;
    auto down = before;
    up.add(magnitude);
    down.add(-magnitude);
    const double mean = (std::exp(up.log_e_for()) + std::exp(down.log_e_for())) / 2;
    CHECK_THAT(mean, WithinAbs(std::exp(before.log_e_for()), 1e-14));
}

TEST_CASE("signed_rank_evidence refuses what is not finite", "[stats][unit]") {
    signed_rank_evidence e;
    const double d = GENERATE(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_AS(e.add(d), input_error);
    CHECK_THROWS_WITH(e.add(d), ContainsSubstring("expected a finite number such as"));
    CHECK(e.size() == 0);
}

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
    const center_interval interval = signed_rank_interval(differences);
    CHECK_THAT(interval.low, WithinAbs(.010, 1e-12));
    CHECK_THAT(interval.center, WithinAbs(.460, 1e-12));
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

TEST_CASE("signed_rank_interval continues without a step where its distribution becomes normal", "[stats][unit]") {
    const auto width = [](std::size_t n) {
        const center_interval interval = signed_rank_interval(first_numbers(n));
        return (interval.high - interval.low) / static_cast<double>(n);
    };
    CHECK(width(51) < width(50));
    CHECK(width(51) > 0.97 * width(50));
}

TEST_CASE("signed_rank_interval has no ends below six values", "[stats][unit]") {
    const center_interval five = signed_rank_interval(first_numbers(center_interval::minimum - 1));
    CHECK(five.low == -std::numeric_limits<double>::infinity());
    CHECK(five.center == 2);
    CHECK(five.high == std::numeric_limits<double>::infinity());
    const center_interval six = signed_rank_interval(first_numbers(center_interval::minimum));
    CHECK(six.low == 0);
    CHECK(six.high == 5);
}

TEST_CASE("signed_rank_interval does not depend on the order, and moves and stretches with its values",
          "[stats][unit]") {
    std::vector<double> values = first_numbers(15);
    for (double& v : values) v = 0.25 * v + 3;
    std::swap(values.front(), values[9]);
    const center_interval moved = signed_rank_interval(values);
    const center_interval original = signed_rank_interval(first_numbers(15));
    CHECK(moved.low == 0.25 * original.low + 3);
    CHECK(moved.center == 0.25 * original.center + 3);
    CHECK(moved.high == 0.25 * original.high + 3);
}

TEST_CASE("signed_rank_interval of equal values is a point", "[stats][unit]") {
    const center_interval interval = signed_rank_interval(std::vector<double>(10, 0.25));
    CHECK(interval.low == 0.25);
    CHECK(interval.center == 0.25);
    CHECK(interval.high == 0.25);
}

TEST_CASE("signed_rank_interval refuses no values and values that are not finite", "[stats][unit]") {
    CHECK_THROWS_AS(signed_rank_interval({}), input_error);
    CHECK_THROWS_AS(signed_rank_interval(std::vector<double>{1, std::nan(""), 2}), input_error);
}
