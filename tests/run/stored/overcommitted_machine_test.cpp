// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Launches on a machine that has more to do than it has cores.
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A launch while so many threads wanted to run on four cores.
child_end launch_beside(int runnable, double value) {
    record busy = from_json_line(parse_answer(launch_of(value)).payload.value());
    busy.disturbed.runnable = runnable;
    busy.disturbed.cores = 4;
    return answered(to_json_line(busy));
}

}  // namespace

TEST_CASE("launches on a machine with more than twice as many threads as cores fail no test by themselves",
          "[run][unit]") {
    const int runnable = GENERATE(8, 9);
    stored_program program({launch_beside(runnable, 1.4e6)});
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == (runnable == 9 ? verdict::undecided : verdict::violated));
    CHECK(
        r.reason ==
        (runnable == 9
             ? "it is beyond the bound, but sharing processors with other work may explain that: up to 9 threads wanted to run on 4 "
               "cores, in 5 of 5 launches more than two a core"
             : ""));
}

TEST_CASE("taking turns excuses a violation by no more than it can make", "[run][unit]") {
    // Nine threads on four cores: 2.25 times longer.
    const auto [fresh, expected] =
        GENERATE(table<double, verdict>({{2.3e6, verdict::undecided}, {2.4e6, verdict::violated}}));
    stored_program program({launch_beside(9, fresh)});
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == expected);
}

TEST_CASE("a burst during a quarter of the launches excuses no violation", "[run][unit]") {
    const auto [launches_in_burst, expected] =
        GENERATE(table<int, verdict>({{1, verdict::violated}, {2, verdict::undecided}}));  // of five
    std::vector<child_end> launches;
    for (int i = 0; i < 5; ++i) launches.push_back(launch_beside(i < launches_in_burst ? 30 : 2, 1.4e6));
    stored_program program(launches);
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == expected);
    CHECK(r.evidence.launches == 5);
    CHECK(r.disturbed.overcommitted == static_cast<std::size_t>(launches_in_burst));
}

TEST_CASE("one burst excuses no more than the turns of the other launches", "[run][unit]") {
    stored_program program(
        {launch_beside(100, 3e6), launch_beside(9, 3e6)});  // then nine threads on four cores for good: 2.25 times
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::violated);
}

TEST_CASE("taking turns excuses nothing but wall time", "[run][unit]") {
    stored_program program({launch_beside(9, 1.4e6)});
    program.store("sorting / peak_memory(sort)", about(1e6, 10), "bytes");
    const record r = program.evaluate(peak_memory(program.sort) <= 1.05 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.disturbed.overcommitted == 0);
    stored_program recording({launch_beside(9, 1e6)});
    CHECK(recording.evaluate(cpu_time(recording.sort) < 1.05 * baseline()).baseline.value().action ==
          baseline_action::recorded);
}

TEST_CASE("both sides of a tolerance see the turns of the launches that they share", "[run][unit]") {
    stored_program program({launch_beside(9, 0.8e6)});  // a gain, which the second side is about
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) == within(baseline(), 5_pct));
    CHECK(r.verdict == verdict::undecided);
    CHECK_THAT(r.reason,
               Catch::Matchers::ContainsSubstring("up to 9 threads wanted to run on 4 cores, in 10 of 10 launches"));
    CHECK(r.disturbed.overcommitted == 10);
}

TEST_CASE("an update refuses a session on a machine with more than twice as many threads as cores, unless forced",
          "[run][unit]") {
    const bool force = GENERATE(false, true);
    stored_program program({launch_beside(9, 1e6)});
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_BASELINE_DIR"] = "/project/baselines";
    if (force) program.variables["PERFSPEC_FORCE"] = "1";
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == (force ? verdict::not_judged : verdict::invalid));
    CHECK(r.baseline.value().action == (force ? baseline_action::recorded : baseline_action::refused));
    if (!force) CHECK(r.bound_text == "1.05 x 1.000 ms, of 10 launches that are not recorded");
    if (!force)
        CHECK(
            r.reason ==
            "up to 9 threads wanted to run on 4 cores, in 10 of 10 launches more than two a core: record it when the machine has less "
            "to do; --perf-force records it anyway");
}

TEST_CASE("a first run on a machine with more than twice as many threads as cores records nothing, and fails nothing",
          "[run][unit]") {
    stored_program program({launch_beside(9, 1e6)});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::not_judged);
    CHECK_FALSE(r.failed);
    CHECK(r.baseline.value().action == baseline_action::refused);
    CHECK(
        r.reason ==
        "up to 9 threads wanted to run on 4 cores, in 10 of 10 launches more than two a core: nothing is recorded; the next run on "
        "this machine tries again");
    CHECK_FALSE(program.files.has(r.baseline->file));
}

TEST_CASE("a load that cannot be tried loses no session, and the record says so", "[run][unit]") {
    std::vector<child_end> launches = launches_of(1e6, 10);
    launches.push_back(crashed());
    stored_program program(launches);
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_BASELINE_DIR"] = "/project/baselines";
    program.make_load = [](std::size_t) { return std::make_unique<machine_load>(); };
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.baseline.value().action == baseline_action::recorded);
    const auto stored = program.stored().entries.at(0).launches;
    CHECK(stored.size() == 10);
    CHECK_FALSE(stored.front().moved_by_load.has_value());
    REQUIRE(!r.disturbed.notes.empty());
    CHECK_THAT(r.disturbed.notes.back(), Catch::Matchers::StartsWith("its change under load could not be measured: "));
}

}  // namespace perfspec
