// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/launch_sample.hpp>

#include "acted_subject.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace std::chrono_literals;
using namespace perfspec::testing;
using perfspec::block_source;
using perfspec::timed_block;

TEST_CASE("block_source spreads blocks at equal distances over the budget and idles between", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 1ms};
    const perfspec::subject x = acted("x", r);
    const auto c = calibrate_blocks(x, {}, {time, time});
    REQUIRE(c.time.calibrated_ns == 7'000'000);
    block_source source(x, c, {time, time}, rest);
    std::vector<std::int64_t> ends;
    for (int i = 0; i < c.blocks; ++i) {
        CHECK(source.next() == timed_block{1e6, std::vector<double>(20, 1e6)});
        ends.push_back(time.now());
    }
    constexpr std::int64_t distance = (1'000'000'000 - 7'000'000) / 20;
    CHECK(rest.slept() == std::vector<std::int64_t>(19, distance - 20'000'000));
    CHECK(ends.front() == 27'000'000);
    CHECK(ends.back() == 27'000'000 + 19 * distance);
    CHECK_FALSE(c.time.spent(ends.back()));
}

TEST_CASE("block_source does not idle where blocks fill the budget", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 100ms};
    const perfspec::subject x = acted("x", r);
    const auto c = calibrate_blocks(x, {}, {time, time});
    block_source source(x, c, {time, time}, rest);
    for (int i = 0; i < 20; ++i) CHECK(source.next() == timed_block{100e6, {100e6}});
    CHECK(rest.slept().empty());
    CHECK(time.now() == c.time.budget_ns);
}

TEST_CASE("block_source goes on at the same distance after the planned blocks", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 1ms};
    const perfspec::subject x = acted("x", r);
    block_source source(x, calibrate_blocks(x, {}, {time, time}), {time, time}, rest);
    for (int i = 0; i < 23; ++i) (void)source.next();
    CHECK(rest.slept() == std::vector<std::int64_t>(22, 29'650'000));
}

TEST_CASE("block_source's block is readings for 20 ms of wall time, each from the metric's clock", "[measure][unit]") {
    scripted_clock wall({0ms, 0ms, 10ms, 19'999'999ns, 20ms});  // its turn; the block's start; after each reading
    scripted_clock metric({0us, 300us, 0us, 100us, 0us, 200us});
    stepped_clock unused;
    stepped_sleeper rest(unused);
    perfspec::block_calibration c;
    c.x = {1e3, 0.0, 100};
    c.block_ns = 20e6;
    c.blocks = 20;
    c.time = {0, 0, 1'000'000'000};
    block_source source([] {}, c, {wall, metric}, rest);
    CHECK(source.next() == timed_block{2000.0, {3000.0, 1000.0, 2000.0}});
    CHECK(wall.left() == 0);
    CHECK(metric.left() == 0);
}

TEST_CASE("block_source's block of single iterations is so many readings, however long", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 1ms};
    const perfspec::subject x = acted("x", r);
    perfspec::measuring_settings settings;
    settings.samples = perfspec::sample_kind::single;
    block_source source(x, calibrate_blocks(x, settings, {time, time}), {time, time}, rest);
    CHECK(source.next() == timed_block{1e6, std::vector<double>(100, 1e6)});
    r.call = 10us;
    CHECK(source.next() == timed_block{1e4, std::vector<double>(100, 1e4)});
}

TEST_CASE("block_source takes no warm calls", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 10us};
    const perfspec::subject x = acted("x", r);
    block_source source(x, calibrate_blocks(x, {}, {time, time}), {time, time}, rest);
    r.log.clear();
    (void)source.next();
    CHECK(r.log == std::vector<std::string>(2000, "run 1"));
}

TEST_CASE("block_source refuses a reading in which the clock did not advance", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    perfspec::block_calibration c;
    c.x.call_ns = 1.0;
    block_source source([] {}, c, {time, time}, rest);
    CHECK_THROWS_AS((void)source.next(), perfspec::measurement_failure);
}

TEST_CASE("middle_of is the middle reading, or the mean of the middle two", "[measure][unit]") {
    CHECK(perfspec::detail::middle_of({7.0}) == 7.0);
    CHECK(perfspec::detail::middle_of({9.0, 1.0, 5.0}) == 5.0);
    CHECK(perfspec::detail::middle_of({9.0, 1.0, 4.0, 6.0}) == 5.0);
    CHECK(perfspec::detail::middle_of({1.0, 2.0}) == 1.5);
}
