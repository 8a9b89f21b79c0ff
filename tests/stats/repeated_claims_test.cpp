// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/repeated_claims.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <random>
#include <vector>

using Catch::Matchers::WithinAbs;
using namespace perfspec;

namespace {

std::vector<double> repeated(double ratio, std::size_t count) { return std::vector<double>(count, ratio); }

}  // namespace

TEST_CASE("claims_one_after_the_other share no pair", "[stats][unit]") {
    // Ten equal pairs decide a stage at the first look.
    const auto held = claims_one_after_the_other(repeated(0.01, 57), {});
    CHECK(held.claims == 5);
    CHECK(held.first_stage == 0);
    const auto violated = claims_one_after_the_other(repeated(-0.01, 57), {});
    CHECK(violated.claims == 3);  // two stages each; the last one has no pairs left for its second
    CHECK(violated.first_stage == 3);
    CHECK(violated.both_stages == 2);
}

TEST_CASE("claims_one_after_the_other counts a stage that ends undecided, and not one that the recording ends",
          "[stats][unit]") {
    std::vector<double> ratios;
    for (int i = 0; i < 65; ++i) ratios.push_back(i % 2 == 0 ? 0.1 : -0.1);
    CHECK(claims_one_after_the_other(ratios, {.pairs = 20}).claims == 3);
    ratios.resize(19);
    CHECK(claims_one_after_the_other(ratios, {.pairs = 20}).claims == 0);
}

TEST_CASE(
    "claims_one_after_the_other keep the rate of a stage, where overlapping windows show one bad stretch in many of them",
    "[stats][calibration]") {
    std::mt19937_64 random(3);
    std::bernoulli_distribution coin;
    std::vector<double> ratios;
    for (int i = 0; i < 200'000; ++i) ratios.push_back(coin(random) ? 0.01 : -0.01);
    const auto exact = claims_one_after_the_other(ratios, {.pairs = 500});
    CHECK(limits_of_fraction(exact.first_stage, exact.claims, 0.999).low < 0.0317);
    CHECK(exact.claims > 400);
    // The negative control: an order that is not random leaves one side the slower one.
    for (double& r : ratios) r -= 0.004;
    const auto biased = claims_one_after_the_other(ratios, {.pairs = 500});
    CHECK(limits_of_fraction(biased.first_stage, biased.claims, 0.999).low > 0.0317);
}

TEST_CASE("limits_of_fraction are those of Clopper and Pearson", "[stats][unit]") {
    struct row {
        std::size_t successes, trials;
        double low, high;
    };
    const auto r = GENERATE(values<row>({
        {0, 10, 0.0, 0.30850},
        {1, 48, 0.00053, 0.11070},
        {5, 10, 0.18709, 0.81291},
        {10, 10, 0.69150, 1.0},
        {20, 1000, 0.01226, 0.03072},
    }));
    const fraction_limits found = limits_of_fraction(r.successes, r.trials, 0.95);
    CHECK_THAT(found.low, WithinAbs(r.low, 1e-5));
    CHECK_THAT(found.high, WithinAbs(r.high, 1e-5));
}

TEST_CASE("limits_of_fraction refuses what is no fraction", "[stats][unit]") {
    CHECK_THROWS_AS(limits_of_fraction(0, 0, 0.95), input_error);
    CHECK_THROWS_AS(limits_of_fraction(3, 2, 0.95), input_error);
    CHECK_THROWS_AS(limits_of_fraction(1, 2, 1.0), input_error);
}
