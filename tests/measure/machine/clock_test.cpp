// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include "support/scripted_clock.hpp"

#include <support/test.hpp>

using namespace perfspec::testing;
using perfspec::clock_facts;

namespace {

/// A thousand readings whose steps are `steps`, over and over.
std::vector<std::chrono::nanoseconds> readings_with(const std::vector<int>& steps) {
    std::vector<std::chrono::nanoseconds> readings{5ns};
    for (std::size_t i = 0; readings.size() < 1000; ++i)
        readings.push_back(readings.back() + std::chrono::nanoseconds(steps[i % steps.size()]));
    return readings;
}

}  // namespace

TEST_CASE("inspect finds the resolution of a clock and the cost of a reading", "[measure][unit]") {
    const auto [what, steps, facts] = GENERATE(table<const char*, std::vector<int>, clock_facts>({
        {"nanoseconds, 25 or 26 of them a reading", {25, 26, 25}, {1.0, 25.0 + 1.0 / 3.0}},
        {"ticks of 100 ns, three or four a reading", {300, 400, 300}, {100.0, 300.0 + 100.0 / 3.0}},
        {"ticks of 42 ns, a reading takes half", {0, 42, 0}, {42.0, 14.0}},
        {"the same step always", {30, 30, 30}, {30.0, 30.0}},
    }));
    CAPTURE(what);
    scripted_clock clock(readings_with(steps));
    CHECK(inspect(clock) == facts);
    CHECK(clock.remaining() == 0);
}

TEST_CASE("inspect counts a preemption among the readings for two of them", "[measure][unit]") {
    std::vector<int> steps(999, 25);
    steps[500] = 6'550'000;
    scripted_clock clock(readings_with(steps));
    CHECK(inspect(clock) == clock_facts{25.0, (998 * 25.0 + 50.0) / 999});
    CHECK(clock.remaining() == 0);
}

TEST_CASE("inspect counts a preemption of a coarse clock for one tick", "[measure][unit]") {
    std::vector<int> steps;
    for (int i = 0; i < 333; ++i) steps.insert(steps.end(), {0, i == 100 ? 4'200'000 : 42, 0});
    scripted_clock clock(readings_with(steps));
    CHECK(inspect(clock) == clock_facts{42.0, 14.0});
}

TEST_CASE("inspect repeats while many readings are disturbed, and keeps the calmest series", "[measure][unit]") {
    std::vector<std::chrono::nanoseconds> readings;
    const auto look = [&](int every) {
        std::vector<int> steps(static_cast<std::size_t>(every), 30);
        steps.back() = 90;
        const auto more = readings_with(steps);
        readings.insert(readings.end(), more.begin(), more.end());
    };
    SECTION("until one is calm") {
        look(3);
        look(100);
        scripted_clock clock(readings);
        CHECK(inspect(clock) == clock_facts{30.0, (990 * 30.0 + 9 * 60.0) / 999});
        CHECK(clock.remaining() == 0);
    }
    SECTION("five times at most") {
        for (const int every : {3, 4, 9, 6, 5}) look(every);
        scripted_clock clock(readings);
        CHECK(inspect(clock) == clock_facts{30.0, (888 * 30.0 + 111 * 60.0) / 999});
        CHECK(clock.remaining() == 0);
    }
}

TEST_CASE("inspect_again keeps the cheaper look, and the first where there is no other", "[measure][unit]") {
    scripted_clock clock(readings_with({25}));
    CHECK(inspect_again(clock, {1.0, 6550.0}) == clock_facts{25.0, 25.0});
    scripted_clock slower(readings_with({40}));
    CHECK(inspect_again(slower, {1.0, 26.0}) == clock_facts{1.0, 26.0});
    stepped_clock still;
    CHECK(inspect_again(still, {1.0, 26.0}) == clock_facts{1.0, 26.0});
}

TEST_CASE("inspect reads a coarse clock until it advances", "[measure][unit]") {
    std::vector<std::chrono::nanoseconds> readings(2000, 0ns);
    readings.push_back(4ms);
    scripted_clock clock(readings);
    CHECK(inspect(clock) == clock_facts{4e6, 4e6 / 2000});
}

TEST_CASE("inspect refuses a clock that stands still or goes backwards", "[measure][unit]") {
    stepped_clock still;
    scripted_clock backwards({10ns, 9ns});
    const auto kind_of = [](perfspec::clock& c) {
        try {
            (void)inspect(c);
        } catch (const perfspec::measurement_failure& f) { return f.kind; }
        return perfspec::failure_kind::refused;
    };
    CHECK(kind_of(still) == perfspec::failure_kind::zero_duration);
    CHECK(kind_of(backwards) == perfspec::failure_kind::clock_went_backwards);
}

TEST_CASE("inspect understands the system's clocks", "[measure][unit]") {
    perfspec::monotonic_clock wall;
    perfspec::process_cpu_clock cpu;
    CHECK(inspect(wall).resolution_ns >= 1.0);
    CHECK(inspect(cpu).resolution_ns >= 1.0);
}
