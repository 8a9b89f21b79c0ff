// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "stats/tailed_pairs.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/sequential/percentile_sequential.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <limits>
#include <span>

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using perfspec::decision;
using perfspec::min_pairs_to_violate;
using perfspec::percentile_evidence;
using perfspec::percentile_ratio_interval;
using perfspec::percentile_sequential;
using perfspec::sequential_settings;
using perfspec::stages;
using perfspec::time_pair;
using perfspec::testing::tailed_pairs;

namespace {

percentile_sequential replayed(std::span<const time_pair> pairs, double level, double ratio,
                               const sequential_settings& s = sequential_settings::for_percentile_pairs()) {
    percentile_sequential test(level, ratio, s);
    for (const time_pair& p : pairs) test.add(p);
    return test;
}

percentile_evidence evidence_of(std::span<const time_pair> pairs, double level, double ratio) {
    percentile_evidence e(level, ratio);
    for (const time_pair& p : pairs) e.add(p.old_time, p.fresh_time);
    return e;
}

}  // namespace

TEST_CASE("percentile_sequential stops where the reference does", "[stats][unit]") {
    const auto longer = tailed_pairs(900, 1.5);
    struct row {
        double ratio;
        stages confirm;
        decision decided;
        std::size_t size;
    };
    const auto r = GENERATE(values<row>({
        {1, stages::two, decision::violated, 481},
        {1, stages::one, decision::violated, 723},
        {2, stages::two, decision::holds, 233},
    }));
    auto s = sequential_settings::for_percentile_pairs();
    s.confirm = r.confirm;
    const auto test = replayed(longer, .9, r.ratio, s).progress();
    CHECK(test.decided == r.decided);
    CHECK(test.size == r.size);
    CHECK(test.without_evidence == 200);
}

TEST_CASE("percentile_sequential tests violated at the bound and holds at the moved one", "[stats][unit]") {
    auto s = sequential_settings::for_percentile_pairs();
    s.margin = 0.2;
    const auto pairs = tailed_pairs(600, 1);
    const auto test = replayed(pairs, .9, 1.01, s);
    const auto progress = test.progress();
    const std::span<const time_pair> used(pairs.data(), progress.size);
    CHECK(progress.decided == decision::holds);
    CHECK(progress.log_e_holds == evidence_of(used, .9, 1.01 * 1.2).log_e_for());
    CHECK(progress.log_e_violated == evidence_of(used, .9, 1.01).log_e_against());
    CHECK_THAT(progress.log_threshold_holds, WithinAbs(std::log(20), 1e-12));
    CHECK_THAT(progress.log_threshold_violated, WithinAbs(std::log(1000) / 2, 1e-12));
}

TEST_CASE("percentile_sequential is exhausted by its most pairs, and takes no more", "[stats][unit]") {
    auto s = sequential_settings::for_percentile_pairs();
    s.max_size = 500;
    const auto test = replayed(tailed_pairs(900, 1), .9, 1, s).progress();
    CHECK(test.decided == decision::none);
    CHECK(test.exhausted());
    CHECK(test.size == 500);
}

TEST_CASE("percentile_sequential refuses wrong settings", "[stats][unit]") {
    auto s = sequential_settings::for_percentile_pairs();
    s.false_pass = 0;
    CHECK_THROWS_AS(percentile_sequential(.9, 1, s), perfspec::input_error);
    CHECK_THROWS_AS(percentile_sequential(.9, 0), perfspec::input_error);
    CHECK_THROWS_AS(percentile_sequential(.2, 1), perfspec::input_error);
    CHECK(sequential_settings::for_percentile_pairs().max_size == 20'000);
}

TEST_CASE("min_pairs_to_violate is what pairs take of which every fresh time is the greater one", "[stats][unit]") {
    auto s = sequential_settings::for_percentile_pairs();
    CHECK(min_pairs_to_violate(.5, s) == 207);  // 200 settle the limit, and 7 signs are enough for one of two stages
    const std::size_t of_p90 = min_pairs_to_violate(.9, s);
    const std::size_t of_p99 = min_pairs_to_violate(.99, s);
    CHECK(of_p90 > 207);
    CHECK(of_p99 > of_p90);
    s.confirm = stages::one;
    CHECK(min_pairs_to_violate(.99, s) > of_p99);
}

TEST_CASE("percentile_ratio_interval ends where the evidence excludes the ratio", "[stats][unit]") {
    const auto pairs = tailed_pairs(900, 1.5);
    const auto i = percentile_ratio_interval(pairs, .9);
    CHECK(i.level == .9);
    CHECK(i.low < i.centre);
    CHECK(i.centre < i.high);
    CHECK(evidence_of(pairs, .9, i.low).log_e_against() >= std::log(20));
    CHECK(evidence_of(pairs, .9, i.high).log_e_for() >= std::log(20));
    CHECK(evidence_of(pairs, .9, i.low * 1.001).log_e_against() < std::log(20));
    CHECK(evidence_of(pairs, .9, i.high / 1.001).log_e_for() < std::log(20));
}

TEST_CASE("percentile_ratio_interval excludes the moved bound of a claim that holds", "[stats][unit]") {
    const auto pairs = tailed_pairs(900, 1.5);
    const auto test = replayed(pairs, .9, 2).progress();
    REQUIRE(test.decided == decision::holds);
    CHECK(percentile_ratio_interval(std::span(pairs.data(), test.size), .9).high <= 2 * 1.005);
}

TEST_CASE("percentile_ratio_interval's centre is the ratio of the percentiles", "[stats][unit]") {
    std::vector<time_pair> pairs;
    for (int i = 1; i <= 100; ++i) pairs.push_back({static_cast<double>(i), static_cast<double>(3 * i)});
    CHECK_THAT(percentile_ratio_interval(pairs, .99).centre, WithinRel(3.0, 1e-12));
}

TEST_CASE("percentile_ratio_interval is all ratios where too few pairs exclude any", "[stats][unit]") {
    const auto i = percentile_ratio_interval(tailed_pairs(205, 1), .99);
    CHECK(i.low == 0);
    CHECK(i.high == std::numeric_limits<double>::infinity());
}

TEST_CASE("percentile_ratio_interval refuses no pairs and a threshold that guarantees nothing", "[stats][unit]") {
    CHECK_THROWS_AS(percentile_ratio_interval({}, .99), perfspec::input_error);
    CHECK_THROWS_AS(percentile_ratio_interval(tailed_pairs(205, 1), .99, 2), perfspec::input_error);
}
