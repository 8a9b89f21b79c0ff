// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/body_checks/optimised_away.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>

#include "measure/acted_subject.hpp"

#include <support/test.hpp>

using namespace std::chrono_literals;
using namespace perfspec::testing;

namespace {

/// Readings in which the body's loop takes `body` and the empty loop `empty`; but each is slow in one run.
std::vector<std::chrono::nanoseconds> five_runs(std::chrono::nanoseconds body, std::chrono::nanoseconds empty) {
    std::vector<std::chrono::nanoseconds> script;
    for (int i = 0; i < 5; ++i) script.insert(script.end(), {0ns, i == 2 ? 9us : body, 0ns, i == 4 ? 8us : empty});
    return script;
}

/// What the body and the empty loop take in each of four looks; the last one repeats.
std::vector<std::chrono::nanoseconds> four_looks(
    std::vector<std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds>> looks) {
    looks.resize(4, looks.back());
    std::vector<std::chrono::nanoseconds> script;
    for (const auto& [body, empty] : looks) {
        const auto runs = five_runs(body, empty);
        script.insert(script.end(), runs.begin(), runs.end());
    }
    return script;
}

bool looks_optimised_away(const std::vector<std::chrono::nanoseconds>& script) {
    scripted_clock clock(script);
    bool flagged = false;
    try {
        perfspec::require_work([] {}, 1000, clock);
    } catch (const perfspec::measurement_failure& f) {
        CHECK(f.kind == perfspec::failure_kind::optimised_away);
        flagged = true;
    }
    CHECK(clock.left() == 0);
    return flagged;
}

}  // namespace

TEST_CASE("require_work flags an iteration within 50 % of the empty loop's, by the fastest of twenty runs",
          "[measure][unit]") {
    CHECK(looks_optimised_away(four_looks({{300ns, 300ns}})));
    CHECK(looks_optimised_away(four_looks({{450ns, 300ns}})));
    CHECK(looks_optimised_away(four_looks({{200ns, 300ns}})));
    CHECK_FALSE(looks_optimised_away(four_looks({{451ns, 300ns}})));
}

TEST_CASE("require_work lets a body go after five runs that take three empty loops each", "[measure][unit]") {
    CHECK_FALSE(looks_optimised_away(five_runs(901ns, 300ns)));
    CHECK_FALSE(looks_optimised_away(four_looks({{900ns, 300ns}})));
}

TEST_CASE("require_work looks four times at a short body: five runs of either may be disturbed", "[measure][unit]") {
    CHECK_FALSE(looks_optimised_away(four_looks({{500ns, 2000ns}, {500ns, 300ns}})));
    CHECK(looks_optimised_away(four_looks({{1000ns, 2000ns}, {1000ns, 700ns}})));
    CHECK(looks_optimised_away(four_looks({{500ns, 300ns}, {500ns, 300ns}, {500ns, 300ns}, {300ns, 300ns}})));
}

TEST_CASE("require_work_in_each flags iterations that cost a third of single ones, by the fastest of four runs",
          "[measure][unit]") {
    const auto looks_moved = [](std::chrono::nanoseconds in_a_row, std::chrono::nanoseconds singly, int looks) {
        std::vector<std::chrono::nanoseconds> script{0ns, 30us};
        for (int i = 0; i < looks; ++i)
            script.insert(script.end(), {0ns, i % 2 == 0 ? in_a_row : 9us, 0ns, i % 2 == 1 ? singly : 30us});
        script.resize(script.size() - 2);  // the last look confirms
        scripted_clock clock(script);
        bool flagged = false;
        try {
            perfspec::require_work_in_each([] {}, 999.0, clock);
        } catch (const perfspec::measurement_failure& f) {
            CHECK(f.kind == perfspec::failure_kind::optimised_away);
            CHECK(std::string(f.what()).find("takes 800 ns when it runs alone, and 100 ns among 10 in a row") !=
                  std::string::npos);
            flagged = true;
        }
        CHECK(clock.left() == 0);
        return flagged;
    };
    CHECK(looks_moved(1us, 8us, 4));
    CHECK_FALSE(looks_moved(10001ns, 8us, 1));
}

TEST_CASE("require_work_in_each does not look at calls that are too short to say", "[measure][unit]") {
    scripted_clock clock(std::vector<std::chrono::nanoseconds>{0ns, 190ns, 0ns, 10ns});
    CHECK_NOTHROW(perfspec::require_work_in_each([] {}, 999.0, clock));
    CHECK(clock.left() == 0);
}

TEST_CASE("require_work_in_each knows what a call of 1 us or more takes alone", "[measure][unit]") {
    scripted_clock clock(std::vector<std::chrono::nanoseconds>{0ns, 3334ns});
    CHECK_NOTHROW(perfspec::require_work_in_each([] {}, 1000.0, clock));
    CHECK(clock.left() == 0);
}

TEST_CASE(
    "require_work_in_each leaves alone what no compiler sees through: functions by pointer, adapters, inputs from a setup",
    "[measure][unit]") {
    scripted_clock clock(std::vector<std::chrono::nanoseconds>{});
    role r{};
    const perfspec::subject by_pointer(+[] {});
    for (const perfspec::subject& x :
         {acted("device", r, acting::device_body), acted("setup", r, acting::body_with_setup), by_pointer})
        perfspec::require_work_in_each(x, 1000.0, clock);
    CHECK(r.log.empty());
}

TEST_CASE("require_work says what to do", "[measure][unit]") {
    scripted_clock clock(four_looks({{310ns, 300ns}}));
    const perfspec::subject x("sum", [] {});
    CHECK_THROWS_WITH(
        perfspec::require_work(x, 1000, clock),
        "\"sum\" looks optimised away: an iteration takes 0.31 ns, and one of an empty loop 0.30 ns. "
        "Return the value or keep() it, hide literal inputs with opaque(); if everything is kept, the body is too small to be measured: "
        "do more work in an iteration");
}

TEST_CASE("require_work never flags a body of a few dependent instructions", "[measure][unit]") {
    perfspec::monotonic_clock clock;
    std::uint64_t state = 1;
    CHECK_NOTHROW(perfspec::require_work(
        [&] {
            for (int i = 0; i < 4; ++i) state = state * 6364136223846793005U + 1442695040888963407U;
            return state;
        },
        100'000, clock));
}

TEST_CASE("calibrate_pair looks for optimised-away bodies", "[measure][unit]") {
    stepped_clock time;  // the empty loop takes no time on it
    role a{.time = &time, .call = 5ns};
    role b{.time = &time, .call = 6ns};
    const std::uint64_t runs = 1 + 3 * 4;            // the first call; three each of 1, 10, 100, 1000
    const std::uint64_t looks_for_moved = 1 + 1000;  // a thousand in a row and singly
    (void)calibrate_pair(acted("a", a), acted("b", b), {}, {time, time});
    CHECK(a.log.size() == runs + 5 + looks_for_moved + 3);
    CHECK(b.log.size() == runs + looks_for_moved + 3);
}
