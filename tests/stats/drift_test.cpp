// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/rank_test.hpp>

#include <support/test.hpp>

#include <random>

using namespace perfspec;
using Catch::Matchers::WithinAbs;

namespace {

/// Processes around 2 ms whose logarithms are normal.
std::vector<double> noisy_processes(std::size_t count, double spread, std::uint64_t seed = 5) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0.0, spread);
    std::vector<double> processes(count);
    for (double& l : processes) l = 2e6 * std::exp(noise(random));
    return processes;
}

/// The share of runs that detect fresh processes that are `slower` times slower.
double found_in(const std::vector<double>& stored, double spread, double slower, double allowance) {
    int found = 0;
    constexpr int runs = 300;
    for (int run = 0; run < runs; ++run) {
        drifting_rank_test test(stored, direction::less, allowance);
        for (const double process : noisy_processes(20, spread, 100 + static_cast<std::uint64_t>(run)))
            if (test.is_open()) test.add(process * (1 + slower));
        found += test.decided() == decision::violated ? 1 : 0;
    }
    return static_cast<double>(found) / runs;
}

}  // namespace

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

TEST_CASE("a rate of one half allows the usual drift", "[stats][unit]") {
    CHECK(drift_allowance(std::vector{0.0, 0.5, 0.7}, 0.1, 0.5) == 0.1);
}

TEST_CASE("a new session lies beyond the allowance at most at the rate, if sessions vary as usual", "[stats][unit]") {
    std::mt19937_64 random(11);
    std::normal_distribution<double> session(0.0, 0.0066);  // so that one session has 10 %
    constexpr int runs = 200'000;
    for (const std::size_t sessions : {1U, 3U, 5U, 10U}) {
        int beyond = 0;
        int beyond_half = 0;
        for (int run = 0; run < runs; ++run) {
            std::vector<double> centers(sessions);
            double mean = 0.0;
            for (double& c : centers) mean += (c = session(random)) / static_cast<double>(sessions);
            const double fresh = session(random) - mean;
            const double allowed = std::log1p(drift_allowance(centers, 0.10, 0.001));
            beyond += fresh > allowed ? 1 : 0;
            beyond_half += fresh > allowed / 4.0 ? 1 : 0;
        }
        CAPTURE(sessions);
        CHECK(beyond <= runs / 1000 + 50);
        CHECK(beyond_half > runs / 1000 + 50);  // the control: a quarter of the allowance is not enough
    }
}

TEST_CASE("drift_allowance refuses what is no session", "[stats][unit]") {
    CHECK_THROWS_AS(drift_allowance(std::vector<double>{}, 0.10, 0.001), input_error);
    CHECK_THROWS_AS(drift_allowance(std::vector{std::numeric_limits<double>::infinity()}, 0.10, 0.001), input_error);
}

TEST_CASE("detectable_change is found in nine of ten runs, and half of it is not", "[stats][unit]") {
    const auto stored = noisy_processes(40, 0.01);
    const double allowance = GENERATE(0.0, 0.10);
    const double detects = detectable_change(stored, direction::less, allowance);
    CAPTURE(allowance, detects);
    CHECK(detects > allowance);
    CHECK(found_in(stored, 0.01, detects, allowance) > 0.8);
    CHECK(found_in(stored, 0.01, allowance + (detects - allowance) / 3, allowance) < 0.5);
}

TEST_CASE("detectable_change shrinks with more processes, and grows with their spread", "[stats][unit]") {
    const auto detects = [](std::size_t processes, double spread) {
        return detectable_change(noisy_processes(processes, spread), direction::less, 0.0);
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
