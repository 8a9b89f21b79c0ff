// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/launch_sample.hpp>

#include "acted_subject.hpp"

#include <support/test.hpp>

using namespace std::chrono_literals;
using namespace perfspec::testing;
using perfspec::measure_launch;

TEST_CASE("measure_launch takes thirty samples, at least 100 ms of them, and no more than a second",
          "[measure][unit]") {
    const auto [body, samples] = GENERATE(table<std::chrono::nanoseconds, std::size_t>({
        {20us, 834},  // 5 calls and a warm one: 120 us
        {1ms, 100},
        {10ms, 30},
        {40ms, 25},
        {3s, 1},
    }));
    CAPTURE(body.count());
    stepped_clock time;
    role x{.time = &time, .call = body};
    const auto launch = measure_launch(acted("x", x), {}, {time, time});
    CHECK(launch.samples_ns == std::vector<double>(samples, static_cast<double>(body.count())));
    CHECK(launch.median_ns == static_cast<double>(body.count()));
}

TEST_CASE("measure_launch takes its fewest samples however long, or says what they need", "[measure][unit]") {
    stepped_clock time;
    role x{.time = &time, .call = 5ms};
    const perfspec::launch_limits limits{.samples = 1000, .at_least = 100ms, .at_most = 1s, .min_samples = 1000};
    perfspec::measuring_settings settings;
    CHECK(measure_launch(acted("x", x), settings, {time, time}, limits).samples_ns.size() == 1000);
    settings.cap = 4s;
    try {
        (void)measure_launch(acted("x", x), settings, {time, time}, limits);
        FAIL("nothing was thrown");
    } catch (const perfspec::measurement_failure& f) {
        CHECK(f.kind == perfspec::failure_kind::too_slow);
        CHECK(
            std::string(f.what()) ==
            "too slow for the cap of 4 s: 1000 single iterations need 5 s; give cap(6s), enough for 1000, or do less work in an iteration");
    }
}

TEST_CASE("measure_launch's value is the median of the metric's samples", "[measure][unit]") {
    stepped_clock wall;
    scripted_clock metric({0ms, 5ms, 0ms, 2ms, 0ms, 9ms});
    role x{.time = &wall, .call = 400ms};
    const auto launch = measure_launch(acted("x", x), {}, {wall, metric});
    CHECK(launch.samples_ns == std::vector<double>{5e6, 2e6, 9e6});
    CHECK(launch.median_ns == 5e6);
}

TEST_CASE("measure_launch of two subjects takes thirty pairs in random order", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 20us};
    role b{.time = &time, .call = 40us};
    const auto launch = measure_launch(acted("a", a), acted("b", b), {}, 5, {time, time});
    CHECK(launch.pairs.size() == 30);
    CHECK(launch.calibration.a.iterations == 5);
    CHECK(launch.calibration.b.iterations == 5);
    for (const double x : launch.log_ratios()) CHECK_THAT(x, Catch::Matchers::WithinAbs(std::log(0.5), 1e-15));
    const auto first = [](const perfspec::timed_pair& p) { return p.order == perfspec::pair_order::a_first; };
    CHECK(std::any_of(launch.pairs.begin(), launch.pairs.end(), first));
    CHECK_FALSE(std::all_of(launch.pairs.begin(), launch.pairs.end(), first));
}

TEST_CASE("measure_launch of two slow subjects ends with the budget", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 2s};
    role b{.time = &time, .call = 2s};
    const auto launch = measure_launch(acted("a", a), acted("b", b), {}, 5, {time, time});
    CHECK(launch.pairs.size() == 29);  // the last begins at 120 s exactly
}

TEST_CASE("measure_launch takes ten pairs even where they turn out slower than calibrated", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 10s, .first_calls = {1s, 1s}};
    role b{.time = &time, .call = 10s, .first_calls = {1s, 1s}};
    CHECK(measure_launch(acted("a", a), acted("b", b), {}, 5, {time, time}).pairs.size() == 10);
}
