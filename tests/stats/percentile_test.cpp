// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/percentile.hpp>

#include <catch2/matchers/catch_matchers.hpp>
#include <support/test.hpp>

#include <span>

using namespace perfspec;
using namespace perfspec::testing;

namespace {

/// n, n - 1, …, 1: the order statistics are their own ranks.
std::vector<double> down_from(std::size_t n) {
    std::vector<double> v;
    for (std::size_t i = n; i > 0; --i) v.push_back(static_cast<double>(i));
    return v;
}

/// Pairs of times from 100 to 200 in a fixed disorder; every ninth fresh one is `tail` times as long.
std::vector<time_pair> tailed_pairs(std::size_t n, double tail) {
    std::vector<time_pair> pairs;
    for (std::size_t i = 0; i < n; ++i) {
        const auto old_time = static_cast<double>(100 + (i * 37) % 101);
        const auto fresh_time = static_cast<double>(100 + (i * 53 + 11) % 101);
        pairs.push_back({old_time, i % 9 == 0 ? tail * fresh_time : fresh_time});
    }
    return pairs;
}

percentile_sequential replayed(std::span<const time_pair> pairs, double level, double ratio,
                               const sequential_settings& s = sequential_settings::for_percentile_pairs()) {
    percentile_sequential test(level, ratio, s);
    for (const time_pair& p : pairs) test.add(p);
    return test;
}

percentile_evidence evidence_of(std::span<const time_pair> pairs, double level, double ratio) {
    percentile_evidence e(level, ratio);
    for (const time_pair& p : pairs) e.add(p);
    return e;
}

}  // namespace

TEST_CASE("percentile_of is an order statistic, or the mean of two where the level falls between them",
          "[stats][unit]") {
    const auto [n, level, percentile] = GENERATE(table<std::size_t, double, double>({
        {100, .99, 99.5},  // the mean of the two largest
        {100, .95, 95.5},
        {100, .57, 57.5},  // .57 * 100 is a little less than 57 in binary
        {100, .5, 50.5},
        {100, .905, 91},
        {101, .99, 100},
        {50, .99, 50},
        {200, .995, 199.5},
        {1000, .99, 990.5},
        {1, .99, 1},
        {2, .5, 1.5},
    }));
    CHECK(percentile_of(down_from(n), level) == percentile);
}

TEST_CASE("percentile_block is the fewest iterations from 100 on with one beyond the level", "[stats][unit]") {
    CHECK(percentile_block(.5) == 100);
    CHECK(percentile_block(.9) == 100);
    CHECK(percentile_block(.99) == 100);
    CHECK(percentile_block(.992) == 125);
    CHECK(percentile_block(.995) == 200);
}

TEST_CASE("percentile_of refuses no values, and what is no time", "[stats][unit]") {
    CHECK_THROWS_AS(percentile_of({}, .9), input_error);
    CHECK_THROWS_AS(percentile_of(std::vector{1.0, std::numeric_limits<double>::infinity()}, .9), input_error);
}

TEST_CASE("percentile_evidence equals the reference vectors", "[stats][unit]") {  // stats/README.md, "Reference values"
    const auto [pairs, tail, level, ratio, log_e_for, log_e_against] =
        GENERATE(table<std::size_t, double, double, double, double, double>({
            {200, 1, .9, 1, 0, 0},
            {300, 1, .9, 1, -1.623588271, -1.156592695},
            {900, 1, .9, 1, -3.692186295, -4.097651435},
            {900, 1.5, .9, 1, -13.847847641, 8.151114555},
            {900, 1.5, .9, 1.2, 11.559494385, -15.023420970},
            {900, 1.5, .99, 1.2, -4.221235190, 7.924776059},
            {1000, 3, .95, 1.1, -19.173239945, 50.891552496},
        }));
    percentile_evidence e(level, ratio);
    for (const auto& p : tailed_pairs(pairs, tail)) e.add(p);
    CHECK_THAT(e.log_e_for(), WithinAbs(log_e_for, 1e-8));
    CHECK_THAT(e.log_e_against(), WithinAbs(log_e_against, 1e-8));
    CHECK(e.size() == pairs);
}

TEST_CASE("percentile_evidence bets on the side that lies beyond the past limit alone", "[stats][unit]") {
    percentile_evidence e(.9);
    for (int i = 0; i < 200; ++i) e.add({100, 100});
    const double won = std::log((1.2 + 1.5 + 1.9) / 3);
    const double lost = std::log((0.8 + 0.5 + 0.1) / 3);
    e.add({101, 101});  // both
    e.add({100, 100});  // neither: the limit itself is not beyond it
    CHECK(e.log_e_for() == 0);
    e.add({101, 100});
    CHECK_THAT(e.log_e_for(), WithinAbs(won, 1e-12));
    CHECK_THAT(e.log_e_against(), WithinAbs(lost, 1e-12));
    e.add({100, 1e9});  // the distance does not count
    CHECK_THAT(e.log_e_for(), WithinAbs(e.log_e_against(), 1e-12));
}

TEST_CASE("percentile_evidence bets on the pair after the first 200", "[stats][unit]") {
    percentile_evidence e(.9);
    for (int i = 0; i < 199; ++i) e.add({100, 100});
    e.add({101, 100});
    CHECK(e.log_e_for() == 0);
    e.add({101, 100});
    CHECK(e.log_e_for() > 0);
}

TEST_CASE("percentile_evidence compares fresh with the ratio times old", "[stats][unit]") {
    percentile_evidence e(.9, 2);
    for (int i = 0; i < 200; ++i) e.add({100, 200});
    e.add({100, 200});
    CHECK(e.log_e_for() == 0);
    e.add({100, 201});
    CHECK(e.log_e_against() > 0);
}

TEST_CASE("percentile_evidence sets its limit after 200 pairs and when their number has doubled", "[stats][unit]") {
    percentile_evidence e(.9);
    for (int i = 0; i < 200; ++i) e.add({100, 100});
    for (int i = 0; i < 200; ++i) e.add({200, 200});  // the limit stays at 100
    CHECK(e.log_e_for() == 0);
    e.add({150, 100});  // the limit is 200
    CHECK(e.log_e_for() == 0);
    e.add({201, 100});
    CHECK(e.log_e_for() > 0);
}

TEST_CASE("percentile_evidence bets on a pair before the pair moves the limit", "[stats][unit]") {
    percentile_evidence e(.9);
    for (int i = 0; i < 200; ++i) e.add({100, 100});
    for (int i = 0; i < 199; ++i) e.add({200, 200});  // the limit stays at 100
    CHECK(e.log_e_for() == 0);
    e.add({150, 100});  // the 400th: the limit is 100, and 200 from here on
    CHECK(e.log_e_for() > 0);
}

TEST_CASE("percentile_evidence refuses what is no time", "[stats][unit]") {
    const double wrong =
        GENERATE(0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN());
    percentile_evidence e(.9);
    CHECK_THROWS_AS(e.add({wrong, 1}), input_error);
    CHECK_THROWS_AS(e.add({1, wrong}), input_error);
    CHECK(e.size() == 0);
}

TEST_CASE("percentile_sequential stops where the reference does", "[stats][unit]") {
    const auto longer = tailed_pairs(900, 1.5);
    const auto [ratio, confirm, decided, size] = GENERATE(table<double, stages, decision, std::size_t>({
        {1, stages::two, decision::violated, 481},
        {1, stages::one, decision::violated, 723},
        {2, stages::two, decision::holds, 233},
    }));
    auto s = sequential_settings::for_percentile_pairs();
    s.confirm = confirm;
    const auto test = replayed(longer, .9, ratio, s).progress();
    CHECK(test.decided == decided);
    CHECK(test.size == size);
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

TEST_CASE("percentile_sequential is closed after its most pairs, and takes no more", "[stats][unit]") {
    auto s = sequential_settings::for_percentile_pairs();
    s.max_size = 500;
    const auto test = replayed(tailed_pairs(900, 1), .9, 1, s);
    CHECK(test.progress().decided == decision::none);
    CHECK_FALSE(test.is_open());
    CHECK(test.progress().size == 500);
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
    CHECK(i.low < i.center);
    CHECK(i.center < i.high);
    CHECK(evidence_of(pairs, .9, i.low).log_e_against() >= std::log(20));
    CHECK(evidence_of(pairs, .9, i.high).log_e_for() >= std::log(20));
    CHECK(evidence_of(pairs, .9, i.low * 1.001).log_e_against() < std::log(20));
    CHECK(evidence_of(pairs, .9, i.high / 1.001).log_e_for() < std::log(20));
}

TEST_CASE("percentile_ratio_interval's center is the ratio of the percentiles", "[stats][unit]") {
    std::vector<time_pair> pairs;
    for (int i = 1; i <= 100; ++i) pairs.push_back({static_cast<double>(i), static_cast<double>(3 * i)});
    CHECK_THAT(percentile_ratio_interval(pairs, .99).center, WithinRel(3.0, 1e-12));
}

TEST_CASE("percentile_ratio_interval is all ratios where too few pairs exclude any", "[stats][unit]") {
    const auto i = percentile_ratio_interval(tailed_pairs(205, 1), .99);
    CHECK(i.low == 0);
    CHECK(i.high == std::numeric_limits<double>::infinity());
}

TEST_CASE("percentile_ratio_interval refuses no pairs", "[stats][unit]") {
    CHECK_THROWS_AS(percentile_ratio_interval({}, .99), input_error);
}
