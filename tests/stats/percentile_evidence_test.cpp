// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "stats/tailed_pairs.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/sequential/percentile_evidence.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <limits>

using Catch::Matchers::WithinAbs;
using perfspec::percentile_evidence;
using perfspec::testing::tailed_pairs;

TEST_CASE("percentile_evidence equals the reference vectors", "[stats][unit]") {  // stats/README.md, "Reference values"
    struct row {
        std::size_t pairs;
        double tail, level, ratio, log_e_for, log_e_against;
        std::size_t astride;
    };
    const auto r = GENERATE(values<row>({
        {200, 1, .9, 1, 0, 0, 0},
        {300, 1, .9, 1, -1.623588271, -1.156592695, 19},
        {900, 1, .9, 1, -3.692186295, -4.097651435, 137},
        {900, 1.5, .9, 1, -13.847847641, 8.151114555, 128},
        {900, 1.5, .9, 1.2, 11.559494385, -15.023420970, 126},
        {900, 1.5, .99, 1.2, -4.221235190, 7.924776059, 14},
        {1000, 3, .95, 1.1, -19.173239945, 50.891552496, 81},
    }));
    percentile_evidence e(r.level, r.ratio);
    for (const auto& p : tailed_pairs(r.pairs, r.tail)) e.add(p.old_time, p.fresh_time);
    CHECK_THAT(e.log_e_for(), WithinAbs(r.log_e_for, 1e-8));
    CHECK_THAT(e.log_e_against(), WithinAbs(r.log_e_against, 1e-8));
    CHECK(e.astride() == r.astride);
    CHECK(e.size() == r.pairs);
}

TEST_CASE("percentile_evidence bets on the side that lies beyond the past limit alone", "[stats][unit]") {
    percentile_evidence e(.9);
    for (int i = 0; i < 200; ++i) e.add(100, 100);
    const double won = std::log((1.2 + 1.5 + 1.9) / 3);
    const double lost = std::log((0.8 + 0.5 + 0.1) / 3);
    e.add(101, 101);  // both
    e.add(100, 100);  // neither: the limit itself is not beyond it
    CHECK(e.astride() == 0);
    e.add(101, 100);
    CHECK_THAT(e.log_e_for(), WithinAbs(won, 1e-12));
    CHECK_THAT(e.log_e_against(), WithinAbs(lost, 1e-12));
    e.add(100, 1e9);  // how far beyond is no matter
    CHECK_THAT(e.log_e_for(), WithinAbs(e.log_e_against(), 1e-12));
}

TEST_CASE("percentile_evidence bets on the pair after the first 200", "[stats][unit]") {
    percentile_evidence e(.9);
    for (int i = 0; i < 199; ++i) e.add(100, 100);
    e.add(101, 100);
    CHECK(e.astride() == 0);
    e.add(101, 100);
    CHECK(e.astride() == 1);
}

TEST_CASE("percentile_evidence compares fresh with the ratio times old", "[stats][unit]") {
    percentile_evidence e(.9, 2);
    for (int i = 0; i < 200; ++i) e.add(100, 200);
    e.add(100, 200);
    CHECK(e.astride() == 0);
    e.add(100, 201);
    CHECK(e.log_e_against() > 0);
}

TEST_CASE("percentile_evidence sets its limit after 200 pairs and when their number has doubled", "[stats][unit]") {
    percentile_evidence e(.9);
    for (int i = 0; i < 200; ++i) e.add(100, 100);
    for (int i = 0; i < 200; ++i) e.add(200, 200);  // the limit stays at 100
    CHECK(e.astride() == 0);
    e.add(150, 100);  // the limit is 200
    CHECK(e.astride() == 0);
    e.add(201, 100);
    CHECK(e.astride() == 1);
}

TEST_CASE("percentile_evidence bets on a pair before the pair moves the limit", "[stats][unit]") {
    percentile_evidence e(.9);
    for (int i = 0; i < 200; ++i) e.add(100, 100);
    for (int i = 0; i < 199; ++i) e.add(200, 200);  // the limit stays at 100
    CHECK(e.astride() == 0);
    e.add(150, 100);  // the 400th: the limit is 100, and 200 from here on
    CHECK(e.astride() == 1);
}

TEST_CASE("percentile_evidence refuses what is no time, no ratio and no level", "[stats][unit]") {
    const double wrong =
        GENERATE(0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN());
    percentile_evidence e(.9);
    CHECK_THROWS_AS(e.add(wrong, 1), perfspec::input_error);
    CHECK_THROWS_AS(e.add(1, wrong), perfspec::input_error);
    CHECK(e.size() == 0);
    CHECK_THROWS_AS(percentile_evidence(.9, wrong), perfspec::input_error);
    CHECK_THROWS_AS(percentile_evidence(.999), perfspec::input_error);
}
