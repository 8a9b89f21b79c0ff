// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "calibrated.hpp"

#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>

#include <support/scripted_usage.hpp>
#include <support/test.hpp>

using namespace perfspec::testing;
using perfspec::failure_kind;
using perfspec::measuring_settings;
using perfspec::pair_calibration;
using perfspec::warm_call;
using strings = std::vector<std::string>;

TEST_CASE("calibrate_pair plans as the table of slow and fast bodies says", "[measure][unit]") {
    const auto [body, iterations, warm, calibrated, pair, budget] =
        GENERATE(table<std::chrono::nanoseconds, std::uint64_t, warm_call, std::chrono::nanoseconds,
                       std::chrono::nanoseconds, std::chrono::nanoseconds>({
            {1us, 100, warm_call::yes, 628us, 202us, 1s},
            {20us, 5, warm_call::yes, 960us, 240us, 1s},
            {50us, 2, warm_call::yes, 1500us, 300us, 1s},
            {60us, 2, warm_call::no, 1800us, 240us, 1s},
            {1ms, 1, warm_call::no, 14ms, 2ms, 1s},
            {50ms, 1, warm_call::no, 200ms, 100ms, 3200ms},
            {2s, 1, warm_call::no, 8s, 4s, 120s},
            {5s, 1, warm_call::no, 20s, 10s, 120s},
        }));
    CAPTURE(body.count());
    const pair_calibration c = pair_of(body, body);
    const perfspec::subject_calibration each{static_cast<double>(body.count()), 0.0, iterations};
    CHECK(c.a == each);
    CHECK(c.b == each);
    CHECK(c.warm == warm);
    CHECK(c.pair_ns == static_cast<double>(pair.count()));
    CHECK(c.time == perfspec::time_budget{0, calibrated.count(), budget.count()});
}

TEST_CASE("calibrate_pair runs first calls, timed calls, untimed samples, in this order", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 40us};
    role b{.time = &time, .call = 1ms};
    (void)calibrate_pair(acted("a", a), acted("b", b), {}, {time, time});
    CHECK(a.log == strings{"run 1", "run 1", "run 1", "run 1", "run 5", "run 3", "run 3", "run 3"});
    CHECK(b.log == strings{"run 1", "run 1", "run 1", "run 1", "run 1", "run 1", "run 1"});
}

TEST_CASE("calibrate_pair reads the wall clock twice a timed call and once a decision", "[measure][unit]") {
    std::vector<std::chrono::nanoseconds> script{1s, 1s + 12ms};                        // start; after the first calls
    for (int i = 0; i < 3; ++i) script.insert(script.end(), {2s, 2s + 3ms});            // a
    for (int i = 0; i < 3; ++i) script.insert(script.end(), {3s, 3s + 2ms + 1us * i});  // b
    script.insert(script.end(), {1s + 90ms, 1s + 99ms, 1s + 100ms});  // the third untimed sample comes too late
    script.push_back(1s + 107ms);                                     // calibrated
    scripted_clock wall(script);
    scripted_clock unread({});
    role a;
    role b;
    const pair_calibration c = calibrate_pair(acted("a", a), acted("b", b), {}, {wall, unread});
    CHECK(wall.remaining() == 0);
    CHECK(c.a.call_ns == 3e6);
    CHECK(c.b.call_ns == 2e6);
    CHECK(c.pair_ns == 5e6);
    CHECK(c.time == perfspec::time_budget{1'000'000'000, 107'000'000, 1'000'000'000});
    CHECK(a.log.size() == 1 + 3 + 2);
    CHECK(b.log.size() == 1 + 3 + 2);
}

TEST_CASE("calibrate_pair discards the first call and takes the fastest of three", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 20us, .first_calls = {9ms, 30us, 25us, 40us}};
    role b{.time = &time, .call = 20us, .first_calls = {1us, 50us, 50us, 50us}};
    const pair_calibration c = calibrate_pair(acted("a", a), acted("b", b), {}, {time, time});
    CHECK(c.a.call_ns == 25e3);
    CHECK(c.b.call_ns == 50e3);
}

TEST_CASE("calibrate_pair equalizes iterations when the bodies are within a factor of 1.5", "[measure][unit]") {
    const auto [a, b, a_iterations, b_iterations] =
        GENERATE(table<std::chrono::nanoseconds, std::chrono::nanoseconds, std::uint64_t, std::uint64_t>({
            {10us, 12us, 10, 10},
            {20us, 29us, 5, 5},
            {20us, 30us, 5, 4},
            {80us, 20us, 2, 5},
            {300us, 1ms, 1, 1},
        }));
    const pair_calibration c = pair_of(a, b);
    CHECK(c.a.iterations == a_iterations);
    CHECK(c.b.iterations == b_iterations);
}

TEST_CASE("calibrate_pair warms both sides by the slower one", "[measure][unit]") {
    CHECK(pair_of(1us, 50us).warm == warm_call::yes);
    CHECK(pair_of(1us, 51us).warm == warm_call::no);
}

TEST_CASE("calibrate_pair obeys given iterations", "[measure][unit]") {
    measuring_settings s;
    s.iterations = 7;
    const pair_calibration c = pair_of(20us, 70us, s);
    CHECK(c.a.iterations == 7);
    CHECK(c.b.iterations == 7);
    CHECK(c.pair_ns == 7 * 20e3 + 7 * 70e3);
}

TEST_CASE("calibrate_pair times calls under a hundredth of the sample in batches", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 30ns};
    role b{.time = &time, .call = 200ns};
    const pair_calibration c = calibrate_pair(acted("a", a), acted("b", b), {}, {time, time});
    const strings timed(a.log.begin(), a.log.begin() + 10);
    CHECK_RECORDED(timed);
    CHECK(a.log.back() == "run 3334");
    CHECK(c.a == perfspec::subject_calibration{30.0, 0.0, 3334});
    CHECK(c.b == perfspec::subject_calibration{200.0, 0.0, 500});
}

TEST_CASE("calibrate_pair lengthens samples for a coarse clock", "[measure][unit]") {
    measuring_settings s;
    s.metric_clock.resolution_ns = 1000.0;
    const pair_calibration c = pair_of(20us, 20us, s);
    CHECK(c.a.iterations == 50);
    CHECK(c.warm == warm_call::yes);
}

TEST_CASE("calibration lets samples of other processes last two milliseconds", "[measure][unit]") {
    measuring_settings s;
    s.samples_remotely = true;
    const pair_calibration c = pair_of(20us, 20us, s);
    CHECK(c.a.iterations == 100);
    CHECK(c.warm == warm_call::yes);
    CHECK(blocks_of(20us, s).x.iterations == 100);
    CHECK(blocks_of(1999us, s).x.iterations == 2);
    CHECK(blocks_of(2ms, s).x.iterations == 1);
    stepped_clock time;
    role waking_up{.time = &time, .call = 20us, .first_calls = {120us, 120us, 120us, 120us}};
    CHECK(calibrate_samples(acted("x", waking_up), s, {time, time}).x.iterations == 100);
    s.sample_time = 5ms;
    CHECK(pair_of(20us, 20us, s).a.iterations == 250);
    s.iterations = 3;
    CHECK(pair_of(20us, 20us, s).a.iterations == 3);
}

TEST_CASE("calibrate_pair repeats calls of up to ten milliseconds before the clock where processes take turns",
          "[measure][unit]") {
    measuring_settings s;
    s.samples_remotely = true;
    CHECK(pair_of(2ms, 2ms, s).warm == warm_call::no);
    s.processes_take_turns = true;
    CHECK(pair_of(2ms, 10ms, s).warm == warm_call::yes);
    CHECK(pair_of(2ms, 10001us, s).warm == warm_call::no);
    s.sample_time = 40ms;
    CHECK(pair_of(20ms, 20ms, s).warm == warm_call::yes);
}

TEST_CASE("calibrate_pair skips untimed samples when there is no time to warm up", "[measure][unit]") {
    measuring_settings s;
    s.warmup = 0ns;
    CHECK(pair_of(1ms, 1ms, s).time.calibrated_ns == 8'000'000);
}

TEST_CASE("calibrate_pair counts the making of inputs in the budget, not in the call", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 20us, .make = 180us};
    role b{.time = &time, .call = 20us};
    const pair_calibration c = calibrate_pair(acted("a", a, acting::body_with_setup), acted("b", b), {}, {time, time});
    CHECK(c.a == perfspec::subject_calibration{20e3, 180e3, 1, 1});
    CHECK(c.b == perfspec::subject_calibration{20e3, 0.0, 5});
    CHECK(c.pair_ns == 200e3 + 5 * 20e3 + 200e3 + 20e3);
}

TEST_CASE("calibrate_pair bounds the inputs that are held", "[measure][unit]") {
    stepped_clock time;
    role plain{.time = &time, .call = 8ns};
    SECTION("by their number") {
        role a{.time = &time, .call = 8ns};
        const auto c = calibrate_pair(acted("a", a, acting::body_with_setup), acted("b", plain), {}, {time, time});
        CHECK(c.a.iterations == 10'000);
        CHECK(c.b.iterations == 10'000);
    }
    SECTION("by the time that it takes to make them") {
        role a{.time = &time, .call = 8ns, .make = 50us};
        const auto c = calibrate_pair(acted("a", a, acting::body_with_setup), acted("b", plain), {}, {time, time});
        CHECK(c.a.iterations == 200);
        CHECK(c.b.iterations == 200);
        CHECK(std::find(a.log.begin(), a.log.end(), "prepare 1000") == a.log.end());
    }
    SECTION("unless iterations are given") {
        role a{.time = &time, .call = 8ns};
        measuring_settings s;
        s.iterations = 20'000;
        CHECK(calibrate_pair(acted("a", a, acting::body_with_setup), acted("b", plain), s, {time, time}).a.iterations ==
              20'000);
    }
}

TEST_CASE("calibrate_pair fails when ten pairs do not fit into the cap", "[measure][unit]") {
    const auto f = failure_of([] { (void)pair_of(5100ms, 5100ms); });
    CHECK(f.kind == failure_kind::too_slow);
    CHECK_RECORDED(f.what());
}

TEST_CASE("calibrate_pair takes a given budget for a hard limit", "[measure][unit]") {
    SECTION("as long as it is, when it is enough") {
        CHECK(pair_of(50ms, 50ms, hard_budget(1200ms)).time.budget_ns == 1'200'000'000);
        CHECK(pair_of(1ms, 1ms, hard_budget(300s)).time.budget_ns == 300'000'000'000);
    }
    SECTION("and says what it needs, when it is not") {
        CHECK(failure_of([] { (void)pair_of(50ms, 50ms, hard_budget(1199ms)); }).kind == failure_kind::too_slow);
        const auto f = failure_of([] { (void)pair_of(50ms, 50ms, hard_budget(500ms)); });
        CHECK_RECORDED(f.what());
    }
}

TEST_CASE("calibrate_pair gives up after the first calls when they took all the time there is", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 2s};
    role b{.time = &time, .call = 2s};
    const auto f = failure_of([&] {
        (void)calibrate_pair(acted("a", a), acted("b", b), hard_budget(1s), {time, time});
    });
    CHECK(f.kind == failure_kind::too_slow);
    CHECK(a.log.size() + b.log.size() == 2);
}

TEST_CASE("calibrate_pair refuses a body that never takes time", "[measure][unit]") {
    CHECK(failure_of([] { (void)pair_of(0ns, 1ms); }).kind == failure_kind::zero_duration);
}

TEST_CASE("time_budget is spent after its end, counted from the start of calibration", "[measure][unit]") {
    const perfspec::time_budget b{100, 20, 50};
    CHECK_FALSE(b.spent(150));
    CHECK(b.spent(151));
}

TEST_CASE("calibrate_blocks plans twenty blocks over the budget", "[measure][unit]") {
    const auto [body, iterations, calibrated, block, budget, blocks] =
        GENERATE(table<std::chrono::nanoseconds, std::uint64_t, std::chrono::nanoseconds, std::chrono::nanoseconds,
                       std::chrono::nanoseconds, int>({
            {200ns, 500, 326'800ns, 20ms, 1s, 20},
            {1us, 1, 314us, 20ms, 1s, 20},
            {1ms, 1, 7ms, 20ms, 1s, 20},
            {30ms, 1, 120ms, 30ms, 1s, 20},
            {100ms, 1, 200ms, 100ms, 2200ms, 20},
            {8s, 1, 16s, 8s, 120s, 13},
            {10s, 1, 20s, 10s, 120s, 10},
        }));
    CAPTURE(body.count());
    const auto c = blocks_of(body);
    CHECK(c.x == perfspec::subject_calibration{static_cast<double>(body.count()), 0.0, iterations});
    CHECK(c.block_ns == static_cast<double>(block.count()));
    CHECK(c.blocks == blocks);
    CHECK(c.time == perfspec::time_budget{0, calibrated.count(), budget.count()});
}

TEST_CASE("calibrate_blocks reads single calls only where the clock's cost does not count", "[measure][unit]") {
    measuring_settings s;
    s.metric_clock = {1.0, 300.0};
    CHECK(blocks_of(30us, s).x.iterations == 1);
    CHECK(blocks_of(25us, s).x.iterations == 4);
    s.iterations = 3;
    CHECK(blocks_of(30us, s).x.iterations == 3);
}

TEST_CASE("calibrate_blocks fails when ten blocks do not fit", "[measure][unit]") {
    CHECK(failure_of([] { (void)blocks_of(11s); }).kind == failure_kind::too_slow);
    const auto f = failure_of([] { (void)blocks_of(1ms, hard_budget(206ms)); });
    CHECK_RECORDED(f.what());
    CHECK(blocks_of(1ms, hard_budget(207ms)).blocks == 10);
}

TEST_CASE("calibrate_blocks gives up after the first call when it took all the time there is", "[measure][unit]") {
    stepped_clock time;
    role x{.time = &time, .call = 2s};
    CHECK(failure_of([&] {
              (void)calibrate_blocks(acted("x", x), hard_budget(1s), {time, time});
          }).kind == failure_kind::too_slow);
    CHECK(x.log == strings{"run 1"});
}

TEST_CASE("calibration ends if the clock stands still while the processor works", "[measure][unit]") {
    stepped_clock still;
    scripted_usage meter;
    const perfspec::subject x("x", [&] { meter.work(50'000); });
    const auto failure = failure_of([&] { (void)calibrate_samples(x, {}, {still, still, &meter}); });
    CHECK(failure.kind == failure_kind::zero_duration);
    CHECK_THAT(failure.what(), StartsWith("the clock stands still: it shows no time for 1000 iterations of \"x\""));
}

TEST_CASE("calibrate_samples settles samples without a budget", "[measure][unit]") {
    stepped_clock time;
    role x{.time = &time, .call = 20us};
    const auto c = calibrate_samples(acted("x", x), {}, {time, time});
    CHECK(c == perfspec::sample_calibration{{20e3, 0.0, 5}, warm_call::yes, 0});
    CHECK(x.log == strings{"run 1", "run 1", "run 1", "run 1", "run 5", "run 5", "run 5", "run 5"});
}

TEST_CASE("a budget begins after the first calls where a worker runs them, because they start it", "[measure][unit]") {
    measuring_settings s = hard_budget(1s);
    s.samples_remotely = true;
    stepped_clock time;
    role a{.time = &time, .call = 2ms, .first_calls = {20s}};
    role b{.time = &time, .call = 2ms, .first_calls = {10s}};
    SECTION("of pairs") {
        const pair_calibration c = calibrate_pair(acted("a", a), acted("b", b), s, {time, time});
        CHECK(c.time == perfspec::time_budget{30'000'000'000, 24'000'000, 1'000'000'000, 30'000'000'000});
        CHECK(c.a.call_ns == 2e6);
    }
    SECTION("of blocks") {
        const auto c = calibrate_blocks(acted("a", a), s, {time, time});
        CHECK(c.time == perfspec::time_budget{20'000'000'000, 12'000'000, 1'000'000'000, 20'000'000'000});
        CHECK(c.blocks == 20);
    }
    SECTION("of a process, which warms up, too") {
        const auto c = calibrate_samples(acted("a", a), s, {time, time});
        CHECK(c.started_ns == 20'000'000'000);
        CHECK(a.log.size() == 1 + 3 + 3);
    }
    SECTION("and each call that is as slow is refused with what it needs") {
        role slow{.time = &time, .call = 2s};
        const auto f = failure_of([&] { (void)calibrate_blocks(acted("slow", slow), s, {time, time}); });
        CHECK_RECORDED(f.what());
    }
}

namespace {

template <class F> bool fails_with(failure_kind kind, F calibrate) {
    try {
        calibrate();
    } catch (const perfspec::measurement_failure& f) { return f.kind == kind; }
    return false;
}

measuring_settings budget_of_a_second() {
    measuring_settings s;
    s.budget = s.cap = 1s;
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

TEST_CASE("calibration checks the clock again before a single iteration is too short for it", "[measure][unit]") {
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
        CHECK(metric.remaining() == 0);
        return c.x.iterations;
    };
    CHECK(blocks_on(25) == 1);
    CHECK(fails_with(failure_kind::too_short, [&] { (void)blocks_on(95); }));
}
