// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/stored/detectable.hpp>
#include <perfspec/stats/stored/drifting_rank_test.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using perfspec::detectable_change;
using perfspec::direction;
using perfspec::relative_spread;

namespace {

/// Launches around 2 ms whose logarithms are normal.
std::vector<double> noisy_launches(std::size_t count, double spread, std::uint64_t seed = 5) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0.0, spread);
    std::vector<double> launches(count);
    for (double& l : launches) l = 2e6 * std::exp(noise(random));
    return launches;
}

/// The share of runs that find fresh launches which are so much slower.
double found_in(const std::vector<double>& stored, double spread, double slower, double allowance) {
    int found = 0;
    constexpr int runs = 300;
    for (int run = 0; run < runs; ++run) {
        perfspec::drifting_rank_test test(stored, direction::less, allowance);
        for (const double launch : noisy_launches(20, spread, 100 + static_cast<std::uint64_t>(run)))
            if (test.is_open()) test.add(launch * (1 + slower));
        found += test.decided() == perfspec::decision::violated ? 1 : 0;
    }
    return static_cast<double>(found) / runs;
}

}  // namespace

TEST_CASE("relative_spread is a robust standard deviation of the logarithms", "[stats][unit]") {
    std::vector<double> launches;  // logarithms -.05 -.04 … .05, of MAD .03
    for (int i = -5; i <= 5; ++i) launches.push_back(std::exp(.01 * i));
    launches.back() *= 1000;
    CHECK_THAT(relative_spread(launches), WithinRel(1.4826 * .03, 1e-9));
}

TEST_CASE("relative_spread of equal launches is none, of counts of zero too", "[stats][unit]") {
    CHECK(relative_spread(std::vector<double>(10, GENERATE(0.0, 3.0))) == 0);
}

TEST_CASE("relative_spread refuses values without a logarithm", "[stats][unit]") {
    CHECK_THROWS_WITH(relative_spread({}), ContainsSubstring("found no values"));
    CHECK_THROWS_WITH(relative_spread(std::vector<double>{1, 0}), ContainsSubstring("found the launch value 0"));
    CHECK_THROWS_AS(relative_spread(std::vector<double>{1, -1}), perfspec::input_error);
    CHECK_THROWS_AS(relative_spread(std::vector<double>{1, std::nan("")}), perfspec::input_error);
    CHECK_THROWS_AS(relative_spread(std::vector<double>{1, std::numeric_limits<double>::infinity()}),
                    perfspec::input_error);
}

TEST_CASE("detectable_change is found in nine of ten runs, and half of it is not", "[stats][unit]") {
    const auto stored = noisy_launches(40, 0.01);
    const double allowance = GENERATE(0.0, 0.10);
    const double detects = detectable_change(stored, direction::less, allowance);
    CAPTURE(allowance, detects);
    CHECK(detects > allowance);
    CHECK(found_in(stored, 0.01, detects, allowance) > 0.8);
    CHECK(found_in(stored, 0.01, allowance + (detects - allowance) / 3, allowance) < 0.5);
}

TEST_CASE("detectable_change shrinks with more launches, and grows with their spread", "[stats][unit]") {
    const auto detects = [](std::size_t launches, double spread) {
        return detectable_change(noisy_launches(launches, spread), direction::less, 0.0);
    };
    CHECK(detects(40, 0.01) < detects(10, 0.01));
    CHECK(detects(40, 0.01) < detects(40, 0.04));
    CHECK(detects(40, 0.01) < 0.03);
}

TEST_CASE("detectable_change of a rate is what it loses", "[stats][unit]") {
    const std::vector<double> equal(10, 100.0);
    CHECK_THAT(detectable_change(equal, direction::less, 0.25), WithinAbs(1.25 * 1.005 - 1, 2e-4));
    CHECK_THAT(detectable_change(equal, direction::more, 0.25), WithinAbs(1 - 1 / (1.25 * 1.005), 2e-4));
    CHECK(detectable_change(equal, direction::less, 20.0) == std::numeric_limits<double>::infinity());
}
