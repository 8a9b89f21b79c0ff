// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// No single reading of the machine makes a claim invalid.

#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>

#include "measure/acted_subject.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <vector>

using namespace std::chrono_literals;
using namespace perfspec::testing;
using perfspec::failure_kind;
using perfspec::measuring_settings;

namespace {

template <class F> bool fails_with(failure_kind kind, F calibrate) {
    try {
        calibrate();
    } catch (const perfspec::measurement_failure& f) { return f.kind == kind; }
    return false;
}

measuring_settings budget_of_a_second() {
    measuring_settings s;
    s.budget = 1s;
    s.limit = perfspec::budget_kind::hard;
    return s;
}

}  // namespace

TEST_CASE("calibrate_pair times a slow call once more before it is too slow", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 60ms, .first_calls = {60ms, 140ms}};
    role b{.time = &time, .call = 1ms};
    const perfspec::clocks both{time, time};
    const auto c = calibrate_pair(acted("a", a), acted("b", b), budget_of_a_second(), both);
    CHECK(c.a.call_ns == 60e6);
    CHECK(c.pair_ns == 61e6);
    CHECK(a.log.size() == 3);
    role slow{.time = &time, .call = 140ms};
    CHECK(fails_with(failure_kind::too_slow,
                     [&] { (void)calibrate_pair(acted("a", slow), acted("b", b), budget_of_a_second(), both); }));
    CHECK(slow.log.size() == 3);
}

TEST_CASE("calibrate_blocks times a slow call once more before it is too slow", "[measure][unit]") {
    stepped_clock time;
    role x{.time = &time, .call = 60ms, .first_calls = {60ms, 140ms}};
    const auto c = calibrate_blocks(acted("x", x), budget_of_a_second(), {time, time});
    CHECK(c.x.call_ns == 60e6);
    CHECK(c.block_ns == 60e6);
    CHECK(c.blocks == 12);
}

TEST_CASE("calibration looks at the clock again before a single iteration is too short for it", "[measure][unit]") {
    measuring_settings settings;
    settings.samples = perfspec::sample_kind::single;
    settings.metric_clock = {.resolution_ns = 1.0, .cost_ns = 655.0};  // a preemption met the first look
    const auto blocks_on = [&](int step) {
        std::vector<std::chrono::nanoseconds> readings{0ns};
        while (readings.size() < 2000)  // of a single iteration, and of a sample
            readings.push_back(readings.back() + std::chrono::nanoseconds(step + (readings.size() % 2 == 0 ? 1 : 0)));
        scripted_clock metric(readings);
        stepped_clock time;
        role x{.time = &time, .call = 9us};
        const auto c = calibrate_blocks(acted("x", x), settings, {time, metric});
        CHECK(metric.left() == 0);
        return c.x.iterations;
    };
    CHECK(blocks_on(25) == 1);
    CHECK(fails_with(failure_kind::too_short, [&] { (void)blocks_on(95); }));
}
