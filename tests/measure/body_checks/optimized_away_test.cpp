// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "measure/acted_subject.hpp"

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/body_checks.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/session/build_kind.hpp>

#include <support/scripted_usage.hpp>
#include <support/test.hpp>

using namespace perfspec::testing;

namespace {

/// Readings in which the body's loop takes `body` and the empty loop `empty`, except one slow run of each.
std::vector<std::chrono::nanoseconds> five_runs(std::chrono::nanoseconds body, std::chrono::nanoseconds empty) {
    std::vector<std::chrono::nanoseconds> script;
    for (int i = 0; i < 5; ++i) script.insert(script.end(), {0ns, i == 2 ? 9us : body, 0ns, i == 4 ? 8us : empty});
    return script;
}

/// The times of the body and the empty loop in each of four checks; the last one repeats.
std::vector<std::chrono::nanoseconds> four_checks(
    std::vector<std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds>> checks) {
    checks.resize(4, checks.back());
    std::vector<std::chrono::nanoseconds> script;
    for (const auto& [body, empty] : checks) {
        const auto runs = five_runs(body, empty);
        script.insert(script.end(), runs.begin(), runs.end());
    }
    return script;
}

bool looks_optimized_away(
    const std::vector<std::chrono::nanoseconds>& script, const perfspec::subject& x = [] {}) {
    scripted_clock clock(script);
    bool flagged = false;
    try {
        perfspec::require_work(x, 1000, clock);
    } catch (const perfspec::measurement_failure& f) {
        CHECK(f.kind == perfspec::failure_kind::optimized_away);
        flagged = true;
    }
    CHECK(clock.remaining() == 0);
    return flagged;
}

}  // namespace

TEST_CASE("require_work flags an iteration within 50 % of the empty loop's, by the fastest of twenty runs",
          "[measure][unit]") {
    CHECK(looks_optimized_away(four_checks({{300ns, 300ns}})));
    CHECK(looks_optimized_away(four_checks({{450ns, 300ns}})));
    CHECK(looks_optimized_away(four_checks({{200ns, 300ns}})));
    CHECK_FALSE(looks_optimized_away(four_checks({{451ns, 300ns}})));
}

TEST_CASE("require_work lets a body go after five runs that take three empty loops each", "[measure][unit]") {
    CHECK_FALSE(looks_optimized_away(five_runs(901ns, 300ns)));
    CHECK_FALSE(looks_optimized_away(four_checks({{900ns, 300ns}})));
}

TEST_CASE("require_work allows three empty loops if the compiler knows the result", "[measure][unit]") {
    if (PERFSPEC_DETAIL_BUILD_KIND != perfspec::build_kind::optimized) SKIP("this build computes nothing beforehand");
    const auto known = [] { return std::pow(1.2, 3.8); };
    CHECK(looks_optimized_away(four_checks({{900ns, 300ns}}), known));
    CHECK_FALSE(looks_optimized_away(five_runs(901ns, 300ns), known));
    const auto unknown = [] { return std::pow(perfspec::black_box(1.2), 3.8); };
    CHECK_FALSE(looks_optimized_away(four_checks({{451ns, 300ns}}), unknown));
    int calls = 0;
    CHECK_FALSE(looks_optimized_away(four_checks({{451ns, 300ns}}), [&] { return ++calls; }));
}

TEST_CASE("the code that repeats a body begins at a line of the instruction cache", "[measure][unit]") {
    int x = 0;
    const std::array subjects{perfspec::subject([&] { ++x; }), perfspec::subject([&] { return x; }),
                              perfspec::subject([&] { return x + 1; }),
                              perfspec::subject([&] { perfspec::do_not_optimize(x); }),
                              perfspec::subject("setup", perfspec::setup([] { return 1; }), [](int& y) { return y; })};
    for (const perfspec::subject& s : subjects)
        CHECK(reinterpret_cast<std::uintptr_t>(s.state().functions->run) % 64 == 0);
}

TEST_CASE("a subject that may be optimized away is not looked at", "[measure][unit]") {
    scripted_clock clock(std::vector<std::chrono::nanoseconds>{});
    const auto nothing = perfspec::subject("nothing", [] {}).may_be_optimized_away();
    perfspec::require_work(nothing, 1000, clock);
    perfspec::require_work_in_each(nothing, 1000.0, clock);
    perfspec::subject like("like", [] {});
    perfspec::detail::declare_like(like, nothing);
    CHECK(like.state().may_be_optimized_away);
}

TEST_CASE("require_work checks a short body four times: five runs of either may be disturbed", "[measure][unit]") {
    CHECK_FALSE(looks_optimized_away(four_checks({{500ns, 2000ns}, {500ns, 300ns}})));
    CHECK(looks_optimized_away(four_checks({{1000ns, 2000ns}, {1000ns, 700ns}})));
    CHECK(looks_optimized_away(four_checks({{500ns, 300ns}, {500ns, 300ns}, {500ns, 300ns}, {300ns, 300ns}})));
}

TEST_CASE("require_work_in_each flags iterations that cost a third of single ones, by the fastest of four runs",
          "[measure][unit]") {
    const auto looks_moved = [](std::chrono::nanoseconds in_a_row, std::chrono::nanoseconds singly, int checks) {
        std::vector<std::chrono::nanoseconds> script{0ns, 30us};
        for (int i = 0; i < checks; ++i)
            script.insert(script.end(), {0ns, i % 2 == 0 ? in_a_row : 9us, 0ns, i % 2 == 1 ? singly : 30us});
        script.resize(script.size() - 2);  // the last check confirms
        scripted_clock clock(script);
        bool flagged = false;
        try {
            perfspec::require_work_in_each([] {}, 999.0, clock);
        } catch (const perfspec::measurement_failure& f) {
            CHECK(f.kind == perfspec::failure_kind::optimized_away);
            CHECK(std::string(f.what()).find("takes 800 ns alone, but 100 ns if it is one of 10 in a row") !=
                  std::string::npos);
            flagged = true;
        }
        CHECK(clock.remaining() == 0);
        return flagged;
    };
    CHECK(looks_moved(1us, 8us, 4));
    CHECK_FALSE(looks_moved(10001ns, 8us, 1));
}

TEST_CASE("require_work_in_each does not look at calls that are too short to say", "[measure][unit]") {
    scripted_clock clock(std::vector<std::chrono::nanoseconds>{0ns, 190ns, 0ns, 10ns});
    CHECK_NOTHROW(perfspec::require_work_in_each([] {}, 999.0, clock));
    CHECK(clock.remaining() == 0);
}

TEST_CASE("require_work_in_each knows what a call of 1 us or more takes alone", "[measure][unit]") {
    scripted_clock clock(std::vector<std::chrono::nanoseconds>{0ns, 3334ns});
    CHECK_NOTHROW(perfspec::require_work_in_each([] {}, 1000.0, clock));
    CHECK(clock.remaining() == 0);
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
    scripted_clock clock(four_checks({{310ns, 300ns}}));
    const perfspec::subject x("sum", [] {});
    CHECK_THROWS_RECORDED(std::exception, perfspec::require_work(x, 1000, clock));
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

TEST_CASE("calibrate_pair looks for optimized-away bodies", "[measure][unit]") {
    stepped_clock time;  // the empty loop takes no time on it
    role a{.time = &time, .call = 5ns};
    role b{.time = &time, .call = 6ns};
    const std::uint64_t runs = 1 + 3 * 4;             // the first call; three each of 1, 10, 100, 1000
    const std::uint64_t checks_for_moved = 1 + 1000;  // a thousand in a row and singly
    (void)calibrate_pair(acted("a", a), acted("b", b), {}, {time, time});
    CHECK(a.log.size() == runs + 5 + checks_for_moved + 3);
    CHECK(b.log.size() == runs + checks_for_moved + 3);
}

namespace perfspec {
namespace {

using testing::scripted_usage;

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t mebibyte = 1 << 20;

/// A body whose calls take these times, the last of them from then on.
subject takes(scripted_usage& used, std::vector<std::int64_t> calls) {
    return {"x",
            [&used, calls, next = std::size_t{0}]() mutable { used.work(calls[std::min(next++, calls.size() - 1)]); }};
}

}  // namespace

TEST_CASE("a first call does additional work if it takes three times as long and 0.3 ms more", "[measure][unit]") {
    const auto [first, later, is_alone] = GENERATE(table<call_usage, call_usage, bool>({
        {{1100 * us, 1100 * us}, {4, 4}, true},                              // memoized
        {{1000 * us, 1000 * us, 0, 0, 0}, {302 * us, 302 * us}, true},       // sorted from then on
        {{900 * us, 900 * us, 0, 0, 0}, {302 * us, 302 * us}, false},        // not three times
        {{299 * us, 299 * us, 0, 0, 0}, {1, 1}, false},                      // cold caches, lazy binding
        {{5 * ms, 310 * us, 0, 0, 0}, {302 * us, 302 * us}, false},          // interrupted
        {{1 * ms, 4 * ms, 0, 0, 0}, {900 * us, 900 * us}, false},            // more threads, no more time
        {{70 * ms, 70 * ms, 64 * mebibyte, 0, 0}, {3 * ms, 3 * ms}, false},  // touched its memory for the first time
        {{90 * ms, 90 * ms, 64 * mebibyte, 0, 0}, {3 * ms, 3 * ms}, true},
        {{60 * ms, 60 * ms, 0, 5120, 0}, {3 * ms, 3 * ms}, false},  // the same, and gave it back
        {{140 * ms, 140 * ms, 0, 5000, 0}, {3 * ms, 3 * ms}, true},
        {{94 * ms, 94 * ms, 0, 5120, 0},
         {2 * ms, 2 * ms},
         false},                                               // 20 MiB that the host of a virtual machine has to find
        {{1 * ms, 1 * ms, 0, 0, 2}, {5 * us, 5 * us}, false},  // beside the threads of a pool
        {{14 * ms, 14 * ms, 0, 0, 0, 5 * us}, {3 * us, 3 * us}, false},  // spun until the other thread had a core
        {{14 * ms, 14 * ms, 0, 0, 0, 3 * us}, {3 * us, 3 * us}, true},
        {{1 * ms, 1 * ms, -mebibyte, 0, 1}, {5 * us, 5 * us}, true},
    }));
    CAPTURE(first.wall_ns, first.cpu_ns, first.grown_bytes, first.threads);
    CHECK(is_first_call_alone(first, later) == is_alone);
}

TEST_CASE("usage_of_call is what a call used, and runs it without a meter too", "[measure][unit]") {
    scripted_usage used;
    const subject x("x", [&] {
        used.work(7);
        used.used.cpu_ns += 2;  // of another thread
        used.used.memory_bytes += 100;
        used.used.page_faults += 3;
        used.used.threads = 2;
    });
    CHECK(usage_of_call(x, &used) == call_usage{7, 9, 100, 3, 2, 2});
    CHECK_FALSE(usage_of_call(x, nullptr).has_value());
    CHECK(used.used.wall_ns == 14);
}

TEST_CASE("a first call is looked at again only where it was long", "[measure][unit]") {
    scripted_usage used;
    const auto memoized = takes(used, {1 * ms, 4});
    const auto first = usage_of_call(memoized, &used);
    CHECK(look_at_first_call(memoized, first, 4.0, &used) == first_call_times{1e6, 4.0});
    CHECK(used.used.wall_ns == 1 * ms + 3 * 4);

    scripted_usage of_steady;
    const auto steady = takes(of_steady, {4});
    CHECK(look_at_first_call(steady, usage_of_call(steady, &of_steady), 4.0, &of_steady) == first_call_times{});
    CHECK(of_steady.used.wall_ns == 4);
}

TEST_CASE("the time of an interrupted first call is the processor's", "[measure][unit]") {
    scripted_usage used;
    const auto x = takes(used, {4});
    CHECK(look_at_first_call(x, call_usage{20 * ms, 5 * ms}, 4.0, &used) == first_call_times{5e6, 4.0});
}

TEST_CASE("a call that is long now and then is no first call", "[measure][unit]") {
    scripted_usage used;
    const auto x = takes(used, {1 * ms, 4, 1 * ms, 4});
    CHECK(look_at_first_call(x, usage_of_call(x, &used), 4.0, &used) ==
          first_call_times{1e6, 4.0});  // the middle of three counts
    const auto y = takes(used, {1 * ms});
    CHECK(look_at_first_call(y, usage_of_call(y, &used), 4.0, &used) == first_call_times{});
}

}  // namespace perfspec
