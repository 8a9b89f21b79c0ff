// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "acted_subject.hpp"

#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/measuring_settings.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
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
    settings.budget = 1s;
    settings.limit = budget_kind::hard;
    settings.iterations = 100'000;
    stepped_clock time;
    role r{.time = &time, .call = 100us};
    const auto x = acted("x", r);
    CHECK(is_too_slow([&] { return calibrate_blocks(x, settings, {time, time}); }));
    CHECK(is_too_slow([&] { return calibrate_pair(x, x, settings, {time, time}); }));
    CHECK(std::ranges::find(r.log, "run 100000") == r.log.end());
}

}  // namespace perfspec

using namespace std::chrono_literals;

TEST_CASE("settings_for takes what measuring needs from the plan", "[measure][unit]") {
    perfspec::plan p;
    p.iterations = 7;
    p.budget = 4s;
    p.cap = 5s;
    const auto s = settings_for(p, {2.0, 20.0});
    CHECK(s.iterations == 7U);
    CHECK(s.budget == 4s);
    CHECK(s.limit == perfspec::budget_kind::stretches);
    CHECK(s.hard_limit() == 5s);
    CHECK(s.metric_clock == perfspec::clock_facts{2.0, 20.0});
}

TEST_CASE("settings_for makes a given budget a hard limit", "[measure][unit]") {
    perfspec::plan p;
    p.budget = 200s;
    p.budget_given = true;
    CHECK(settings_for(p, {}).limit == perfspec::budget_kind::hard);
    CHECK(settings_for(p, {}).hard_limit() == 200s);
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
