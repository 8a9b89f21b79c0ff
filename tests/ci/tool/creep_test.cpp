// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <tool/history/creep.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

namespace perfspec {
namespace {

using Catch::Matchers::WithinRel;

/// The values of so many runs, with noise of 2 % and this growth from run to run.
std::vector<double> course(std::mt19937_64& random, std::size_t runs, double growth) {
    std::normal_distribution<double> noise(0.0, 0.02);
    std::vector<double> values;
    for (std::size_t i = 0; i < runs; ++i) values.push_back(std::pow(1 + growth, static_cast<double>(i)) * std::exp(noise(random)));
    return values;
}

tool::key_history key_of(const std::vector<double>& values) {
    tool::key_history key;
    for (std::size_t i = 0; i < values.size(); ++i) key.points.push_back({.run = i, .value = values[i]});
    return key;
}

bool creeps(const tool::key_history& key) { return tool::find_creep({{key}}).front().has_value(); }

/// Twenty values, each 1 % above the one before.
std::vector<double> rising() {
    std::vector<double> values;
    for (int i = 0; i < 20; ++i) values.push_back(100.0 * std::pow(1.01, i));
    return values;
}

}  // namespace

TEST_CASE("the evidence of a rise is a fair game: its mean over all orders of the values is 1", "[ci][unit]") {
    std::vector<double> values{1, 2, 3, 4, 5, 6, 7};
    double sum = 0;
    std::size_t orders = 0;
    do {
        sum += tool::evidence_of_rise(values);
        ++orders;
    } while (std::ranges::next_permutation(values).found);
    CHECK_THAT(sum / static_cast<double>(orders), WithinRel(1.0, 1e-12));
}

TEST_CASE("ties make the evidence of a rise smaller, never larger", "[ci][unit]") {
    std::vector<double> values{1, 2, 2, 2, 3, 3, 4};
    double sum = 0;
    double count = 0;
    do {
        sum += tool::evidence_of_rise(values);
        ++count;
    } while (std::ranges::next_permutation(values).found);
    CHECK(sum / count < 1.0);
    CHECK(tool::evidence_of_rise(std::vector<double>(50, 7.0)) < 1.0);
}

TEST_CASE("the evidence of a rise does not depend on the scale, and grows while values rise", "[ci][unit]") {
    const std::vector<double> up = rising();
    std::vector<double> cubes;
    for (const double value : up) cubes.push_back(value * value * value);
    CHECK(tool::evidence_of_rise(up) == tool::evidence_of_rise(cubes));
    CHECK(tool::evidence_of_rise(std::span(up).first(10)) < tool::evidence_of_rise(up));
    CHECK(tool::evidence_of_rise({}) == 1.0);
    CHECK(tool::evidence_of_rise(std::span(up).first(4)) == 1.0);
}

TEST_CASE("the k largest of n are believed where each is at least n over k times the share", "[ci][unit]") {
    // of four: at least 80 for one, 40 for two, 26.7 for three, 20 for four
    CHECK(tool::discoveries(std::vector<double>{79, 1, 1, 1}, 0.05) == std::vector<bool>{false, false, false, false});
    CHECK(tool::discoveries(std::vector<double>{1, 80, 1, 1}, 0.05) == std::vector<bool>{false, true, false, false});
    CHECK(tool::discoveries(std::vector<double>{40, 1, 45, 1}, 0.05) == std::vector<bool>{true, false, true, false});
    CHECK(tool::discoveries(std::vector<double>{20, 20, 20, 20}, 0.05) == std::vector<bool>{true, true, true, true});
    CHECK(tool::discoveries({}, 0.05).empty());
}

TEST_CASE("creep compares the last five values with the first baseline, else with the first five values", "[ci][unit]") {
    tool::key_history key = key_of(rising());
    const auto found = tool::find_creep({{key}}).front();
    REQUIRE(found);
    CHECK(found->before == key.points[2].value);
    CHECK(found->now == key.points[17].value);
    CHECK(found->change == found->now / found->before - 1);
    key.first_baseline = 90.0;
    CHECK(tool::find_creep({{key}}).front()->before == 90.0);
}

TEST_CASE("creep has a direction", "[ci][unit]") {
    tool::key_history key = key_of(rising());
    CHECK(creeps(key));
    key.direction = better::more;
    CHECK_FALSE(creeps(key));
    for (tool::history_point& point : key.points) point.value = 1e4 / point.value;
    CHECK(creeps(key));
}

TEST_CASE("a change below 2 % is no creep, however sure it is", "[ci][unit]") {
    std::vector<double> values;
    for (int i = 0; i < 100; ++i) values.push_back(1000.0 + 0.15 * i);
    REQUIRE(tool::evidence_of_rise(values) > 1e6);
    CHECK_FALSE(creeps(key_of(values)));
    for (double& value : values) value += 10 * (value - 1000.0);
    CHECK(creeps(key_of(values)));
}

TEST_CASE("values of invalid results do not count", "[ci][unit]") {
    tool::key_history key = key_of(rising());
    for (tool::history_point& point : key.points) point.worst = tool::concern::invalid;
    CHECK_FALSE(creeps(key));
}

TEST_CASE("values that only vary creep in at most 5 % of histories, at whatever run one looks", "[ci][unit][calibration]") {
    std::mt19937_64 random(20261124);
    constexpr int histories = 2000;
    int false_alarms = 0;
    for (int h = 0; h < histories; ++h) {
        const std::vector<double> values = course(random, 60, 0.0);
        bool ever = false;
        for (std::size_t runs = 5; runs <= values.size() && !ever; ++runs)
            ever = tool::evidence_of_rise(std::span(values).first(runs)) >= 1 / tool::false_share_of_creep;
        false_alarms += ever ? 1 : 0;
    }
    // 5 % and four standard errors
    CHECK(false_alarms <= 100 + 39);
}

TEST_CASE("a rise by 1 % from run to run is told after 14 runs in half of the histories", "[ci][unit][calibration]") {
    std::mt19937_64 random(20261125);
    constexpr int histories = 400;
    int told = 0;
    for (int h = 0; h < histories; ++h) told += creeps(key_of(course(random, 14, 0.01))) ? 1 : 0;
    CHECK(told >= histories / 2);
}

TEST_CASE("of the keys named as creeping among many, few only vary", "[ci][unit][calibration]") {
    std::mt19937_64 random(20261126);
    double shares = 0;
    double found_all = 0;
    constexpr int histories = 100;
    for (int h = 0; h < histories; ++h) {
        std::vector<tool::key_history> keys;
        for (int k = 0; k < 40; ++k) keys.push_back(key_of(course(random, 40, k < 4 ? 0.01 : 0.0)));
        const auto found = tool::find_creep(keys);
        const auto named = std::ranges::count_if(found, [](const auto& one) { return one.has_value(); });
        const auto right = std::count_if(found.begin(), found.begin() + 4, [](const auto& one) { return one.has_value(); });
        if (named > 0) shares += static_cast<double>(named - right) / static_cast<double>(named);
        found_all += static_cast<double>(right) / 4;
    }
    CHECK(shares / histories <= 0.05);
    CHECK(found_all / histories >= 0.95);
}

}  // namespace perfspec
