// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Launches on a machine with more runnable threads than cores.
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

#include <support/captured_stream.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A launch beside `runnable` threads on four cores.
child_end launch_beside(int runnable, double value) {
    record busy = from_json_line(parse_answer(launch_of(value)).payload.value());
    busy.disturbed.runnable = runnable;
    busy.disturbed.cores = 4;
    return answered(to_json_line(busy));
}

/// A launch that measured for a second, and waited for a processor meanwhile.
child_end launch_that_waited(double seconds, double value) {
    record busy = from_json_line(parse_answer(launch_of(value)).payload.value());
    busy.disturbed.waited_seconds = seconds;
    busy.evidence.seconds = 1.0;
    return answered(to_json_line(busy));
}

const std::string other_work = "other processes used 1.1 of 2 cores meanwhile";

/// A launch whose threads others crowded out.
child_end crowded_launch(double value) {
    record busy = from_json_line(parse_answer(launch_of(value)).payload.value());
    busy.disturbed.crowding = other_work;
    return answered(to_json_line(busy));
}

}  // namespace

TEST_CASE("threads that others crowd out may take hundreds of times as long, and more is violated", "[run][unit]") {
    const auto [value, code] = GENERATE(table<double, verdict>({
        {728e6, verdict::undecided},
        {20'000e6, verdict::violated},
    }));
    stored_program program({crowded_launch(value)});
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == code);
    CHECK((code == verdict::undecided) == (r.reason.find(other_work) != std::string::npos));
}

TEST_CASE("crowding excuses no processor time, no shorter time, and no launches without it", "[run][unit]") {
    stored_program program({crowded_launch(728e6)});
    program.store("sorting / cpu_time(sort)", about(1e6, 10));
    CHECK(program.evaluate(cpu_time(program.sort) < 1.05 * baseline()).verdict == verdict::violated);
    stored_program faster({crowded_launch(0.1e6)});
    faster.store(faster.key(), about(1e6, 10));
    CHECK(faster.evaluate(latency(faster.sort) > 0.95 * baseline()).verdict == verdict::violated);
    stored_program free({crowded_launch(728e6), crowded_launch(728e6), launch_of(728e6)});  // all others are free
    free.store(free.key(), about(1e6, 10));
    CHECK(free.evaluate(latency(free.sort) < 1.05 * baseline()).verdict == verdict::violated);
}

TEST_CASE("launches whose time others explain do not go on to the cap", "[run][unit]") {
    child_end slow = crowded_launch(3e6);
    slow.seconds = 3.0;
    stored_program program({slow});
    std::vector<double> stored = about(1e6, 10);
    stored.back() = 20e6;  // without crowding it goes on for twenty launches
    program.store(program.key(), stored);
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.launches == 5);
}

TEST_CASE("waiting for a processor excuses as much as it may have cost", "[run][unit]") {
    const auto [waited, value, code] = GENERATE(table<double, double, verdict>({
        {0.4, 1.5e6, verdict::undecided},
        {0.4, 2e6, verdict::violated},
        {0.2, 1.5e6, verdict::violated},
        {0.0, 1.5e6, verdict::violated},
    }));
    stored_program program({launch_that_waited(waited, value)});
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == code);
    CHECK((code == verdict::violated) != (r.reason.find("40 % of the time of its launches") != std::string::npos));
}

TEST_CASE("waiting for a processor excuses no processor time", "[run][unit]") {
    stored_program program({launch_that_waited(0.4, 1.5e6)});
    program.store("sorting / cpu_time(sort)", about(1e6, 10));
    CHECK(program.evaluate(cpu_time(program.sort) < 1.05 * baseline()).verdict == verdict::violated);
}

TEST_CASE("one burst excuses no more than the turns of the other launches", "[run][unit]") {
    stored_program program(
        {launch_beside(100, 3e6), launch_beside(9, 3e6)});  // then nine threads on four cores for good: 2.25 times
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::violated);
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

TEST_CASE("a load that cannot be tried loses no session, and the record says so", "[run][unit]") {
    std::vector<child_end> launches = launches_of(1e6, 10);
    launches.push_back(crashed());
    stored_program program(launches);
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_BASELINE_DIR"] = "/project/baselines";
    program.make_load = [](std::size_t) { return std::shared_ptr<void>(); };
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.baseline.value().action == baseline_action::recorded);
    const auto stored = program.stored().entries.at(0).launches;
    CHECK(stored.size() == 10);
    CHECK_FALSE(stored.front().moved_by_load.has_value());
    REQUIRE(!r.disturbed.notes.empty());
    CHECK_THAT(r.disturbed.notes.back(), Catch::Matchers::StartsWith("its change under load could not be measured: "));
}

TEST_CASE("a first run beside other work says that its baseline misses most changes, and how to record it again",
          "[run][unit]") {
    std::vector<child_end> launches;
    for (const double ms : {1.0, 1.01, 1.0, 1.02, 1.01, 1.0, 1.01, 6.0, 12.0, 20.0})
        launches.push_back(launch_of(ms * 1e6));
    stored_program program(std::move(launches));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.baseline.value().action == baseline_action::recorded);
    CHECK(r.baseline.value().detectable > 0.5);
    CHECK_THAT(
        r.reason,
        ContainsSubstring(
            "; it misses smaller changes, so record it again when the machine has less to do: PERFSPEC_BASELINE_DIR=") &&
            ContainsSubstring(" PERFSPEC_UPDATE_BASELINES=all; the next run compares"));
}

TEST_CASE("an update refuses launches that spread too much, unless it is forced", "[run][unit]") {
    std::vector<child_end> wild;
    for (int i = 0; i < 10; ++i) wild.push_back(launch_of(i % 2 == 0 ? 1e6 : 2e6));
    const auto update = [&](stored_program& program) {
        program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
        program.files.put_folder("/project/baselines");
        return program.evaluate(latency(program.sort) < 1.06 * baseline());
    };
    stored_program program(wild);
    const record r = update(program);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, StartsWith("the launches vary by"));
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0],
               ContainsSubstring("PERFSPEC_AGAINST=BUILD_FOLDER") && ContainsSubstring("--perf-force records"));
    CHECK(r.baseline.value().action == baseline_action::refused);
    CHECK(r.baseline.value().taken.size() == 10);
    CHECK_FALSE(program.files.has(program.path()));

    stored_program forced(wild);
    forced.variables["PERFSPEC_FORCE"] = "on";
    CHECK(update(forced).baseline.value().action == baseline_action::recorded);
}

TEST_CASE("an update says once that the code it records is not committed", "[run][unit]") {
    struct row {
        std::string git;
        const char* verbosity;
        bool warned;
    };
    const auto given = GENERATE(
        values<row>({{" M sort.cpp\n", "normal", true}, {"", "normal", false}, {" M sort.cpp\n", "quiet", false}}));
    int starts = 0;
    stored_program program([&](const child_command& command) {
        if (command.executable != "/usr/bin/env") {
            child_end launch = launch_of(1e6);
            launch.seconds = 0.1;  // ten are too short for an announcement
            return launch;
        }
        ++starts;
        CHECK(command.arguments.back() == ":(top,exclude,literal)baselines");  // an update changes these itself
        return child_end{
            .how = child_outcome::exited, .code = 0, .result = {}, .last_words = given.git, .seconds = 0.1};
    });
    program.files.put("/project/.git/HEAD", std::string(40, 'a').append(1, '\n'));
    program.files.put_folder("/project/baselines");
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_VERBOSITY"] = given.verbosity;
    const captured_stream console;
    program.console = console.file();
    CHECK_FALSE(program.evaluate(latency(program.sort) < 1.06 * baseline()).failed);
    CHECK_FALSE(program.evaluate(latency(program.sort) < 1.06 * baseline(), {key("other")}).failed);
    CHECK(program.stored().entries.size() == 2);
    CHECK(starts <= 1);
    CHECK(
        console.text() ==
        (given.warned
             ? "perfspec: warning: the working tree has changes after aaaaaaaaaa: these launches carry that commit, but changed code "
               "was measured; commit, and record again, before you share them\n"
             : ""));
}

TEST_CASE("an update that writes nothing, and a first run at a desk, do not ask whether the code is committed",
          "[run][unit]") {
    const bool first_run = GENERATE(true, false);
    stored_program program(launches_of(1e6, 10));  // git would be one more child
    program.files.put("/project/.git/HEAD", std::string(40, 'a').append(1, '\n'));
    if (!first_run) {
        program.store(stored_program::key(), about(1e6, 10));
        program.context().set_option(option_id::update_baselines, "moved");
    }
    CHECK(program.evaluate(latency(program.sort) < 1.06 * baseline()).verdict == verdict::not_judged);
    CHECK(program.launcher.commands().size() == 10);
}

}  // namespace perfspec
