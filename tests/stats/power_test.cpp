// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/sequential.hpp>

#include <support/test.hpp>

#include <random>

using namespace perfspec;
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

/// Settings without a margin, which lets smaller slowdowns pass at any noise.
self_comparison without_margin(std::size_t pairs) {
    self_comparison how{.pairs = pairs};
    how.settings.margin = 0.0;
    return how;
}

}  // namespace

TEST_CASE("alarms_at finds what is larger than the noise, and nothing in its absence", "[stats][unit]") {
    const auto quiet = recording(0.001);
    CHECK(alarms_at(quiet, 0.05, {}) == 1.0);
    CHECK(alarms_at(quiet, -0.05, {}) == 0.0);
    CHECK(alarms_at(quiet, 0.0, {}) < 0.05);
}

TEST_CASE("alarms_at sees a body that is not exchangeable with itself", "[stats][unit]") {
    auto biased = recording(0.001);
    for (double& r : biased) r -= 0.02;  // as an order that is not random would
    CHECK(alarms_at(biased, 0.0, {}) == 1.0);
}

TEST_CASE("alarms_at takes a second stage from elsewhere in the recording", "[stats][unit]") {
    std::vector<double> half(2000, 0.01);
    for (std::size_t i = 1000; i < half.size(); ++i) half[i] = -0.01;      // violated only in the later half
    const self_comparison how{.pairs = 100, .trials = 4, .settings = {}};  // starts at 0, 500, 1000, 1500
    CHECK(alarms_at(half, 0.0, how) == 0.0);
    CHECK(alarms_at(std::vector<double>(2000, -0.01), 0.0, how) == 1.0);
}

TEST_CASE("smallest_effect grows with the noise and shrinks with the pairs", "[stats][unit]") {
    const auto quiet = recording(0.002);
    const double in_many = smallest_effect(quiet, 0.95, without_margin(1000));
    const double in_few = smallest_effect(quiet, 0.95, without_margin(30));
    CHECK(in_few > 2.0 * in_many);
    CHECK_THAT(smallest_effect(recording(0.02), 0.95, without_margin(30)), WithinRel(10.0 * in_few, 0.1));
    CHECK(alarms_at(quiet, in_few, without_margin(30)) >= 0.95);
    CHECK(alarms_at(quiet, in_few / 1.03, without_margin(30)) < 0.95);
}

TEST_CASE("smallest_effect is larger where a margin lets small ones pass", "[stats][unit]") {
    const auto noisy = recording(0.002);
    CHECK(smallest_effect(noisy, 0.95, {.pairs = 1000}) > 2.0 * smallest_effect(noisy, 0.95, without_margin(1000)));
}

TEST_CASE("smallest_effect is infinite where nothing is found", "[stats][unit]") {
    CHECK(std::isinf(smallest_effect(recording(3.0), 0.95, {.pairs = 10})));
}
