// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/replay.hpp"

#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/sequential.hpp>

#include <support/test.hpp>

using namespace perfspec;
using Catch::Matchers::WithinAbs;
using perfspec::testing::replay;

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

/// Three signs of one kind in every four: evidence that grows slowly and steadily.
std::vector<double> three_of_four(double distance, int n) {
    std::vector<double> d;
    for (int i = 0; i < n; ++i) d.push_back(i % 4 == 3 ? -distance : distance);
    return d;
}

signed_rank_evidence evidence_of(const std::vector<double>& differences) {
    signed_rank_evidence e;
    for (const double d : differences) e.add(d);
    return e;
}

/// Extrapolates to the test's own limit.
outlook outlook_of(const sequential& test) { return extrapolate(test.progress(), test.progress().settings.max_size); }

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
    const auto [false_pass, needed, after_one_opposite] = GENERATE(table<double, std::size_t, std::size_t>(
        {{1. / 20, 7, 11}, {1 / 31.6, 8, 12}, {1. / 100, 10, 14}, {1. / 1000, 14, 18}}));
    sequential_settings s;
    s.first_look = 1;
    s.false_pass = false_pass;
    CHECK(replay(std::vector<double>(50, .02), s).size() == needed);

    std::vector<double> one_opposite(50, .02);
    one_opposite.front() = -.02;
    CHECK(replay(one_opposite, s).size() == after_one_opposite);
}

TEST_CASE("sequential does not decide before the first look", "[stats][unit]") {
    sequential test;
    for (int i = 0; i < 9; ++i) CHECK(test.add(-1) == decision::none);
    CHECK(test.progress().log_e_violated > test.progress().log_threshold_violated);
    CHECK(test.add(-1) == decision::violated);
}

TEST_CASE("sequential looks at violated before holds", "[stats][unit]") {
    // Ten distances between the bound and the moved bound are evidence for both.
    const auto test = replay(std::vector<double>(10, -.002));
    CHECK(test.progress().log_e_holds >= test.progress().log_threshold_holds);
    CHECK(test.decided() == decision::violated);
}

TEST_CASE("sequential keeps its decision", "[stats][unit]") {
    auto test = replay(std::vector<double>(10, .02));
    REQUIRE(test.decided() == decision::holds);
    for (int i = 0; i < 100; ++i) CHECK(test.add(-1) == decision::holds);
    CHECK(test.size() == 10);
    CHECK_FALSE(test.is_open());
}

TEST_CASE("sequential is closed after the most distances", "[stats][unit]") {
    sequential_settings s = with_margin(0);
    s.max_size = 12;
    sequential test(s);
    for (int i = 0; i < 11; ++i) test.add(.002 * alternating(i));
    CHECK(test.is_open());
    test.add(-.002);
    CHECK_FALSE(test.is_open());
    for (int i = 0; i < 100; ++i) CHECK(test.add(-1) == decision::none);
    CHECK(test.size() == 12);
    CHECK(replay(series(100, alternating), s).size() == 12);
}

TEST_CASE("sequential moves the bound by the logarithm of the margin", "[stats][unit]") {
    std::vector<double> moved;
    sequential test(with_margin(.25));
    for (const double d : {-.3, -.22, .1, -.25, .05}) {
        test.add(d);
        moved.push_back(d + std::log(1.25));
    }
    CHECK_THAT(test.progress().log_e_holds, WithinAbs(evidence_of(moved).log_e_for(), 1e-12));
}

TEST_CASE("sequential spreads the false-failure rate over two stages", "[stats][unit]") {
    CHECK_THAT(std::exp(sequential().progress().log_threshold_violated), WithinAbs(31.6227766, 1e-6));
    CHECK_THAT(std::exp(sequential(unconfirmed()).progress().log_threshold_violated), WithinAbs(1000, 1e-9));
    CHECK_THAT(std::exp(sequential().progress().log_threshold_holds), WithinAbs(20, 1e-12));
}

TEST_CASE("sequential_settings name their uses", "[stats][unit]") {  // stats/README.md, "Sequential test"
    CHECK(sequential_settings::for_pairs() == sequential_settings{.005, 1e-3, .05, stages::two, 10, 2000});
    CHECK(sequential_settings::for_process_centers() ==
          sequential_settings{.005, 1e-3, .05, stages::one, 7, 20, streak::bet});
}

TEST_CASE("sequential over process centers holds after seven and fails after eleven",
          "[stats][unit]") {  // 2^11 / 2 > 1000
    const auto settings = sequential_settings::for_process_centers();
    CHECK(replay(std::vector<double>(20, .02), settings).size() == 7);
    const auto violated = replay(std::vector<double>(20, -.02), settings);
    CHECK(violated.decided() == decision::violated);
    CHECK(violated.size() == 11);
}

TEST_CASE("sequential over process centers still fails where one process lies inside the bound", "[stats][unit]") {
    std::vector<double> distances(20, -.02);
    distances[3] = .02;
    const auto violated = replay(distances, sequential_settings::for_process_centers());
    CHECK(violated.decided() == decision::violated);
    CHECK(violated.size() == 19);  // 18 without the bet on a streak, half of the capital
    distances.resize(19);
    CHECK_THAT(violated.progress().log_e_violated,
               WithinAbs(evidence_of(distances).log_e_against() - std::log(2), 1e-12));
}

TEST_CASE("sequential averages the bet on a streak with the others", "[stats][unit]") {
    sequential test(sequential_settings::for_process_centers());
    for (int i = 0; i < 5; ++i) test.add(-.02);
    test.add(0);  // wins and loses nothing
    const double mixed = evidence_of({-.02, -.02, -.02, -.02, -.02, 0}).log_e_against();
    CHECK_THAT(test.progress().log_e_violated, WithinAbs(std::log((std::exp(mixed) + 32) / 2), 1e-12));
}

TEST_CASE("the bet on a streak keeps the rate of false failures", "[stats][unit]") {
    // All sequences of fourteen fair coins, exactly: the share that crosses 1/rate at any of them.
    sequential_settings settings = sequential_settings::for_process_centers();
    settings.false_failure = .02;
    settings.first_look = 1;
    settings.false_pass = 1e-12;  // nothing ends before the last coin
    int violated = 0;
    constexpr unsigned coins = 14;
    for (unsigned tosses = 0; tosses < 1U << coins; ++tosses) {
        sequential test(settings);
        for (unsigned i = 0; i < coins; ++i) test.add((tosses >> i & 1U) != 0 ? -.001 : .001);
        const test_progress end = test.progress();
        violated += end.log_e_violated >= end.log_threshold_violated ? 1 : 0;
    }
    CHECK(violated > 0);
    CHECK(violated <= .02 * (1U << coins));
}

TEST_CASE("min_size_to_violate is what equal distances beyond the bound take", "[stats][unit]") {
    sequential_settings rare = unconfirmed();
    rare.false_failure = 1e-6;
    sequential_settings at_once;
    at_once.first_look = 1;
    const auto [name, settings, minimum] = GENERATE_COPY(table<std::string, sequential_settings, std::size_t>(
        {{"two stages look first at ten", {}, 10},
         {"two stages", at_once, 8},
         {"one stage", unconfirmed(), 14},
         {"one stage, rarer", rare, 25},
         {"processes", sequential_settings::for_process_centers(), 11}}));
    CAPTURE(name);
    CHECK(min_size_to_violate(settings) == minimum);
    sequential_settings enough = settings;
    enough.max_size = minimum;
    CHECK(replay(std::vector<double>(minimum, -.02), enough).decided() == decision::violated);
}

TEST_CASE("outlook extrapolates the evidence linearly", "[stats][unit]") {
    const auto test = replay(three_of_four(.01, 12), with_margin(0));
    REQUIRE(test.decided() == decision::none);
    const double log_e = test.progress().log_e_holds;
    REQUIRE(log_e > 0);

    const auto o = outlook_of(test);
    CHECK(o.toward == decision::holds);
    CHECK(static_cast<double>(o.further) == std::ceil((std::log(20) - log_e) * 12 / log_e));
}

TEST_CASE("outlook names the side that the evidence grows on", "[stats][unit]") {
    const auto o = outlook_of(replay(three_of_four(-.01, 12), with_margin(0)));
    CHECK(o.toward == decision::violated);
    CHECK(o.further > 0);
}

TEST_CASE("outlook is that of a test which arrives there", "[stats][unit]") {
    const auto o = outlook_of(replay(three_of_four(.01, 12), with_margin(0)));
    const auto arrived = replay(three_of_four(.01, 100), with_margin(0));
    CHECK(arrived.decided() == decision::holds);
    CHECK(arrived.size() <= 12 + o.further);
}

TEST_CASE("outlook says that evidence which does not grow resolves nothing", "[stats][unit]") {
    std::vector<double> around;
    for (int i = 0; i < 40; ++i) around.push_back(i % 2 == 0 ? .002 : -.002);
    const auto o = outlook_of(replay(around, with_margin(0)));
    CHECK(o.toward == decision::none);
    CHECK(o.further == 0);
}

TEST_CASE("outlook needs no more of a decided test, and promises nothing of a closed or an empty one",
          "[stats][unit]") {
    const auto decided = outlook_of(replay(std::vector<double>(10, .02)));
    CHECK(decided.toward == decision::holds);
    CHECK(decided.further == 0);

    auto settings = with_margin(0);
    settings.max_size = 12;
    CHECK(outlook_of(replay(three_of_four(.01, 12), settings)).toward == decision::none);
    CHECK(outlook_of(sequential()).toward == decision::none);
}

TEST_CASE("outlook waits at least for the first look", "[stats][unit]") {
    const auto o = outlook_of(replay(std::vector<double>(8, .02)));
    CHECK(o.toward == decision::holds);
    CHECK(o.further == 2);
}

TEST_CASE("outlook reaches as far as requested", "[stats][unit]") {
    const auto test = replay(three_of_four(.01, 12), with_margin(0));
    const auto further = outlook_of(test).further;
    CHECK(extrapolate(test.progress(), 12 + further).further == further);
    CHECK(extrapolate(test.progress(), 12 + further - 1).toward == decision::none);
}

TEST_CASE("outlook does not count what only prepared the test into the rate", "[stats][unit]") {
    auto progress = replay(three_of_four(.01, 12), with_margin(0)).progress();
    const auto further = extrapolate(progress, 2000).further;
    progress.size += 200;
    progress.without_evidence = 200;
    CHECK(extrapolate(progress, 2000).further == further);
}
