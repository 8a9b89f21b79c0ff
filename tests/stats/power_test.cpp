// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/power.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <random>
#include <vector>

using namespace perfspec;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// Log ratios of a body against itself: a normal noise of this size.
std::vector<double> recording(double noise, std::size_t pairs = 2000) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal(0.0, noise);
    std::vector<double> ratios(pairs);
    for (double& r : ratios) r = normal(random);
    return ratios;
}

/// The margin lets slowdowns pass that are smaller than it, whatever the noise.
self_comparison without_margin(std::size_t pairs) {
    self_comparison how{.pairs = pairs};
    how.settings.margin = 0.0;
    return how;
}

std::vector<double> repeated(double ratio, std::size_t count) { return std::vector<double>(count, ratio); }

}  // namespace

TEST_CASE("alarms_at finds what is larger than the noise, and nothing in its absence", "[stats][unit]") {
    const auto quiet = recording(0.001);
    CHECK(alarms_at(quiet, 0.05, {}).both_stages == 1.0);
    CHECK(alarms_at(quiet, 0.05, {}).first_stage == 1.0);
    CHECK(alarms_at(quiet, -0.05, {}).first_stage == 0.0);
    const auto alarms = alarms_at(quiet, 0.0, {});
    CHECK(alarms.first_stage < 0.05);
    CHECK(alarms.both_stages <= alarms.first_stage);
}

TEST_CASE("alarms_at sees a body that is not exchangeable with itself", "[stats][unit]") {
    auto biased = recording(0.001);
    for (double& r : biased) r -= 0.02;  // what an order that is not random would do
    CHECK(alarms_at(biased, 0.0, {}).both_stages == 1.0);
}

TEST_CASE("alarms_at takes a second stage from elsewhere in the recording", "[stats][unit]") {
    std::vector<double> half(2000, 0.01);
    for (std::size_t i = 1000; i < half.size(); ++i) half[i] = -0.01;  // violated only in the later half
    const auto alarms =
        alarms_at(half, 0.0, {.pairs = 100, .trials = 4, .settings = {}});  // starts at 0, 500, 1000, 1500
    CHECK(alarms.first_stage == 0.5);
    CHECK(alarms.both_stages == 0.0);
}

TEST_CASE("smallest_effect grows with the noise and shrinks with the pairs", "[stats][unit]") {
    const auto quiet = recording(0.002);
    const double in_many = smallest_effect(quiet, 0.95, without_margin(1000));
    const double in_few = smallest_effect(quiet, 0.95, without_margin(30));
    CHECK(in_few > 2.0 * in_many);
    CHECK_THAT(smallest_effect(recording(0.02), 0.95, without_margin(30)), WithinRel(10.0 * in_few, 0.1));
    CHECK(alarms_at(quiet, in_few, without_margin(30)).both_stages >= 0.95);
    CHECK(alarms_at(quiet, in_few / 1.03, without_margin(30)).both_stages < 0.95);
}

TEST_CASE("smallest_effect is larger where a margin lets small ones pass", "[stats][unit]") {
    const auto noisy = recording(0.002);
    CHECK(smallest_effect(noisy, 0.95, {.pairs = 1000}) > 2.0 * smallest_effect(noisy, 0.95, without_margin(1000)));
}

TEST_CASE("smallest_effect is infinite where nothing is found", "[stats][unit]") {
    CHECK(std::isinf(smallest_effect(recording(3.0), 0.95, {.pairs = 10})));
}

TEST_CASE("alarms_at refuses what cannot be judged", "[stats][unit]") {
    const auto r = recording(0.01, GENERATE(std::size_t{0}, std::size_t{9}));
    CHECK_THROWS_AS(alarms_at(r, 0.0, {}), input_error);
    CHECK_THROWS_AS(alarms_at(recording(0.01), 0.0, {.pairs = 9}), input_error);
    CHECK_THROWS_AS(alarms_at(recording(0.01), 0.0, {.trials = 0}), input_error);
    CHECK_THROWS_AS(alarms_at(recording(0.01), -1.0, {}), input_error);
}

TEST_CASE("repeat_claims share no pair", "[stats][unit]") {
    // Ten equal pairs decide a stage at the first look.
    const auto held = repeat_claims(repeated(0.01, 57), {});
    CHECK(held.claims == 5);
    CHECK(held.first_stage == 0);
    const auto violated = repeat_claims(repeated(-0.01, 57), {});
    CHECK(violated.claims == 3);  // two stages each; the last one has no pairs left for its second
    CHECK(violated.first_stage == 3);
    CHECK(violated.both_stages == 2);
}

TEST_CASE("repeat_claims counts a stage that ends undecided, and not one that the recording ends", "[stats][unit]") {
    std::vector<double> ratios;
    for (int i = 0; i < 65; ++i) ratios.push_back(i % 2 == 0 ? 0.1 : -0.1);
    CHECK(repeat_claims(ratios, {.pairs = 20}).claims == 3);
    ratios.resize(19);
    CHECK(repeat_claims(ratios, {.pairs = 20}).claims == 0);
}

TEST_CASE("repeat_claims keep the rate of a stage, where overlapping windows show one bad stretch in many of them",
          "[stats][calibration]") {
    std::mt19937_64 random(3);
    std::bernoulli_distribution random_order;
    std::vector<double> ratios;
    for (int i = 0; i < 200'000; ++i) ratios.push_back(random_order(random) ? 0.01 : -0.01);
    const auto exact = repeat_claims(ratios, {.pairs = 500});
    CHECK(limits_of_fraction(exact.first_stage, exact.claims, 0.999).low < 0.0317);
    CHECK(exact.claims > 400);
    // The negative control: an order that is not random leaves one side the slower one.
    for (double& r : ratios) r -= 0.004;
    const auto biased = repeat_claims(ratios, {.pairs = 500});
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
