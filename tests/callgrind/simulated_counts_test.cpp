// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Counts on a simulated processor: the judge's process, and a child's answer.
#include "scripted_simulator.hpp"

#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <run/counted_process.hpp>
#include <run/forked_child.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A simulated process with this count, and its counts by function.
child_end process_that_counts(double value, const std::vector<std::pair<std::string, double>>& functions = {}) {
    record r = from_json_line(parse_answer(counted(value)).payload.value());
    for (const auto& [name, count] : functions)
        r.parts.push_back({name, "in itself", dimension::count, {count, count, count, 0.0}, 0.0, {}});
    return answered(to_json_line(r));
}

/// Five processes with equal values, the number that has to agree.
std::vector<child_end> agreeing(double value) { return std::vector<child_end>(5, counted(value)); }

/// A program with a simulator.
struct simulating_run : scripted_run, scripted_count {
    subject sort = takes("sort", std::chrono::milliseconds(1));
    subject merge = takes("merge", std::chrono::milliseconds(1));

    explicit simulating_run(std::vector<child_end> children = {})
        : scripted_run(std::move(children)), scripted_count(files) {}
    explicit simulating_run(std::function<child_end(const child_command&)> children)
        : scripted_run(std::move(children)), scripted_count(files) {}
};

}  // namespace

TEST_CASE("counts are those of all machines of one architecture, from processes that Valgrind runs",
          "[callgrind][unit]") {
    simulating_run program(agreeing(1000));
    const record r = program.evaluate(program.simulated_instructions(program.sort) < 2000);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "simulated_instructions(sort)");
    CHECK(r.key == "sorting / simulated_instructions(sort)");
    CHECK(r.hardware_key == any_hardware_key());
    CHECK(r.evidence.exact);
    CHECK(r.evidence.processes == 5);
    CHECK(r.estimate.value().value == 1000);
    CHECK(program.bodies_run == 0);  // none in this process
    CHECK(program.launcher.commands().at(0).executable == "/usr/bin/valgrind");
    CHECK(program.launcher.commands().at(0).arguments.at(1) == "/build/sort_test");
    CHECK(program.variable_of_child(0, "CALLGRIND_PROFILES") == program.launcher.commands().at(0).arguments.at(0));
}

TEST_CASE("where nothing can be simulated, the reason is given", "[callgrind][unit]") {
    simulating_run program;
    program.processor.trouble = "there is no Valgrind in PATH";
    const record r = program.evaluate(program.simulated_instructions(program.sort) < 2000);
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.reason == "there is no Valgrind in PATH");
}

TEST_CASE("a dry run names the method of each claim", "[callgrind][unit]") {
    const auto [against, of_baseline] = GENERATE(
        table<const char*, const char*>({{"", "recording"}, {"/reference/sort_test", "process pairs of both builds"}}));
    simulating_run program;
    program.variables["PERFSPEC_MODE"] = "dry-run";
    program.variables["PERFSPEC_CI"] = "off";
    program.variables["PERFSPEC_BASELINE_BUILD"] = against;
    const auto count = program.simulated_instructions(program.sort);
    const auto other = program.simulated_instructions(program.merge);
    const char* const exact =
        "exact comparison of a few processes on a simulated processor; statistics where they vary";
    struct row {
        detail::expression tree;
        std::string method;
    };
    for (const row& each : {row{count < 2000, exact}, row{count == 1000, exact}, row{count < other, exact},
                            row{count, "values of fresh processes"}, row{count <= baseline(), of_baseline}}) {
        CHECK(program.evaluate(each.tree).forecast.value().method == each.method);
    }
}

TEST_CASE("processes that agree are compared exactly, without a margin", "[callgrind][unit]") {
    const auto [bound, expected] =
        GENERATE(table<double, verdict>({{1000.0, verdict::violated}, {1001.0, verdict::holds}}));
    simulating_run program(agreeing(1000));
    CHECK(program.evaluate(program.simulated_instructions(program.sort) < bound).verdict == expected);
    simulating_run equal(agreeing(1000));
    CHECK(equal.evaluate(equal.simulated_instructions(equal.sort) == bound).verdict ==
          (bound == 1000.0 ? verdict::holds : verdict::violated));
}

TEST_CASE("one process that differs is enough to leave the exact comparison", "[callgrind][unit]") {
    const std::size_t odd = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{4});
    std::vector<child_end> ends(5, counted(1000));
    ends[odd] = counted(1010);
    const std::vector<child_end> more = testing::processes_of(1000, 15);
    ends.insert(ends.end(), more.begin(), more.end());
    simulating_run program(ends);
    const record r = program.evaluate(program.simulated_instructions(program.sort) < 1500);
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.evidence.exact);
    CHECK(r.evidence.processes > 5);
}

TEST_CASE("processes that differ are never equal to a bound, and never all 0", "[callgrind][unit]") {
    simulating_run program({counted(0), counted(0), counted(0), counted(0), counted(2)});
    const record equal = program.evaluate(program.simulated_instructions(program.sort) == 0);
    CHECK(equal.verdict == verdict::violated);
    CHECK(equal.reason == "the processes differ: 0, 0, 0, 0, 2");
    simulating_run again({counted(0), counted(0), counted(0), counted(0), counted(2)});
    CHECK(again.evaluate(again.simulated_instructions(again.sort) <= 0).verdict == verdict::violated);
}

TEST_CASE("two subjects are counted in processes of their own, and a violated claim names what differs",
          "[callgrind][unit]") {
    const auto by_side = [](const child_command& command) {
        const bool is_other = scripted_run::request_in(command).side == compared_side::second;
        return is_other ? process_that_counts(1000, {{"swap", 400}, {"compare", 600}})
                        : process_that_counts(900, {{"swap", 100}, {"compare", 600}, {"copy", 200}});
    };
    simulating_run program(by_side);
    const record r = program.evaluate(program.simulated_instructions(program.sort) <
                                      0.5 * program.simulated_instructions(program.merge));
    CHECK(r.verdict == verdict::violated);
    CHECK(r.estimate.value().value == 900);
    CHECK(r.bound == 500.0);
    CHECK(r.bound_text == "0.5 x 1000 of simulated_instructions(merge)");
    REQUIRE(r.parts.size() == 2);
    CHECK(r.parts[0].part == "swap");
    CHECK(r.parts[0].mark == "was 400");
    CHECK(r.parts[0].value.value == 100);
    CHECK(r.parts[1].part == "copy");
    CHECK(r.parts[1].mark == "was 0");
    CHECK(program.evaluate(program.simulated_instructions(program.sort) < program.simulated_instructions(program.merge))
              .verdict == verdict::holds);
}

TEST_CASE("a claim that holds names no functions, and one beyond a number names the largest", "[callgrind][unit]") {
    const std::vector<child_end> ends(5, process_that_counts(1000, {{"swap", 400}, {"compare", 600}}));
    simulating_run holds(ends);
    CHECK(holds.evaluate(holds.simulated_instructions(holds.sort) <= 1000).parts.empty());
    simulating_run fails(ends);
    const record r = fails.evaluate(fails.simulated_instructions(fails.sort) < 1000);
    REQUIRE(r.parts.size() == 2);
    CHECK(r.parts[0].part == "compare");
}

TEST_CASE("the profiles of a process are removed with it, unless traces are requested", "[callgrind][unit]") {
    const bool keeps = GENERATE(false, true);
    scripted_file_system* files = nullptr;
    simulating_run program([&files](const child_command& command) {
        files->put(command.arguments.at(0), "the rest");
        files->put(command.arguments.at(0) + ".1", "nothing");
        files->put(command.arguments.at(0) + ".6", "later calls");
        return counted(1000);
    });
    files = &program.files;
    if (keeps) program.variables["PERFSPEC_TRACE"] = "/traces";
    CHECK(program.evaluate(program.simulated_instructions(program.sort) < 2000).verdict == verdict::holds);
    const std::string profiles = program.launcher.commands().at(0).arguments.at(0);
    CHECK_THAT(profiles, StartsWith(keeps ? "/traces/callgrind.out.sorting" : "/nonexistent/perfspec-"));
    CHECK_FALSE(program.files.has(profiles));  // it holds what the program did after the claim
    CHECK(program.files.has(profiles + ".1") == keeps);
    CHECK(program.files.has(profiles + ".6") == keeps);
}

TEST_CASE("stored counts are recorded in ten processes", "[callgrind][unit]") {
    std::vector<child_end> ends(10, counted(1000));
    simulating_run program(ends);
    program.variables["PERFSPEC_CI"] = "off";
    CHECK(program.evaluate(program.simulated_instructions(program.sort) <= baseline()).verdict == verdict::skipped);
    CHECK(program.launcher.commands().size() == 10);
}

namespace {

enum class under_valgrind : std::uint8_t { no, yes };

/// The answer of a child to a request for the count of a body.
ended simulated_child(const std::function<void(scripted_simulator&)>& body, std::int64_t work_meanwhile = 0,
                      under_valgrind runs = under_valgrind::yes) {
    const child_script script{.key = "sorting / simulated_instructions(sort)", .task = child_task::measure};
    return in_child(script, [&](scripted_run& program) {
        scripted_count by(program.files);
        by.processor.running = runs == under_valgrind::yes;
        by.processor.profiles = "/tmp/p";
        program.variables["CALLGRIND_PROFILES"] = "/tmp/p";
        program.rest.meanwhile = [&] { by.processor.work("another thread", work_meanwhile); };
        const subject sort("sort", [&] { body(by.processor); });
        static_cast<void>(program.outcome(by.simulated_instructions(sort) < 2000));
    });
}

}  // namespace

TEST_CASE("a simulated child answers with the median of three calls after the first, less what reading costs",
          "[callgrind][unit]") {
    const ended e = simulated_child([call = std::size_t{0}](scripted_simulator& processor) mutable {
        const std::array counts{5000, 1000, 1020, 1010};
        processor.work("sort", call < counts.size() ? counts[call] : 1000);
        processor.work("swap", 100);
        ++call;
    });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::holds);
    CHECK(e.answer->estimate.value().value == 1110);
    CHECK(e.answer->evidence.rounds == 3);
    REQUIRE(e.answer->parts.size() == 2);
    CHECK(e.answer->parts[0].part == "sort");
    CHECK(e.answer->parts[0].value.value == 1010);
}

TEST_CASE("a body that does nothing is not counted", "[callgrind][unit]") {
    const ended e = simulated_child([](scripted_simulator&) {});
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::error);
    CHECK_THAT(e.answer->reason, ContainsSubstring("looks optimized away"));
}

TEST_CASE("a body whose threads continue after it is not counted", "[callgrind][unit]") {
    const ended e = simulated_child([](scripted_simulator& processor) { processor.work("sort", 1000); }, 9000);
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::error);
    CHECK_RECORDED(e.answer->reason);
}

TEST_CASE("a thread that wakes up for a moment after the body does not count as continuing work", "[callgrind][unit]") {
    const ended e = simulated_child([](scripted_simulator& processor) { processor.work("sort", 1000); }, 900);
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::holds);
}

TEST_CASE("a body that works in only some of its calls is not counted", "[callgrind][unit]") {
    const auto every = [](int n) {
        return [n, call = 0](scripted_simulator& processor) mutable {
            processor.work("sort", ++call % n == 0 ? 9000 : 1000);
        };
    };
    const ended e = simulated_child(every(6));
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::error);
    CHECK_RECORDED(e.answer->reason);
}

TEST_CASE("a body that starts processes is not counted", "[callgrind][unit]") {
    const ended e = simulated_child([](scripted_simulator& processor) {
        processor.work("sort", 1000);
        const pid_t child = ::fork();
        if (child == 0) ::_exit(0);
        ::waitpid(child, nullptr, 0);
    });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::error);
    CHECK_THAT(e.answer->reason, StartsWith("the body starts processes"));
}

TEST_CASE("a child with a request for a simulated count counts nothing without a simulation", "[callgrind][unit]") {
    const ended e =
        simulated_child([](scripted_simulator& processor) { processor.work("sort", 1000); }, 0, under_valgrind::no);
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::skipped);
    CHECK_THAT(e.answer->reason, StartsWith("this process does not run under Valgrind"));
}

}  // namespace perfspec
