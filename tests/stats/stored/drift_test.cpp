// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/stored/drift.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using Catch::Matchers::WithinAbs;
using perfspec::drift_allowance;

TEST_CASE("one session has the usual allowance, and so have two that agree", "[stats][unit]") {
    CHECK_THAT(drift_allowance(std::vector{7.0}, 0.10, 0.001), WithinAbs(0.10, 1e-9));
    CHECK_THAT(drift_allowance(std::vector{7.0}, 0.03, 0.01), WithinAbs(0.03, 1e-9));
    CHECK(drift_allowance(std::vector{7.0, 7.001}, 0.10, 0.001) == 0.10);
}

TEST_CASE("two sessions that differ by more have more", "[stats][unit]") {
    CHECK_THAT(drift_allowance(std::vector{7.0, 7.04}, 0.10, 0.001), WithinAbs(0.14339, 1e-5));
}

// The values by the quantiles of scipy.stats.t.
TEST_CASE("from three sessions on the allowance is what they show", "[stats][unit]") {
    CHECK_THAT(drift_allowance(std::vector{7.0, 7.0, 7.0}, 0.10, 0.001), WithinAbs(0.03539, 1e-5));
    CHECK_THAT(drift_allowance(std::vector{0.0, 0.01, 0.02}, 0.10, 0.001), WithinAbs(0.05689, 1e-5));
    CHECK_THAT(drift_allowance(std::vector{0.0, 0.1, 0.2}, 0.10, 0.001), WithinAbs(0.54002, 1e-5));
}

TEST_CASE("a drift of 0 allows nothing, and a rate of one half what is usual", "[stats][unit]") {
    CHECK(drift_allowance(std::vector{0.0, 0.5}, 0.0, 0.001) == 0.0);
    CHECK(drift_allowance(std::vector{0.0, 0.5, 0.7}, 0.1, 0.5) == 0.1);
}

TEST_CASE("a new session lies beyond the allowance at most at the rate, where sessions are as alike as usual",
          "[stats][unit]") {
    std::mt19937_64 random(11);
    std::normal_distribution<double> session(0.0, 0.0066);  // so that one session has 10 %
    constexpr int runs = 200'000;
    for (const std::size_t sessions : {1U, 3U, 5U, 10U}) {
        int beyond = 0;
        int beyond_half = 0;
        for (int run = 0; run < runs; ++run) {
            std::vector<double> centres(sessions);
            double mean = 0.0;
            for (double& c : centres) mean += (c = session(random)) / static_cast<double>(sessions);
            const double fresh = session(random) - mean;
            const double allowed = std::log1p(drift_allowance(centres, 0.10, 0.001));
            beyond += fresh > allowed ? 1 : 0;
            beyond_half += fresh > allowed / 4.0 ? 1 : 0;
        }
        CAPTURE(sessions);
        CHECK(beyond <= runs / 1000 + 50);
        CHECK(beyond_half > runs / 1000 + 50);  // the control: a quarter of the allowance does not do
    }
}

TEST_CASE("drift_allowance refuses what is no session and no drift", "[stats][unit]") {
    CHECK_THROWS_AS(drift_allowance(std::vector<double>{}, 0.10, 0.001), perfspec::input_error);
    CHECK_THROWS_AS(drift_allowance(std::vector{std::numeric_limits<double>::infinity()}, 0.10, 0.001),
                    perfspec::input_error);
    CHECK_THROWS_AS(drift_allowance(std::vector{0.0}, -0.10, 0.001), perfspec::input_error);
    CHECK_THROWS_AS(drift_allowance(std::vector{0.0}, 0.10, 0.0), perfspec::input_error);
}
