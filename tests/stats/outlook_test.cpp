// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/stats/power/outlook.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <vector>

using perfspec::decision;
using perfspec::extrapolate;
using perfspec::replay;
using perfspec::sequential;
using perfspec::sequential_settings;

namespace {

/// Three signs of one kind in every four: evidence that grows slowly and steadily.
std::vector<double> three_of_four(double distance, int n) {
    std::vector<double> d;
    for (int i = 0; i < n; ++i) d.push_back(i % 4 == 3 ? -distance : distance);
    return d;
}

sequential_settings no_margin() {
    sequential_settings s;
    s.margin = 0;
    return s;
}

/// As far as the test itself goes.
perfspec::outlook outlook_of(const sequential& test) { return extrapolate(test.progress(), test.settings().max_size); }

}  // namespace

TEST_CASE("outlook extrapolates the evidence linearly", "[stats][unit]") {
    const auto test = replay(three_of_four(.01, 12), no_margin());
    REQUIRE(test.decided() == decision::none);
    const double log_e = test.at_moved_bound().log_e_for();
    REQUIRE(log_e > 0);

    const auto o = outlook_of(test);
    CHECK(o.toward == decision::holds);
    CHECK(static_cast<double>(o.further) == std::ceil((std::log(20) - log_e) * 12 / log_e));
}

TEST_CASE("outlook names the side that the evidence grows on", "[stats][unit]") {
    const auto o = outlook_of(replay(three_of_four(-.01, 12), no_margin()));
    CHECK(o.toward == decision::violated);
    CHECK(o.further > 0);
}

TEST_CASE("outlook is that of a test which arrives there", "[stats][unit]") {
    const auto o = outlook_of(replay(three_of_four(.01, 12), no_margin()));
    const auto arrived = replay(three_of_four(.01, 100), no_margin());
    CHECK(arrived.decided() == decision::holds);
    CHECK(arrived.size() <= 12 + o.further);
}

TEST_CASE("outlook says that evidence which does not grow resolves nothing", "[stats][unit]") {
    std::vector<double> around;
    for (int i = 0; i < 40; ++i) around.push_back(i % 2 == 0 ? .002 : -.002);
    const auto o = outlook_of(replay(around, no_margin()));
    CHECK(o.toward == decision::none);
    CHECK(o.further == 0);
}

TEST_CASE("outlook says that evidence which grows too slowly resolves nothing", "[stats][unit]") {
    auto settings = no_margin();
    settings.max_size = 13;
    CHECK(outlook_of(replay(three_of_four(.01, 12), settings)).toward == decision::none);
}

TEST_CASE("outlook needs no more of a decided test, and promises nothing of an exhausted or an empty one",
          "[stats][unit]") {
    const auto decided = outlook_of(replay(std::vector<double>(10, .02)));
    CHECK(decided.toward == decision::holds);
    CHECK(decided.further == 0);

    auto settings = no_margin();
    settings.max_size = 12;
    CHECK(outlook_of(replay(three_of_four(.01, 12), settings)).toward == decision::none);
    CHECK(outlook_of(sequential()).toward == decision::none);
}

TEST_CASE("outlook waits at least for the first look", "[stats][unit]") {
    const auto o = outlook_of(replay(std::vector<double>(8, .02)));
    CHECK(o.toward == decision::holds);
    CHECK(o.further == 2);
}

TEST_CASE("outlook reaches as far as it is told", "[stats][unit]") {
    const auto test = replay(three_of_four(.01, 12), no_margin());
    const auto further = outlook_of(test).further;
    CHECK(extrapolate(test.progress(), 12 + further).further == further);
    CHECK(extrapolate(test.progress(), 12 + further - 1).toward == decision::none);
}

TEST_CASE("outlook does not count what only prepared the test into the rate", "[stats][unit]") {
    auto progress = replay(three_of_four(.01, 12), no_margin()).progress();
    const auto further = extrapolate(progress, 2000).further;
    progress.size += 200;
    progress.without_evidence = 200;
    CHECK(extrapolate(progress, 2000).further == further);
}
