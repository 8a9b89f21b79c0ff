// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "acted_subject.hpp"

#include "calibrated.hpp"

#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

template <class F> bool is_too_slow(F calibrate) {
    try {
        static_cast<void>(calibrate());
    } catch (const measurement_failure& f) { return f.kind == failure_kind::too_slow; }
    return false;
}

}  // namespace

TEST_CASE("given iterations that do not fit into the budget are refused before they are run", "[measure][unit]") {
    measuring_settings settings;
    settings.budget = settings.cap = 1s;
    settings.iterations = 100'000;
    stepped_clock time;
    role r{.time = &time, .call = 100us};
    const auto x = acted("x", r);
    CHECK(is_too_slow([&] { return calibrate_blocks(x, settings, {time, time}); }));
    CHECK(is_too_slow([&] { return calibrate_pair(x, x, settings, {time, time}); }));
    CHECK(std::ranges::find(r.log, "run 100000") == r.log.end());
}

}  // namespace perfspec

using namespace perfspec::testing;

TEST_CASE("settings_for takes what measuring needs from the plan", "[measure][unit]") {
    perfspec::plan p;
    p.iterations = 7;
    p.budget = 4s;
    p.cap = 5s;
    const auto s = settings_for(p, {2.0, 20.0});
    CHECK(s.iterations == 7U);
    CHECK(s.budget == 4s);
    CHECK(s.cap == 5s);
    CHECK(s.metric_clock == perfspec::clock_facts{2.0, 20.0});
}

TEST_CASE("sample_target_ns is 1000 ticks of the clock and 100 of its readings at least", "[measure][unit]") {
    const auto [resolution_ns, cost_ns, sample_time, target_ns] =
        GENERATE(table<double, double, std::chrono::nanoseconds, double>({
            {1.0, 30.0, 100us, 100e3},
            {1.0, 30.0, 1us, 3e3},
            {99.0, 0.0, 100us, 100e3},
            {99.0, 0.0, 10us, 99e3},
            {100.0, 0.0, 10us, 100e3},
            {1.0, 2000.0, 100us, 200e3},
            {1000.0, 0.0, 100us, 1e6},
            {1000.0, 0.0, 5ms, 5e6},
        }));
    perfspec::measuring_settings s;
    s.sample_time = sample_time;
    s.metric_clock = {.resolution_ns = resolution_ns, .cost_ns = cost_ns};
    CHECK(s.sample_target_ns() == target_ns);
}

using perfspec::failure_kind;
using perfspec::warm_call;

TEST_CASE("calibrate_pair takes single iterations after batches to warm up, and stretches for 2000 pairs",
          "[measure][unit]") {
    stepped_clock time;
    role r{.time = &time, .call = 20us};
    const perfspec::subject x = acted("x", r);
    const auto c = calibrate_pair(x, x, single_iterations(), {time, time});
    CHECK(c.a.iterations == 1);
    CHECK(c.b.iterations == 1);
    CHECK(c.warm == warm_call::no);
    CHECK(c.pair_ns == 40e3);
    CHECK(std::count(r.log.begin(), r.log.end(), "run 5") == 2 * (3 + 1));  // a look at iterations in a row is one, too
    CHECK(c.time.budget_ns == 1'000'000'000);
    const auto slow = pair_of(5ms, 5ms, single_iterations());
    CHECK(slow.a.iterations == 1);
    CHECK(slow.time.budget_ns == slow.time.calibrated_ns + 2000 * 10'000'000LL);
}

TEST_CASE("calibrate_pair gives samples of other processes the iterations of the slower side", "[measure][unit]") {
    perfspec::measuring_settings elsewhere;
    elsewhere.samples_remotely = true;
    const auto c = pair_of(200us, 250us, elsewhere);
    CHECK(c.a.iterations == 8);  // 2 ms of the slower one; the faster one alone would take 10
    CHECK(c.b.iterations == 8);
}

TEST_CASE("calibrate_pair leaves no call untimed between single iterations: a pause on every second call is seen",
          "[measure][unit]") {
    stepped_clock time;
    std::size_t calls = 0;
    const perfspec::subject pausing("pausing", [&] { time.advance(++calls % 2 == 0 ? 40us : 20us); });
    role steady{.time = &time, .call = 20us};
    const perfspec::subject other = acted("steady", steady);
    const perfspec::clocks both{time, time};
    perfspec::pair_source pairs(pausing, other, calibrate_pair(pausing, other, single_iterations(), both), 7, both);
    std::size_t pauses = 0;
    for (int i = 0; i < 100; ++i) pauses += pairs.next().a.elapsed_ns == 40'000 ? 1 : 0;
    CHECK(pauses == 50);
}

TEST_CASE("calibrate_pair fails when 1000 pairs of single iterations do not fit", "[measure][unit]") {
    auto settings = hard_budget(10100ms);
    settings.samples = perfspec::sample_kind::single;
    CHECK(pair_of(5ms, 5ms, settings).a.iterations == 1);
    settings.budget = settings.cap = 10s;
    const auto f = failure_of([&] { (void)pair_of(5ms, 5ms, settings); });
    CHECK(f.kind == failure_kind::too_slow);
    CHECK(std::string(f.what()).starts_with(
        "too slow for the cap of 10 s: 1000 pairs of single iterations need 10.1 s. Raise the cap to 23s, "));
}

TEST_CASE("calibration refuses a single iteration that is too short for the clock", "[measure][unit]") {
    auto settings = single_iterations();
    settings.metric_clock = {.resolution_ns = 1.0, .cost_ns = 25.0};
    CHECK(settings.shortest_sample_ns() == 2500.0);
    CHECK(pair_of(2500ns, 2500ns, settings).a.iterations == 1);
    CHECK(failure_of([&] { (void)pair_of(2499ns, 9us, settings); }).kind == failure_kind::too_short);
    CHECK(failure_of([&] { (void)pair_of(9us, 2499ns, settings); }).kind == failure_kind::too_short);
    CHECK(failure_of([&] { (void)blocks_of(2499ns, settings); }).kind == failure_kind::too_short);
    settings.metric_clock = {.resolution_ns = 10.0, .cost_ns = 25.0};
    const auto f = failure_of([&] { (void)blocks_of(9us, settings); });
    CHECK_RECORDED(std::string(f.what()));
}

TEST_CASE("calibrate_blocks of single iterations counts readings instead of time", "[measure][unit]") {
    auto settings = single_iterations();
    settings.block_iterations = 125;
    const auto c = blocks_of(1ms, settings);
    CHECK(c.readings == 125);
    CHECK(c.x.iterations == 1);
    CHECK(c.block_ns == 125e6);
    CHECK(c.blocks == 20);
    CHECK(c.time.budget_ns == c.time.calibrated_ns + 20 * 125'000'000LL);
    CHECK(blocks_of(10us, settings).block_ns == 1.25e6);
    CHECK(blocks_of(1ms).readings == 0);
    settings.budget = settings.cap = 1s;
    CHECK_RECORDED(std::string(failure_of([&] { (void)blocks_of(1ms, settings); }).what()));
}

TEST_CASE("calibrate_samples of single iterations takes no warm calls", "[measure][unit]") {
    stepped_clock time;
    role r{.time = &time, .call = 20us};
    const auto c = calibrate_samples(acted("x", r), single_iterations(), {time, time});
    CHECK(c.x.iterations == 1);
    CHECK(c.warm == warm_call::no);
}
