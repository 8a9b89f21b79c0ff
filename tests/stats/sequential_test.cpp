// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/sequential/sequential.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using perfspec::decision;
using perfspec::min_size_to_violate;
using perfspec::replay;
using perfspec::sequential;
using perfspec::sequential_settings;
using perfspec::signed_rank_evidence;
using perfspec::stages;
using perfspec::streak;

namespace {

std::vector<double> series(int n, const std::function<double(int)>& value) {
    std::vector<double> d;
    for (int i = 0; i < n; ++i) d.push_back(value(i));
    return d;
}

double alternating(int i) { return i % 2 == 0 ? 1 : -1; }

sequential_settings with_margin(double margin) {
    sequential_settings s;
    s.margin = margin;
    return s;
}

sequential_settings unconfirmed() {
    sequential_settings s;
    s.confirm = stages::one;
    return s;
}

}  // namespace

TEST_CASE("sequential decides the reference series where the reference does",
          "[stats][unit]") {  // stats/README.md, "Reference values"
    struct row {
        std::string name;
        std::function<double(int)> value;
        int given;
        sequential_settings settings;
        decision decided;
        std::size_t at;
    };
    const auto r = GENERATE(values<row>({
        {"mostly inside", [](int i) { return .01 * (7 * i % 5 - 1); }, 100, {}, decision::holds, 19},
        {"mostly outside", [](int i) { return -.01 * (7 * i % 5 - 1); }, 100, {}, decision::violated, 28},
        {"around the bound", [](int i) { return .002 * alternating(i); }, 40, {}, decision::holds, 10},
        {"around it, no margin", [](int i) { return .002 * alternating(i); }, 40, with_margin(0), decision::none, 40},
        {"outside", [](int) { return -.02; }, 100, {}, decision::violated, 10},
        {"outside, one stage", [](int) { return -.02; }, 100, unconfirmed(), decision::violated, 14},
        {"within the margin", [](int i) { return -.003 + .002 * alternating(i); }, 100, {}, decision::violated, 10},
        {"every fourth outside",
         [](int i) { return -.01 * (i % 4 != 0 ? 1 : -1) * (1 + i % 3); },
         100,
         {},
         decision::violated,
         36},
    }));
    CAPTURE(r.name);
    const auto test = replay(series(r.given, r.value), r.settings);
    CHECK(test.decided() == r.decided);
    CHECK(test.size() == r.at);
}

TEST_CASE("sequential needs so many equal signs for each threshold",
          "[stats][unit]") {  // stats/README.md, "Sequential test"
    struct row {
        double false_pass;
        std::size_t needed, after_one_opposite;
    };
    const auto r =
        GENERATE(values<row>({{1. / 20, 7, 11}, {1 / 31.6, 8, 12}, {1. / 100, 10, 14}, {1. / 1000, 14, 18}}));
    sequential_settings s;
    s.first_look = 1;
    s.false_pass = r.false_pass;
    CHECK(replay(std::vector<double>(50, .02), s).size() == r.needed);

    std::vector<double> one_opposite(50, .02);
    one_opposite.front() = -.02;
    CHECK(replay(one_opposite, s).size() == r.after_one_opposite);
}

TEST_CASE("sequential does not decide before the first look", "[stats][unit]") {
    sequential test;
    for (int i = 0; i < 9; ++i) CHECK(test.add(-1) == decision::none);
    CHECK(test.at_bound().log_e_against() > test.log_threshold_violated());
    CHECK(test.add(-1) == decision::violated);
}

TEST_CASE("sequential looks at violated before holds", "[stats][unit]") {
    // Ten distances between the bound and the moved bound are evidence for both.
    const auto test = replay(std::vector<double>(10, -.002));
    CHECK(test.at_moved_bound().log_e_for() >= test.log_threshold_holds());
    CHECK(test.decided() == decision::violated);
}

TEST_CASE("sequential keeps its decision", "[stats][unit]") {
    auto test = replay(std::vector<double>(10, .02));
    REQUIRE(test.decided() == decision::holds);
    for (int i = 0; i < 100; ++i) CHECK(test.add(-1) == decision::holds);
    CHECK(test.size() == 10);
    CHECK_FALSE(test.exhausted());
}

TEST_CASE("sequential is exhausted after the most distances", "[stats][unit]") {
    sequential_settings s = with_margin(0);
    s.max_size = 12;
    sequential test(s);
    for (int i = 0; i < 11; ++i) test.add(.002 * alternating(i));
    CHECK_FALSE(test.exhausted());
    test.add(-.002);
    CHECK(test.exhausted());
    for (int i = 0; i < 100; ++i) CHECK(test.add(-1) == decision::none);
    CHECK(test.size() == 12);
    CHECK(replay(series(100, alternating), s).size() == 12);
}

TEST_CASE("sequential that decides at the last distance is not exhausted", "[stats][unit]") {
    sequential_settings s;
    s.max_size = 10;
    const auto test = replay(std::vector<double>(10, .02), s);
    CHECK(test.decided() == decision::holds);
    CHECK_FALSE(test.exhausted());
}

TEST_CASE("sequential moves the bound by the logarithm of the margin", "[stats][unit]") {
    std::vector<double> moved;
    sequential test(with_margin(.25));
    for (const double d : {-.3, -.22, .1, -.25, .05}) {
        test.add(d);
        moved.push_back(d + std::log(1.25));
    }
    CHECK_THAT(test.at_moved_bound().log_e_for(), WithinAbs(signed_rank_evidence(moved).log_e_for(), 1e-12));
    CHECK_THAT(test.at_moved_bound().log_e_against(), WithinAbs(signed_rank_evidence(moved).log_e_against(), 1e-12));
}

TEST_CASE("sequential spreads the false-failure rate over two stages", "[stats][unit]") {
    CHECK_THAT(std::exp(sequential().log_threshold_violated()), WithinAbs(31.6227766, 1e-6));
    CHECK_THAT(std::exp(sequential(unconfirmed()).log_threshold_violated()), WithinAbs(1000, 1e-9));
    CHECK_THAT(std::exp(sequential().log_threshold_holds()), WithinAbs(20, 1e-12));
}

TEST_CASE("sequential_settings name their uses", "[stats][unit]") {  // stats/README.md, "Sequential test"
    CHECK(sequential_settings::for_pairs() == sequential_settings{.005, 1e-3, .05, stages::two, 10, 2000});
    CHECK(sequential_settings::for_launch_centres() ==
          sequential_settings{.005, 1e-3, .05, stages::one, 7, 20, streak::bet});
}

TEST_CASE("sequential over launch centres holds after seven and fails after eleven",
          "[stats][unit]") {  // 2^11 / 2 > 1000
    const auto settings = sequential_settings::for_launch_centres();
    CHECK(replay(std::vector<double>(20, .02), settings).size() == 7);
    const auto violated = replay(std::vector<double>(20, -.02), settings);
    CHECK(violated.decided() == decision::violated);
    CHECK(violated.size() == 11);
}

TEST_CASE("sequential over launch centres still fails where one launch lies inside the bound", "[stats][unit]") {
    std::vector<double> distances(20, -.02);
    distances[3] = .02;
    const auto violated = replay(distances, sequential_settings::for_launch_centres());
    CHECK(violated.decided() == decision::violated);
    CHECK(violated.size() == 19);  // 18 without the bet on a streak, half of the capital
    CHECK_THAT(violated.log_e_violated(), WithinAbs(violated.at_bound().log_e_against() - std::log(2), 1e-12));
}

TEST_CASE("sequential averages the bet on a streak with the others", "[stats][unit]") {
    sequential test(sequential_settings::for_launch_centres());
    for (int i = 0; i < 5; ++i) test.add(-.02);
    test.add(0);  // wins and loses nothing
    CHECK_THAT(test.log_e_violated(), WithinAbs(std::log((std::exp(test.at_bound().log_e_against()) + 32) / 2), 1e-12));
    CHECK(test.progress().log_e_violated == test.log_e_violated());
}

TEST_CASE("the bet on a streak keeps the rate of false failures", "[stats][unit]") {
    // All sequences of fourteen fair coins, exactly: the share that crosses 1/rate at any of them.
    sequential_settings settings = sequential_settings::for_launch_centres();
    settings.false_failure = .02;
    settings.first_look = 1;
    settings.false_pass = 1e-12;  // nothing ends before the last coin
    int violated = 0;
    constexpr unsigned coins = 14;
    for (unsigned tosses = 0; tosses < 1U << coins; ++tosses) {
        sequential test(settings);
        for (unsigned i = 0; i < coins; ++i) test.add((tosses >> i & 1U) != 0 ? -.001 : .001);
        violated += test.log_e_violated() >= test.log_threshold_violated() ? 1 : 0;
    }
    CHECK(violated > 0);
    CHECK(violated <= .02 * (1U << coins));
}

TEST_CASE("min_size_to_violate is what equal distances beyond the bound take", "[stats][unit]") {
    struct row {
        std::string name;
        sequential_settings settings;
        std::size_t minimum;
    };
    sequential_settings rare = unconfirmed();
    rare.false_failure = 1e-6;
    sequential_settings at_once;
    at_once.first_look = 1;
    const auto r = GENERATE_COPY(values<row>({{"two stages look first at ten", {}, 10},
                                              {"two stages", at_once, 8},
                                              {"one stage", unconfirmed(), 14},
                                              {"one stage, rarer", rare, 25},
                                              {"launches", sequential_settings::for_launch_centres(), 11}}));
    CAPTURE(r.name);
    CHECK(min_size_to_violate(r.settings) == r.minimum);
    sequential_settings enough = r.settings;
    enough.max_size = r.minimum;
    CHECK(replay(std::vector<double>(r.minimum, -.02), enough).decided() == decision::violated);
}

TEST_CASE("sequential refuses settings that mean nothing", "[stats][unit]") {
    struct row {
        sequential_settings settings;
        std::string text;
    };
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto r = GENERATE_COPY(values<row>({
        {{.005, 0, .05, stages::two, 10, 2000}, "false_failure: found 0,"},
        {{.005, 1, .05, stages::two, 10, 2000}, "false_failure: found 1,"},
        {{.005, 1e-3, nan, stages::two, 10, 2000}, "false_pass: found nan,"},
        {{-.01, 1e-3, .05, stages::two, 10, 2000}, "margin: found -0.01,"},
        {{.005, 1e-3, .05, stages::two, 10, 9}, "rounds: found at most 9, needs at least 10"},
        {{.005, 1e-3, .05, stages::two, 0, 9}, "rounds:"},
    }));
    CHECK_THROWS_AS(sequential(r.settings), perfspec::input_error);
    CHECK_THROWS_WITH(sequential(r.settings), ContainsSubstring(r.text));
}
