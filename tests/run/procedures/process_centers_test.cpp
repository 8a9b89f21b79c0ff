// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include "../stored_program.hpp"
#include "../two_builds.hpp"

#include <perfspec/explain.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/scripted_usage.hpp>

#include <csignal>

namespace perfspec {

using namespace testing;

TEST_CASE("processes(n) judges a ratio over fresh processes: seven hold it", "[run][unit]") {
    scripted_run program(processes_of(2.0, 7));
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.9, {processes(7)});
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 7);
    CHECK_THAT(r.estimate.value().value, WithinRel(2.003, 1e-5));
    CHECK_THAT(r.evidence.method, StartsWith("centers of fresh processes"));
    CHECK(program.bodies_run == 0);
    CHECK(program.request_of_child(6).task == child_task::measure);
    CHECK(program.request_of_child(6).seed == 7);
}

TEST_CASE("processes(n) has an interval from seven processes on", "[run][unit]") {
    scripted_run program(processes_of(2.0, 20));
    const record seven =
        program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.9, {processes(7)});
    CHECK_THAT(seven.estimate.value().low, WithinRel(2.0, 1e-12));
    CHECK_THAT(seven.estimate.value().high, WithinRel(2.006, 1e-12));
    CHECK(seven.estimate.value().level == 0.95);
    CHECK_THAT(seven.evidence.method, !ContainsSubstring("range"));
}

TEST_CASE("a fresh process finds a claim by its address, and claims before it have keys of their own", "[run][unit]") {
    scripted_run program(processes_of(2.0, 7));
    CHECK(program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.9, {processes(7), key("mine")})
              .verdict == verdict::holds);
    CHECK(program.request_of_child(0).address.key == "sorting / mine");
    CHECK_THAT(detail::json(program.request_of_child(0).plan.defaults), ContainsSubstring(R"("verbosity":"normal")"));
}

TEST_CASE("processes(n) needs eleven to fail, and no other confirmation", "[run][unit]") {
    scripted_run program(processes_of(2.0, 20));
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 2.1, {processes(7)});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.processes == 11);
}

TEST_CASE("processes(n) of a bound between the processes is undecided after twenty", "[run][unit]") {
    std::vector<child_end> ends;
    for (int i = 0; i < 20; ++i) ends.push_back(process_of(i % 2 == 0 ? 1.9 : 2.1));
    scripted_run program(ends);
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 2.0, {processes(7)});
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.processes == 20);
}

TEST_CASE("processes(n) is an error when a process cannot be measured, with a reason for programs", "[run][unit]") {
    const auto [end, failure] = GENERATE(table<child_end, failure_kind>({
        {crashed(), failure_kind::worker_failed},
        {child_end{.how = child_outcome::timed_out, .seconds = 62}, failure_kind::timed_out},
        {child_end{.how = child_outcome::timed_out, .last_words = "std::bad_alloc", .seconds = 62},
         failure_kind::timed_out},
        {child_end{.how = child_outcome::signalled, .code = SIGKILL}, failure_kind::out_of_memory},
    }));
    scripted_run program({process_of(2.0), end});
    const record r =
        program.evaluate(latency(program.takes("a", 1ms)) < 0.8 * latency(program.takes("b", 1ms)), {processes(7)});
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, StartsWith("a fresh process could not be measured"));
    CHECK(r.failure == failure);
}

TEST_CASE("processes(n) is an error if the program cannot be started again", "[run][unit]") {
    scripted_run program;
    program.framework.at.test = "";
    CHECK_RECORDED(program.error(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1, {processes(7)}));
}

TEST_CASE("a claim whose fresh processes lack what an earlier body made is an error", "[run][unit]") {
    // an empty index; filled by the body before, a query takes 1 ms
    stored_program program({process_of(50'000.0), process_of(1e6)});
    program.store("sorting / latency(query)", about(50'000.0, 10));
    const subject build = program.takes("build", 5ms);
    const subject query = program.takes("query", 1ms);
    REQUIRE(program.evaluate(latency(build) < 10ms).verdict == verdict::holds);
    const record r = program.evaluate(latency(query) < 1.05 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("a claim is judged by fresh processes if other tests made this one slower", "[run][unit]") {
    stored_program program(processes_of(50'000.0, 10));
    program.store("sorting / latency(query)", about(50'000.0, 10));
    REQUIRE(program.evaluate(latency(program.takes("build", 5ms)) < 10ms).verdict == verdict::holds);
    CHECK(program.evaluate(latency(program.takes("query", 1ms)) < 1.05 * baseline()).verdict == verdict::holds);
    CHECK(program.request_of_child(1).task == child_task::measure_later);
}

TEST_CASE("fresh processes that are as slow as this one are judged after other claims, too", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.store("sorting / latency(query)", about(1e6, 10));
    REQUIRE(program.evaluate(latency(program.takes("build", 5ms)) < 10ms).verdict == verdict::holds);
    CHECK(program.evaluate(latency(program.takes("query", 1ms)) < 1.05 * baseline()).verdict == verdict::holds);
}

TEST_CASE("calls that wait for a processor here are compared with fresh processes without the waiting", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    scripted_usage meter;
    program.usage = &meter;
    program.store("sorting / latency(query)", about(1e6, 10));
    REQUIRE(program.evaluate(latency(program.takes("build", 5ms)) < 10ms).verdict == verdict::holds);
    const subject query("query", [&] {
        program.wall.advance(5ms);
        meter.call(1ms, 4ms);
    });
    CHECK(program.evaluate(latency(query) < 1.05 * baseline()).verdict == verdict::holds);
}

TEST_CASE("a claim against another build is undecided after twenty process pairs on either side of its bound",
          "[run][unit]") {
    two_builds program;
    program.head.call_ns = [](int process, int) { return process % 2 == 0 ? 1.03e6 : 0.97e6; };
    const record r = program.evaluate(latency(program.sort) < baseline(), {budget(4100ms), cap(4100ms)});
    CHECK(r.verdict == verdict::undecided);
    CHECK_FALSE(r.failed);
    CHECK(r.evidence.processes == 20);
    CHECK_THAT(r.reason, StartsWith("20 process pairs in "));
}

TEST_CASE("more than twenty process pairs are taken while they fit into ten seconds, where processes differ much",
          "[run][unit]") {
    const auto spread = [](int process, int) {
        return 1.05e6 * (1.0 + 0.014 * ((5 * process) % 7 - 3));
    };  // 0.2 s a process pair
    two_builds slower;
    slower.head.call_ns = spread;
    const record found = slower.evaluate(latency(slower.sort) < 1.02 * baseline());
    CHECK(found.verdict == verdict::violated);
    CHECK(found.evidence.processes > 20);
    CHECK(found.evidence.seconds <= 10.0);
    two_builds hasty;
    hasty.head.call_ns = spread;
    const record open = hasty.evaluate(latency(hasty.sort) < 1.02 * baseline(), {budget(4100ms), cap(4100ms)});
    CHECK(open.verdict == verdict::undecided);
    CHECK(open.evidence.processes == 20);
    two_builds longer;
    longer.head.call_ns = [&](int process, int sample) { return 10.0 * spread(process, sample); };
    longer.baseline.call_ns = always(10e6);
    const record slow = longer.evaluate(latency(longer.sort) < 1.02 * baseline());
    CHECK(slow.verdict == verdict::undecided);
    CHECK(slow.evidence.processes == 20);  // of 2 s each
    two_builds equal;
    equal.head.call_ns = [](int process, int) { return 1e3 * (1.0 + 0.01 * ((5 * process) % 7 - 3)); };
    equal.baseline.call_ns = always(1e3);
    CHECK(equal.evaluate(latency(equal.sort) < baseline(), {margin(0_pct)}).evidence.processes == 200);
}

TEST_CASE("a cap ends a comparison after the process pairs that could show a violation", "[run][unit]") {
    two_builds program;
    program.head.call_ns = [](int process, int) { return process % 2 == 0 ? 10.3e6 : 9.7e6; };
    program.baseline.call_ns = always(10e6);
    program.variables["PERFSPEC_CAP"] = "22s";
    const record r = program.evaluate(latency(program.sort) < baseline());
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.processes == 11);
    CHECK(r.evidence.budget_seconds == 22.0);
}

namespace {

/// Processes around 1 ms, whose distances from the middle are multiples of a step.
std::vector<child_end> processes_apart(double step, int count) {
    std::vector<child_end> ends;
    for (int i = 0; i < count; ++i) ends.push_back(process_of(1e6 * (1.0 + step * (i - count / 2))));
    return ends;
}

}  // namespace

TEST_CASE("a steady subject's processes spread less than a wide bound", "[run][unit]") {
    scripted_run program(processes_apart(0.002, 15));
    const record r = program.evaluate(spread(program.takes("model", std::chrono::milliseconds(1))) < 7_pct);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 15);
    CHECK(r.unit == dimension::spread);
    CHECK(r.query == "spread(model)");
    CHECK_THAT(r.estimate.value().value, WithinAbs(1.4826 * 4 * 0.002, 1e-4));  // the median distance is of four steps
    CHECK_THAT(r.estimate.value().level, WithinAbs(0.9648, 1e-4));
    CHECK(r.subjects.at(0).unit == dimension::time);
    CHECK(r.subjects.at(0).samples == 15);
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a subject whose processes lie far apart is not stable", "[run][unit]") {
    std::vector<child_end> ends;
    for (int i = 0; i < 15; ++i) ends.push_back(process_of(i % 2 == 0 ? 1e6 : 1.5e6));
    ends[0] = process_of(1.25e6);
    scripted_run program(std::move(ends));
    const record r = program.evaluate(spread(program.takes("model", std::chrono::milliseconds(1))) < 7_pct);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.confirming_rounds == 0);
}

TEST_CASE("a spread near its bound is undecided, and more processes are advised", "[run][unit]") {
    scripted_run program(processes_apart(0.01, 15));
    const record r = program.evaluate(spread(program.takes("model", std::chrono::milliseconds(1))) < 6_pct);
    CHECK(r.verdict == verdict::undecided);
    REQUIRE(r.advice.size() == 1);
    CHECK(r.advice[0] == "more processes can decide closer bounds: processes(30)");
    scripted_run most(processes_apart(0.01, 40));
    CHECK(most.evaluate(spread(most.takes("model", std::chrono::milliseconds(1))) < 6_pct, {processes(40)})
              .advice.empty());
}

TEST_CASE("a spread takes the requested processes, at least ten", "[run][unit]") {
    scripted_run program(processes_apart(0.002, 11));
    const auto model = program.takes("model", std::chrono::milliseconds(1));
    CHECK(program.evaluate(spread(model) < 7_pct, {processes(11)}).evidence.processes == 11);
    CHECK_RECORDED(program.evaluate(spread(model) < 7_pct, {processes(9)}).reason);
    CHECK_RECORDED(program.evaluate(spread(model) < 0_pct).reason);
}

TEST_CASE("a spread is recorded without a bound, and error where a process fails", "[run][unit]") {
    std::vector<child_end> ends = processes_apart(0.002, 15);
    ends.push_back(crashed());
    scripted_run program(std::move(ends));
    CHECK(
        program.evaluate(spread(program.takes("model", std::chrono::milliseconds(1))), {}, {.effect = effect::measure})
            .verdict == verdict::measured);
    CHECK(program.evaluate(spread(program.takes("other", std::chrono::milliseconds(1))) < 7_pct).verdict ==
          verdict::error);
}

TEST_CASE("first calls are compared in processes of their own", "[run][unit]") {
    scripted_run program([](const child_command& command) {
        return process_of(scripted_run::request_in(command).side == compared_side::second ? 30e6 : 20e6);
    });
    const auto a = program.takes("a", std::chrono::milliseconds(1));
    const auto b = program.takes("b", std::chrono::milliseconds(1)).load([] {});
    const record r = program.evaluate(first_call(b) < 0.8 * first_call(a));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "first_call(b) / first_call(a)");
    const record cold = program.evaluate(cold_start(b) < std::chrono::milliseconds(25));
    CHECK(cold.verdict == verdict::holds);
    CHECK(cold.unit == dimension::time);
    CHECK(program.evaluate(load_time(b) < std::chrono::milliseconds(15)).verdict == verdict::violated);
}

TEST_CASE("the device's time of a subject on the processor is skipped", "[run][unit]") {
    scripted_run program;
    const auto sort = program.takes("sort", std::chrono::milliseconds(1));
    CHECK_RECORDED(program.skipped(device_time(sort) < std::chrono::milliseconds(3)));
    CHECK(program.bodies_run == 1);
    CHECK(program.evaluate(device_time(sort) < device_time(program.takes("other", std::chrono::milliseconds(1))))
              .verdict == verdict::skipped);
}

}  // namespace perfspec
