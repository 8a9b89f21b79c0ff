// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/evidence.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

using namespace perfspec;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

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

signed_rank_evidence evidence_at(double theta, std::vector<double> differences) {
    for (double& d : differences) d -= theta;
    return evidence_of(differences);
}

}  // namespace

TEST_CASE("signed_rank_evidence equals the reference vectors",
          "[stats][unit]") {  // stats/README.md, "Reference values"
    struct row {
        std::vector<double> differences;
        double log_e_for, log_e_against;
    };
    const auto r = GENERATE(values<row>({
        {std::vector<double>(10, 1.0), 4.964948478, -2.962822822},
        {std::vector<double>(10, -1.0), -2.962822822, 4.964948478},
        {{1, -2, 3, -1, 2, 2, 5, -.5, 4, 1}, .898325339, -2.090963216},
        {{0, .5, .5, -.5, 1}, .402519611, -1.322486087},
        {{3, 2, 1, -1, -2, -3}, -.809224536, -.291956064},
        {thirty_differences(), -1.624882668, -1.498024714},
    }));
    const signed_rank_evidence e = evidence_of(r.differences);
    CHECK_THAT(e.log_e_for(), WithinAbs(r.log_e_for, 1e-8));
    CHECK_THAT(e.log_e_against(), WithinAbs(r.log_e_against, 1e-8));
    CHECK(e.size() == r.differences.size());
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

TEST_CASE("signed_rank_evidence is a fair game whatever comes before", "[stats][unit]") {
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

TEST_CASE("signed_rank_evidence limits what one outlier can say", "[stats][unit]") {
    const signed_rank_evidence before = evidence_of(thirty_differences());
    auto after = before;
    after.add(1e6);
    CHECK(after.log_e_for() - before.log_e_for() <= std::log(1.9));
}

TEST_CASE("signed_rank_evidence refuses what is not finite", "[stats][unit]") {
    signed_rank_evidence e;
    const double d = GENERATE(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_AS(e.add(d), input_error);
    CHECK_THROWS_WITH(e.add(d), ContainsSubstring("needs a finite number such as"));
    CHECK(e.size() == 0);
}

TEST_CASE("evidence_interval equals the reference interval", "[stats][unit]") {  // stats/README.md, "Reference values"
    const auto interval = evidence_interval(thirty_differences(), 40);
    CHECK_THAT(interval.low, WithinAbs(-4.5, 1e-3));
    CHECK_THAT(interval.high, WithinAbs(4.0, 1e-3));
    CHECK(interval.level == 0.95);
}

TEST_CASE("evidence_interval ends where the evidence reaches the threshold", "[stats][unit]") {
    const double threshold = GENERATE(4.0, 40.0, 1000.0);
    const auto differences = thirty_differences();
    const auto interval = evidence_interval(differences, threshold);
    CAPTURE(interval.low, interval.high);
    const double inward = 2e-6 * (interval.high - interval.low);

    CHECK(evidence_at(interval.low, differences).log_e_for() >= std::log(threshold));
    CHECK(evidence_at(interval.low + inward, differences).log_e_for() < std::log(threshold));
    CHECK(evidence_at(interval.high, differences).log_e_against() >= std::log(threshold));
    CHECK(evidence_at(interval.high - inward, differences).log_e_against() < std::log(threshold));
}

TEST_CASE("evidence_interval moves and stretches with its differences", "[stats][unit]") {
    auto moved = thirty_differences();
    for (double& d : moved) d = 0.001 * d + 0.3;
    const auto interval = evidence_interval(moved);
    const auto original = evidence_interval(thirty_differences());
    CHECK_THAT(interval.low, WithinRel(0.001 * original.low + 0.3, 1e-8));
    CHECK_THAT(interval.centre, WithinRel(0.001 * original.centre + 0.3, 1e-12));
    CHECK_THAT(interval.high, WithinRel(0.001 * original.high + 0.3, 1e-8));
}

TEST_CASE("evidence_interval is unbounded where too few differences can exclude anything", "[stats][unit]") {
    const auto interval = evidence_interval(std::vector<double>{1, 2, 3, 4, 5, 6, 7});
    CHECK(interval.low == -std::numeric_limits<double>::infinity());
    CHECK(interval.centre == 4);
    CHECK(interval.high == std::numeric_limits<double>::infinity());
}

TEST_CASE("evidence_interval is bounded by eight differences at the soonest", "[stats][unit]") {
    std::vector<double> rising;  // each of a higher rank than all before it: the most that can be learned of a side
    while (rising.size() < 100) {
        rising.push_back(std::pow(2.0, static_cast<double>(rising.size())));
        if (std::isfinite(evidence_interval(rising).low)) break;
    }
    CHECK(rising.size() == centre_interval::minimum);
}

TEST_CASE("evidence_interval of equal differences is a point", "[stats][unit]") {
    const auto interval = evidence_interval(std::vector<double>(10, 0.25));
    CHECK_THAT(interval.low, WithinAbs(0.25, 1e-12));
    CHECK(interval.centre == 0.25);
    CHECK_THAT(interval.high, WithinAbs(0.25, 1e-12));
}

TEST_CASE("evidence_interval ends at a centre that the evidence excludes", "[stats][unit]") {
    // The same magnitudes on both sides, so that the centre is 0; but the positive ones come first and growing, each
    // the largest so far, and win more by their ranks than the negative ones, which shrink, take back.
    std::vector<double> differences;
    for (int i = 1; i <= 200; ++i) differences.push_back(i);
    for (int i = 200; i >= 1; --i) differences.push_back(-i);
    REQUIRE(evidence_of(differences).log_e_for() > std::log(40));
    const auto interval = evidence_interval(differences);
    CHECK(interval.centre == 0);
    CHECK_THAT(interval.low, WithinAbs(0, 1e-9));
    CHECK(interval.high > 1);
}

TEST_CASE("evidence_interval refuses a threshold that excludes everything", "[stats][unit]") {
    const double threshold = GENERATE(-1.0, 0.0, 2.0, std::numeric_limits<double>::infinity(), std::nan(""));
    CHECK_THROWS_AS(evidence_interval(thirty_differences(), threshold), input_error);
    CHECK_THROWS_WITH(evidence_interval(thirty_differences(), threshold), ContainsSubstring("such as 40"));
    CHECK_THROWS_AS(evidence_interval({}), input_error);
}
