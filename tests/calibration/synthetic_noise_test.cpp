// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Error rates and power of ratio claims under five kinds of synthetic noise, 2000 runs of at most 300 pairs a stage each,
// with fixed seeds; the limits are those of the acceptance table (statistics.md 12 B). Every run prints its figures.

#include "support/claim_simulation.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <cmath>
#include <cstdio>

using namespace perfspec::testing;

namespace {

noise_kind each_noise() { return GENERATE(from_range(all_noise)); }

simulated_verdicts simulate_and_print(const char* what, const simulated_claim& claim) {
    const auto v = simulate(claim);
    std::printf("%-34s %-14s seed %llu: first stage %5.2f %%, violated %6.2f %%, holds %6.2f %%, pairs to hold %2.0f, to fail %2.0f\n",
                what, name_of(claim.kind), static_cast<unsigned long long>(claim.seed), v.first_stage, v.violated, v.holds,
                v.median_to_holds, v.median_to_violated);
    return v;
}

}  // namespace

TEST_CASE("sequential keeps the false-failure rate at the bound", "[stats][calibration]") {
    const auto v = simulate_and_print("at the bound", {each_noise(), 0});
    CHECK(v.first_stage <= 3.8);
    CHECK(v.violated <= 0.2);
}

TEST_CASE("sequential keeps both rates at the bound without a margin", "[stats][calibration]") {
    // Nothing else can end a run early here: the levels themselves, 3.16 and 5 %, and chance of 2000 runs.
    perfspec::sequential_settings no_margin;
    no_margin.margin = 0;
    const auto v = simulate_and_print("at the bound without a margin", {each_noise(), 0, pair_order::random, no_margin});
    CHECK(v.first_stage <= 3.8);
    CHECK(v.holds <= 6);
}

TEST_CASE("sequential keeps the false-pass rate at the moved bound", "[stats][calibration]") {
    const auto v = simulate_and_print("at the moved bound", {each_noise(), -std::log1p(0.005)});
    CHECK(v.holds <= 6);
}

TEST_CASE("sequential passes a claim that is true by two percent", "[stats][calibration]") {
    const auto v = simulate_and_print("two percent inside", {each_noise(), -std::log(0.98)});
    CHECK(v.violated == 0);
    CHECK(v.holds >= 99.5);
    CHECK(v.median_to_holds <= 20);
}

TEST_CASE("sequential fails five percent slower against .97", "[stats][calibration]") {
    const auto v = simulate_and_print("five percent slower against .97", {each_noise(), -std::log(1.05) - std::log(0.97)});
    CHECK(v.violated >= 99);
    CHECK(v.median_to_violated <= 45);
}

TEST_CASE("sequential without a coin for each pair decides a tick, not the claim", "[stats][calibration]") {  // negative control
    const auto order = GENERATE(pair_order::one_coin, pair_order::alternating);
    const auto v =
        simulate_and_print(order == pair_order::one_coin ? "at the bound, A B A B" : "at the bound, A B B A", {noise_kind::tick, 0, order});
    CHECK(v.first_stage > 40);
}
