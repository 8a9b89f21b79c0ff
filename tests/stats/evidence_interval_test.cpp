// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/sequential/evidence_interval.hpp>
#include <perfspec/stats/sequential/signed_rank_evidence.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using perfspec::evidence_interval;
using perfspec::signed_rank_evidence;

namespace {

std::vector<double> thirty_differences() {
    std::vector<double> d;
    for (int i = 0; i < 30; ++i) d.push_back((i % 2 == 0 ? 1 : -1) * (37 * i % 11 + 0.5));
    return d;
}

signed_rank_evidence evidence_at(double theta, std::vector<double> differences) {
    for (double& d : differences) d -= theta;
    return signed_rank_evidence(differences);
}

}  // namespace

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
    CHECK(rising.size() == perfspec::centre_interval::minimum);
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
    REQUIRE(signed_rank_evidence(differences).log_e_for() > std::log(40));
    const auto interval = evidence_interval(differences);
    CHECK(interval.centre == 0);
    CHECK_THAT(interval.low, WithinAbs(0, 1e-9));
    CHECK(interval.high > 1);
}

TEST_CASE("evidence_interval refuses a threshold that excludes everything", "[stats][unit]") {
    const double threshold = GENERATE(-1.0, 0.0, 2.0, std::numeric_limits<double>::infinity(), std::nan(""));
    CHECK_THROWS_AS(evidence_interval(thirty_differences(), threshold), perfspec::input_error);
    CHECK_THROWS_WITH(evidence_interval(thirty_differences(), threshold), ContainsSubstring("such as 40"));
    CHECK_THROWS_AS(evidence_interval({}), perfspec::input_error);
}
