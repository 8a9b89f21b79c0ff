// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Counts on a simulated processor: when it takes the place of the machine's, how processes are judged, and what one of
// them answers.
#include "../counted_launch.hpp"
#include "../forked_child.hpp"

#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/scripted_simulator.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

/// A simulated launch that counted this, by functions.
child_end launch_that_counts(double value, const std::vector<std::pair<std::string, double>>& functions = {}) {
    record r = from_json_line(parse_answer(counted(value)).payload.value());
    for (const auto& [name, count] : functions)
        r.parts.push_back({name, "in itself", dimension::count, {count, count, count, count, 0.0}, 0.0, {}});
    return answered(to_json_line(r));
}

/// As many launches as have to agree, that do.
std::vector<child_end> agreeing(double value) { return std::vector<child_end>(5, counted(value)); }

/// A program on a machine without counters, and with a simulator.
struct simulating_run : scripted_run {
    scripted_simulator simulated_processor{files};
    subject sort = takes("sort", std::chrono::milliseconds(1));
    subject merge = takes("merge", std::chrono::milliseconds(1));

    explicit simulating_run(std::vector<child_end> children = {}) : scripted_run(std::move(children)) { simulate(); }
    explicit simulating_run(std::function<child_end(const child_command&)> children)
        : scripted_run(std::move(children)) {
        simulate();
    }

private:
    void simulate() {
        counts.of(metric_kind::instructions).fault = "this machine offers no such counter";
        simulation = &simulated_processor;
    }
};

}  // namespace

TEST_CASE("where the processor counts nothing, a simulated one does, under a key and a folder of its own",
          "[run][unit]") {
    simulating_run program(agreeing(1000));
    const record r = program.evaluate(instructions(program.sort) < 2000);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "simulated_instructions(sort)");
    CHECK(r.key == "sorting / simulated_instructions(sort)");
    CHECK(r.hardware_key == any_hardware_key());
    CHECK(r.evidence.exact);
    CHECK(r.evidence.launches == 5);
    CHECK(r.estimate.value().centre == 1000);
    CHECK(program.bodies_run == 0);  // none in this process
    CHECK(program.launcher.commands().at(0).executable == "/usr/bin/valgrind");
    CHECK(program.launcher.commands().at(0).arguments.at(0) == "simulated_instructions");
    CHECK(program.launcher.commands().at(0).arguments.at(2) == "/build/sort_test");
    CHECK(program.asked_of_child(0).profiles == program.launcher.commands().at(0).arguments.at(1));
    CHECK_THAT(program.asked_of_child(0).plan, ContainsSubstring(";counts=simulated"));
}

TEST_CASE("where the processor counts, it does so, unless an option says otherwise", "[run][unit]") {
    const bool asked = GENERATE(false, true);
    simulating_run program(agreeing(1000));
    program.counts.of(metric_kind::instructions).fault = "";
    if (asked) program.variables["PERFSPEC_COUNTS"] = "simulated";
    const auto sort = program.counts_in_calls("sort", metric_kind::instructions, {1000});
    const record r = program.evaluate(instructions(sort) < 2000);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == (asked ? "simulated_instructions(sort)" : "instructions(sort)"));
}

TEST_CASE("a program may refuse the simulation", "[run][unit]") {
    simulating_run program;
    program.variables["PERFSPEC_COUNTS"] = "processor";
    const record r = program.evaluate(instructions(program.sort) < 2000);
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.reason == "this machine offers no such counter");
}

TEST_CASE("where neither counts, both reasons are given", "[run][unit]") {
    simulating_run program;
    program.simulated_processor.trouble = "there is no Valgrind in PATH";
    const record r = program.evaluate(instructions(program.sort) < 2000);
    CHECK(r.verdict == verdict::not_judged);
    CHECK(
        r.reason ==
        "this machine offers no such counter; and no simulated processor can take its place: there is no Valgrind in PATH");
    const record direct = program.evaluate(simulated_instructions(program.sort) < 2000);
    CHECK(direct.verdict == verdict::not_judged);
    CHECK(direct.reason == "there is no Valgrind in PATH");
}

TEST_CASE("cycles have no simulation", "[run][unit]") {
    simulating_run program;
    program.counts.of(metric_kind::cycles).fault = "this machine offers no such counter";
    program.variables["PERFSPEC_COUNTS"] = "simulated";
    const record r = program.evaluate(cycles(program.sort) < 2000);
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.query == "cycles(sort)");
}

TEST_CASE("processes that agree are compared exactly, without a margin", "[run][unit]") {
    const auto [bound, expected] =
        GENERATE(table<double, verdict>({{1000.0, verdict::violated}, {1001.0, verdict::holds}}));
    simulating_run program(agreeing(1000));
    CHECK(program.evaluate(simulated_instructions(program.sort) < bound).verdict == expected);
    simulating_run equal(agreeing(1000));
    CHECK(equal.evaluate(simulated_instructions(equal.sort) == bound).verdict ==
          (bound == 1000.0 ? verdict::holds : verdict::violated));
}

TEST_CASE("one process that differs is enough to leave the exact comparison", "[run][unit]") {
    const std::size_t odd = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{4});
    std::vector<child_end> ends(5, counted(1000));
    ends[odd] = counted(1010);
    const std::vector<child_end> more = testing::launches_of(1000, 15);
    ends.insert(ends.end(), more.begin(), more.end());
    simulating_run program(ends);
    const record r = program.evaluate(simulated_instructions(program.sort) < 1500);
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.evidence.exact);
    CHECK(r.evidence.launches > 5);
}

TEST_CASE("processes that differ are never equal to a bound, and never all 0", "[run][unit]") {
    simulating_run program({counted(0), counted(0), counted(0), counted(0), counted(2)});
    const record equal = program.evaluate(simulated_cache_misses(program.sort) == 0);
    CHECK(equal.verdict == verdict::violated);
    CHECK(equal.reason == "the processes differ: 0, 0, 0, 0, 2");
    simulating_run again({counted(0), counted(0), counted(0), counted(0), counted(2)});
    CHECK(again.evaluate(simulated_cache_misses(again.sort) <= 0).verdict == verdict::violated);
}

TEST_CASE("two subjects are counted in processes of their own, and a violated claim names what differs",
          "[run][unit]") {
    const auto by_side = [](const child_command& command) {
        const bool is_other = scripted_run::request_in(command).side == compared_side::second;
        return is_other ? launch_that_counts(1000, {{"swap", 400}, {"compare", 600}})
                        : launch_that_counts(900, {{"swap", 100}, {"compare", 600}, {"copy", 200}});
    };
    simulating_run program(by_side);
    const record r =
        program.evaluate(simulated_instructions(program.sort) < 0.5 * simulated_instructions(program.merge));
    CHECK(r.verdict == verdict::violated);
    CHECK(r.estimate.value().centre == 900);
    CHECK(r.bound == 500.0);
    CHECK(r.bound_text == "0.5 x 1000 of simulated_instructions(merge)");
    REQUIRE(r.parts.size() == 2);
    CHECK(r.parts[0].part == "swap");
    CHECK(r.parts[0].mark == "was 400");
    CHECK(r.parts[0].value.centre == 100);
    CHECK(r.parts[1].part == "copy");
    CHECK(r.parts[1].mark == "was 0");
    CHECK(program.evaluate(simulated_instructions(program.sort) < simulated_instructions(program.merge)).verdict ==
          verdict::holds);
}

TEST_CASE("a claim that holds names no functions, and one beyond a number names the largest", "[run][unit]") {
    const std::vector<child_end> ends(5, launch_that_counts(1000, {{"swap", 400}, {"compare", 600}}));
    simulating_run holds(ends);
    CHECK(holds.evaluate(simulated_instructions(holds.sort) <= 1000).parts.empty());
    simulating_run fails(ends);
    const record r = fails.evaluate(simulated_instructions(fails.sort) < 1000);
    REQUIRE(r.parts.size() == 2);
    CHECK(r.parts[0].part == "compare");
}

TEST_CASE("a simulated process removes its last profile, and keeps it where traces are asked for", "[run][unit]") {
    const bool keeps = GENERATE(false, true);
    scripted_file_system* files = nullptr;
    simulating_run program([&files](const child_command& command) {
        files->put(scripted_run::request_in(command).profiles, "the rest");
        return counted(1000);
    });
    files = &program.files;
    if (keeps) program.variables["PERFSPEC_TRACE"] = "/traces";
    CHECK(program.evaluate(simulated_instructions(program.sort) < 2000).verdict == verdict::holds);
    const child_request asked = program.asked_of_child(0);
    CHECK(asked.keeps_profiles == keeps);
    CHECK_THAT(asked.profiles, StartsWith(keeps ? "/traces/callgrind.out.sorting" : "/nonexistent/perfspec-"));
    CHECK_FALSE(program.files.has(asked.profiles));  // it holds what the program did after the claim
}

TEST_CASE("stored counts are recorded in ten processes", "[run][unit]") {
    std::vector<child_end> ends(10, counted(1000));
    simulating_run program(ends);
    program.variables["PERFSPEC_POLICY"] = "local";
    CHECK(program.evaluate(simulated_instructions(program.sort) <= baseline()).verdict == verdict::not_judged);
    CHECK(program.launcher.commands().size() == 10);
}

namespace {

/// What a simulated child answers for a body.
ended simulated_child(const std::function<void(scripted_simulator&)>& body, std::int64_t work_meanwhile = 0) {
    const child_script script{
        .key = "sorting / simulated_instructions(sort)", .task = child_task::launch, .profiles = "/tmp/p"};
    return in_child(script, [&](scripted_run& program) {
        scripted_simulator processor(program.files);
        processor.running = true;
        processor.profiles = "/tmp/p";
        program.simulation = &processor;
        program.rest.meanwhile = [&] { processor.work("another thread", work_meanwhile); };
        const subject sort("sort", [&] { body(processor); });
        static_cast<void>(program.outcome(simulated_instructions(sort) < 2000));
    });
}

}  // namespace

TEST_CASE("a simulated child answers with the median of three calls after the first, less what reading costs",
          "[run][unit]") {
    const ended e = simulated_child([call = std::size_t{0}](scripted_simulator& processor) mutable {
        const std::array counts{5000, 1000, 1020, 1010};
        processor.work("sort", call < counts.size() ? counts[call] : 1000);
        processor.work("swap", 100);
        ++call;
    });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::holds);
    CHECK(e.answer->estimate.value().centre == 1110);
    CHECK(e.answer->evidence.rounds == 3);
    REQUIRE(e.answer->parts.size() == 2);
    CHECK(e.answer->parts[0].part == "sort");
    CHECK(e.answer->parts[0].value.centre == 1010);
}

TEST_CASE("a body that does nothing is not counted", "[run][unit]") {
    const ended e = simulated_child([](scripted_simulator&) {});
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::invalid);
    CHECK_THAT(e.answer->reason, ContainsSubstring("looks optimised away"));
}

TEST_CASE("a body whose threads go on after it is not counted", "[run][unit]") {
    const ended e = simulated_child([](scripted_simulator& processor) { processor.work("sort", 1000); }, 9000);
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::invalid);
    CHECK_THAT(
        e.answer->reason,
        StartsWith(
            "work goes on after the body has returned: 1000 instructions until then, 9011 more in a while after it."));
}

TEST_CASE("a thread that wakes up for a moment after the body is no work that goes on", "[run][unit]") {
    const ended e = simulated_child([](scripted_simulator& processor) { processor.work("sort", 1000); }, 900);
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::holds);
}

TEST_CASE("a body that works in only some of its calls is not counted", "[run][unit]") {
    const auto every = [](int n) {
        return [n, call = 0](scripted_simulator& processor) mutable {
            processor.work("sort", ++call % n == 0 ? 9000 : 1000);
        };
    };
    const ended e = simulated_child(every(6));
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::invalid);
    CHECK_THAT(
        e.answer->reason,
        StartsWith(
            "calls of the body do different work: three took 1000 instructions each, later ones 2501 on average") &&
            ContainsSubstring("iterations(1000)"));
}

TEST_CASE("a body that starts processes is not counted", "[run][unit]") {
    const ended e = simulated_child([](scripted_simulator& processor) {
        processor.work("sort", 1000);
        const pid_t child = ::fork();
        if (child == 0) ::_exit(0);
        ::waitpid(child, nullptr, 0);
    });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::invalid);
    CHECK_THAT(e.answer->reason, StartsWith("the body starts processes"));
}

TEST_CASE("misses of a body that does nothing are not counted", "[run][unit]") {
    const child_script script{
        .key = "sorting / simulated_branch_misses(sort)", .task = child_task::launch, .profiles = "/tmp/p"};
    const ended e = in_child(script, [](scripted_run& program) {
        scripted_simulator processor(program.files);
        processor.running = true;
        processor.profiles = "/tmp/p";
        processor.instead = "events: Ir Bcm Bim\ntotals: 32 0 0\n";
        program.simulation = &processor;
        static_cast<void>(program.outcome(simulated_branch_misses(subject("sort", [] {})) <= 5));
    });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::invalid);
    CHECK_THAT(e.answer->reason, ContainsSubstring("looks optimised away"));
}

TEST_CASE("a child that is asked for a simulated count counts nothing without a simulation", "[run][unit]") {
    const child_script script{
        .key = "sorting / simulated_instructions(sort)", .task = child_task::launch, .profiles = "/tmp/p"};
    const ended e = in_child(script, [](scripted_run& program) {
        scripted_simulator processor(program.files);
        program.simulation = &processor;
        static_cast<void>(
            program.outcome(simulated_instructions(program.takes("sort", std::chrono::milliseconds(1))) < 2000));
    });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::not_judged);
    CHECK_THAT(e.answer->reason, StartsWith("this process does not run under Valgrind"));
}

}  // namespace perfspec
