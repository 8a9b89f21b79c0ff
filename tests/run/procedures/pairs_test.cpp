// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include "../stored_program.hpp"

#include <perfspec/language/complexity.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/console/console.hpp>

namespace perfspec {

using namespace testing;

TEST_CASE("a ratio far inside its bound holds at the first look", "[run][unit]") {
    scripted_run program;
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    const record r = program.evaluate(speedup(slow, fast) > 1.5, {}, {.claim = "speedup(slow, fast) > 1.5"});
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.failed);
    CHECK(r.reason.empty());
    CHECK(r.evidence.rounds == 10);
    CHECK(r.evidence.processes == 0);
    CHECK(r.evidence.seed == 7);
    CHECK(r.evidence.budget_seconds == 1.0);
    REQUIRE(r.estimate.has_value());
    CHECK_THAT(r.estimate->value, WithinRel(2.0, 1e-12));
    CHECK(r.bound == 1.5);
    CHECK(r.comparison == ">");
    CHECK(r.unit == dimension::ratio);
    CHECK(program.launcher.commands().empty());
    CHECK_FALSE(program.framework.measuring);
    CHECK(program.framework.measured == 1);
}

TEST_CASE("a record says what was measured, and where", "[run][unit]") {
    scripted_run program;
    program.framework.at.sections = {"large", "sorted"};
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    const record r =
        program.evaluate(speedup(slow, fast) > 1.5, {}, {.claim = "speedup(slow, fast) > 1.5", .line = 17});
    CHECK(r.time == "2026-11-18T09:12:44Z");
    CHECK(r.suite == "sort_test");
    CHECK(r.test == "sorting");
    CHECK(r.sections == std::vector<std::string>{"large", "sorted"});
    CHECK(r.key == "sorting / large / sorted / speedup(slow, fast)");
    CHECK(r.query == "speedup(slow, fast)");
    CHECK(r.claim == "speedup(slow, fast) > 1.5");
    CHECK(r.macro == "PERF_CHECK");
    CHECK(r.file == "sort_test.cpp");
    CHECK(r.line == 17);
    CHECK(r.build == "optimized");
    CHECK_THAT(r.evidence.method, StartsWith("pairs in random order, sequential e-process"));
    REQUIRE(r.subjects.size() == 2);
    CHECK(r.subjects[0].subject == "slow");
    CHECK(r.subjects[0].median == 200e3);
    CHECK(r.subjects[0].samples == 10);
    CHECK(r.subjects[1].subject == "fast");
    CHECK(r.subjects[1].median == 100e3);
    REQUIRE(r.disturbed.notes.size() == 1);
    CHECK_THAT(r.disturbed.notes[0], StartsWith("the machine lock is not available"));
}

TEST_CASE("a violated ratio fails when a fresh process finds the same", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    const record r = program.evaluate(speedup(program.takes("a", 100us), program.takes("b", 100us)) > 1.5);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.rounds == 10);
    CHECK(r.evidence.confirming_rounds == 12);
    CHECK(program.launcher.commands().size() == 1);
}

TEST_CASE("a violated ratio is undecided when a fresh process finds something else", "[run][unit]") {
    const verdict other = GENERATE(verdict::holds, verdict::undecided);
    scripted_run program({confirms(other)});
    const record r = program.evaluate(speedup(program.takes("a", 100us), program.takes("b", 100us)) > 1.5);
    CHECK(r.verdict == verdict::undecided);
    CHECK_FALSE(r.failed);
    CHECK(r.reason ==
          std::string("violated here, but a fresh process did not confirm it and found: ") + to_string(other));
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0], ContainsSubstring("judge over several processes"));
}

TEST_CASE("a violated ratio is an error when it cannot be repeated", "[run][unit]") {
    const auto [end, why] = GENERATE(table<child_end, const char*>({
        {crashed(), "signal 11"},
        {{.how = child_outcome::exited, .code = 0, .result = {}, .last_words = {}, .seconds = 0.1},
         "there is no answer"},
        {{.how = child_outcome::timed_out, .code = 0, .result = {}, .last_words = {}, .seconds = 9.0},
         "there is no answer"},
        {confirms(verdict::error, "an assertion before the claim failed in the fresh process"),
         "an assertion before the claim failed"},
        {answered("{no json"), "json"},
    }));
    scripted_run program({end});
    const record found = program.evaluate(speedup(program.takes("a", 100us), program.takes("b", 100us)) > 1.5);
    CHECK(found.verdict == verdict::error);
    CHECK(found.failed);
    CHECK_THAT(found.reason, StartsWith("violated here, but cannot be repeated in a fresh process: "));
    CHECK_THAT(found.reason, ContainsSubstring(why, Catch::CaseSensitive::No));
    CHECK(found.advice == std::vector<std::string>{
                              "add confirm::off to judge in this process alone, or give the claim its own test case"});
}

TEST_CASE("a fresh process gets the claim, its plan, and the way to reach it", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    program.variables["PERFSPEC_OUTPUT"] = "/project/results.jsonl";
    program.context().add_child_argument("--gpu=1");
    const record r = program.evaluate(speedup(program.takes("a", 100us), program.takes("b", 100us)) > 1.5,
                                      {budget(3s), margin(1_pct)});
    REQUIRE(r.verdict == verdict::violated);
    const child_command& command = program.launcher.commands().at(0);
    CHECK(command.executable == "/build/sort_test");
    CHECK(command.working_directory == "/project");
    CHECK(command.arguments == std::vector<std::string>{"--only", "sorting", "--gpu=1"});
    CHECK(command.time_out == 2 * 120s + 2min);
    CHECK(program.variable_of_child(0, "HOME") == "/nonexistent");
    CHECK(program.request_of_child(0).address == claim_address{"sorting / speedup(a, b)", 0});
    CHECK(program.request_of_child(0).task == child_task::confirm);
    CHECK(program.request_of_child(0).seed == 7);
    CHECK_RECORDED(detail::json(program.request_of_child(0).plan.set));
    CHECK_RECORDED(detail::json(program.request_of_child(0).plan.defaults));
}

TEST_CASE("confirm::off judges in one stage, at the whole rate", "[run][unit]") {
    scripted_run program;
    const record r =
        program.evaluate(speedup(program.takes("a", 100us), program.takes("b", 100us)) > 1.5, {confirm::off});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.rounds > 10);  // log(1 / 0.001) takes more pairs than half of it
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("a program that cannot be started again judges in one stage", "[run][unit]") {
    scripted_run program;
    program.framework.at.test = "";
    const record r = program.evaluate(speedup(program.takes("a", 100us), program.takes("b", 100us)) > 1.5);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.rounds > 10);
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("a program without a framework is started again once it has handed over its arguments", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    program.framework.at.test = "";
    program.context().set_arguments({"--size", "9"});
    CHECK(program.evaluate(speedup(program.takes("a", 100us), program.takes("b", 100us)) > 1.5).verdict ==
          verdict::violated);
    CHECK(program.launcher.commands().at(0).arguments == std::vector<std::string>{"--size", "9"});
    CHECK(program.request_of_child(0).address == claim_address{"speedup(a, b)", 0});
}

TEST_CASE("a ratio too near to its bound is undecided after its rounds", "[run][unit]") {
    scripted_run program;
    const auto steady = program.takes("steady", 200us);
    const auto shaky = program.takes("shaky", {180us, 222us});
    const record r = program.evaluate(speedup(steady, shaky) > 1, {rounds(20)});
    CHECK(r.verdict == verdict::undecided);
    CHECK_FALSE(r.failed);
    CHECK(r.evidence.rounds == 20);
    CHECK_RECORDED(r.reason);
    CHECK_FALSE(r.advice.empty());
}

TEST_CASE("undecided::fail makes an undecided claim fail", "[run][unit]") {
    scripted_run program;
    const auto steady = program.takes("steady", 200us);
    const auto shaky = program.takes("shaky", {180us, 222us});
    CHECK(program.evaluate(speedup(steady, shaky) > 1, {rounds(20), undecided::fail}).failed);
    CHECK_FALSE(program.evaluate(speedup(steady, shaky) > 1, {rounds(20), undecided::pass}).failed);
}

TEST_CASE("a ratio stops when its budget is spent", "[run][unit]") {
    scripted_run program;
    const auto steady = program.takes("steady", 10ms);
    const auto shaky = program.takes("shaky", {9ms, 11100us});
    const record r = program.evaluate(speedup(steady, shaky) > 1, {budget(500ms), cap(500ms)});
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.budget_seconds == 0.5);
    CHECK(r.evidence.seconds > 0.5);
    CHECK(r.evidence.seconds < 0.53);
    CHECK_THAT(r.advice.at(0), ContainsSubstring("cap("));
}

TEST_CASE("a budget for fewer than ten pairs is an error, with the one that is needed", "[run][unit]") {
    scripted_run program;
    CHECK_RECORDED(
        program.error(speedup(program.takes("a", 40ms), program.takes("b", 40ms)) > 0.9, {budget(800ms), cap(800ms)}));
}

TEST_CASE("a ratio is compared in the direction of its claim", "[run][unit]") {
    scripted_run program;
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    CHECK(program.evaluate(speedup(slow, fast) >= 1.9).verdict == verdict::holds);
    CHECK(program.evaluate(speedup(slow, fast) < 2.1).verdict == verdict::holds);
    CHECK(program.evaluate(speedup(slow, fast) <= 1.9, {confirm::off}).verdict == verdict::violated);
    CHECK(program.evaluate(1.9 < speedup(slow, fast)).verdict == verdict::holds);
}

TEST_CASE("a margin is let pass at a bound that is not strict", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("a", 1000us);
    const auto b = program.takes("b", 1004us);  // 0.4 % slower
    CHECK(program.evaluate(speedup(a, b) >= 1, {rounds(14), confirm::off}).verdict == verdict::holds);
    CHECK(program.evaluate(speedup(a, b) >= 1, {confirm::off, margin(pct(0.1))}).verdict == verdict::violated);
}

TEST_CASE("two latencies are compared by the ratio of their times", "[run][unit]") {
    scripted_run program;
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    const record r = program.evaluate(latency(fast) < 0.6 * latency(slow));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "latency(fast) / latency(slow)");
    CHECK(r.key == "sorting / latency(fast) / latency(slow)");
    CHECK(r.unit == dimension::ratio);
    CHECK(r.bound == 0.6);
    CHECK_THAT(r.estimate.value().value, WithinRel(0.5, 1e-12));
    CHECK(program.evaluate(latency(fast) < 0.4 * latency(slow), {confirm::off}).verdict == verdict::violated);
}

TEST_CASE("two throughputs are compared by work and time", "[run][unit]") {
    scripted_run program;
    const auto small = program.takes("small", 100us).items(1000);
    const auto large = program.takes("large", 200us).items(6000);
    const record r = program.evaluate(throughput(large) > 2.5 * throughput(small));
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().value, WithinRel(3.0, 1e-12));
    CHECK(r.unit == dimension::ratio);
    CHECK(program.evaluate(throughput(large) > 3.5 * throughput(small), {confirm::off}).verdict == verdict::violated);
}

TEST_CASE("cpu_time is read from the clock of the process", "[run][unit]") {
    scripted_run program;
    const subject waits("waits", [&] {
        program.wall.advance(200us);
        program.cpu.advance(50us);
    });
    const subject works("works", [&] {
        program.wall.advance(100us);
        program.cpu.advance(100us);
    });
    const record r = program.evaluate(speedup(cpu_time(waits), cpu_time(works)) < 0.6);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().value, WithinRel(0.5, 1e-12));
    CHECK(r.query == "speedup(cpu_time(waits), cpu_time(works))");
}

namespace {

struct judged_program : stored_program {
    using stored_program::stored_program;

    subject a = takes("a", 1ms);
    subject b = takes("b", 1ms);

    bool promises_a_rate(const detail::expression& claim, const std::vector<option>& options = {}) {
        const record r = evaluate(claim, options);
        REQUIRE((r.verdict == verdict::holds || r.verdict == verdict::violated));
        return !r.evidence.approximate;
    }
};

}  // namespace

TEST_CASE("a rate is promised for pairs in random order, and none for the time of one subject", "[run][unit]") {
    judged_program p;
    CHECK(p.promises_a_rate(speedup(p.a, p.b) > 0.5));
    CHECK_FALSE(p.promises_a_rate(latency(p.a) < 3ms));
    CHECK_FALSE(p.promises_a_rate(complexity(setup([](std::size_t n) { return n; }),
                                             [&](std::size_t& n) { p.work(std::chrono::microseconds(n)); },
                                             {1000, 2000, 64000}) <= order::power(2)));
}

TEST_CASE("no rate is promised for processes without a coin", "[run][unit]") {
    judged_program p([](const child_command&) { return process_of(5.0); });
    CHECK_FALSE(p.promises_a_rate(speedup(p.a, p.b) > 0.5, {processes(7)}));
    CHECK_FALSE(p.promises_a_rate(spread(p.a) < pct(7)));
    CHECK_FALSE(p.promises_a_rate(peak_memory(p.a) < MiB(1)));
    CHECK(p.promises_a_rate(peak_memory(p.a) < 1.5 * peak_memory(p.b)));  // a coin says which of the two starts first
}

TEST_CASE("the report gives a rate, or says that none is promised", "[run][unit]") {
    judged_program p;
    const auto report = [&](const detail::expression& claim) {
        return render_console(p.evaluate(claim, {confirm::off}), {});
    };
    CHECK_THAT(report(speedup(p.a, p.b) > 2), ContainsSubstring("false-failure rate 0.001"));
    CHECK_THAT(report(latency(p.a) < 0.1ms),
               ContainsSubstring("the false-failure rate at the bound is not guaranteed"));
}

namespace {

const written recorded{.effect = effect::measure};

}  // namespace

TEST_CASE("compare measures several subjects in the same rounds, against the first", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("eager", 1ms);
    const auto b = program.takes("traced", 800us);
    const auto c = program.takes("compiled", 500us);
    const record r = program.evaluate(speedups(a, b, c), {}, recorded);
    CHECK(r.verdict == verdict::measured);
    CHECK(r.query == "speedups(eager, traced, compiled)");
    CHECK(r.evidence.rounds == 100);
    REQUIRE(r.compared.size() == 2);
    CHECK(r.compared[0].subject == "traced");
    CHECK_THAT(r.compared[0].speedup.value, WithinRel(1.25, 1e-9));
    CHECK(r.compared[1].subject == "compiled");
    CHECK_THAT(r.compared[1].speedup.value, WithinRel(2.0, 1e-9));
    CHECK(r.compared[1].speedup.level == 0.95);
    REQUIRE(r.subjects.size() == 3);
    CHECK(r.subjects[2].samples == 100);
    CHECK_FALSE(r.estimate.has_value());
}

TEST_CASE("the order of each round is drawn", "[run][unit]") {
    scripted_run program;
    std::string calls;
    const auto noting = [&](const char* name) {
        return subject(name, [&program, &calls, name] {
            calls += name;
            program.work(1ms);
        });
    };
    const auto a = noting("a");
    const auto b = noting("b");
    const auto c = noting("c");
    REQUIRE(program.evaluate(speedups(a, b, c), {rounds(60), iterations(1)}, recorded).evidence.rounds == 60);
    std::set<std::string> orders;
    for (std::size_t at = calls.size() - 180; at < calls.size(); at += 3) orders.insert(calls.substr(at, 3));
    CHECK(orders.size() == 6);
}

TEST_CASE("compare keeps to its budget, with ten rounds at least", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("a", 100ms);
    const auto b = program.takes("b", 100ms);
    CHECK(program.evaluate(speedups(a, b, b), {}, recorded).evidence.rounds == 30);
    const std::size_t in_four_seconds =
        program.evaluate(speedups(a, b, a), {budget(4s), cap(4s)}, recorded).evidence.rounds;
    CHECK(in_four_seconds >= 10);
    CHECK(in_four_seconds < 14);  // of 0.3 s each
}

TEST_CASE("two subjects may be compared, too", "[run][unit]") {
    scripted_run program;
    const auto work = [&] { program.work(1ms); };
    const auto less = [&] { program.work(500us); };
    const record r = program.evaluate(speedups(work, less), {}, {.effect = effect::measure, .line = 42});
    REQUIRE(r.compared.size() == 1);
    CHECK(r.compared[0].subject == "sort_test.cpp:42#2");
}

}  // namespace perfspec
