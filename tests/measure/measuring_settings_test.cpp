// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/measuring_settings.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

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
    struct row {
        double resolution_ns, cost_ns;
        std::chrono::nanoseconds sample_time;
        double target_ns;
    };
    const auto r = GENERATE(values<row>({
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
    s.sample_time = r.sample_time;
    s.metric_clock = {.resolution_ns = r.resolution_ns, .cost_ns = r.cost_ns};
    CHECK(s.sample_target_ns() == r.target_ns);
}
