// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/explain.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/console/console.hpp>

namespace perfspec {
namespace {

using namespace testing;

struct dry_program : stored_program {
    explicit dry_program(std::vector<child_end> children = {}) : stored_program(std::move(children)) {
        variables["PERFSPEC_MODE"] = "dry-run";
    }
};

}  // namespace

TEST_CASE("a dry run calls no body, measures nothing and starts nothing", "[run][unit]") {
    dry_program program;
    const record r =
        program.evaluate(speedup(program.takes("a", 2ms), program.takes("b", 1ms)) > 1.2, {budget(500ms), cap(500ms)});
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.reason == "dry run");
    CHECK(r.on_request);
    CHECK_FALSE(r.failed);
    CHECK_FALSE(r.estimate);
    CHECK(program.bodies_run == 0);
    CHECK_FALSE(program.framework.measuring);
    CHECK(program.launcher.commands().empty());
    REQUIRE(r.forecast);
    CHECK(r.forecast->method == "pairs in random order");
    CHECK(r.forecast->baseline.empty());
    CHECK(r.forecast->cap_seconds == 0.5);
    const record soft = program.evaluate(latency(program.takes("c", 1ms)) < 3ms, {}, {.line = 43});
    CHECK(soft.forecast->budget_seconds == 1.0);
    CHECK(soft.forecast->cap_seconds == 120.0);
    const record started = program.evaluate(peak_memory(program.takes("d", 1ms)) < 3_MiB, {}, {.line = 44});
    CHECK(started.forecast->budget_seconds == 120.0);
    dry_program against;
    against.variables["PERFSPEC_BASELINE_BUILD"] = "/reference";
    const record pairs = against.evaluate(latency(against.sort) < 1.05 * baseline(), {budget(2s), cap(2s)});
    CHECK(pairs.forecast->budget_seconds == 2.0);
    CHECK(pairs.forecast->cap_seconds == 2.0);
    CHECK(program.context().exit_code(0) == 0);
}

TEST_CASE("a dry run says of each kind of claim by what it would be judged", "[run][unit]") {
    dry_program program;
    program.files.put_folder("/project/baselines");
    const subject a = program.takes("a", 1ms);
    const subject b = program.takes("b", 1ms);
    const auto method_of = [&](const detail::expression& claim, const std::vector<option>& options = {}) {
        const record r = program.evaluate(claim, options);
        CHECK(r.verdict == verdict::skipped);
        CHECK(r.reason == "dry run");
        return r.forecast.value().method;
    };
    CHECK(method_of(latency(a) < 3ms) == "blocks spread over the budget");
    CHECK(method_of(latency(a) < 2 * latency(b)) == "pairs in random order");
    CHECK(method_of(p99(latency(a)) < 3ms) == "blocks spread over the budget");
    CHECK(method_of(p99(latency(a)) < 2 * p99(latency(b))) == "pairs of single iterations in random order");
    CHECK(method_of(speedup(a, b) > 0.5, {processes(9)}) == "centers of fresh processes");
    CHECK(method_of(latency(program.sort) < 1.05 * baseline()) == "recording");
    CHECK(method_of(allocations(a) == 0) == "exact comparison of runs that agree; statistics where they vary");
    CHECK(method_of(peak_memory(a) < MiB(1)) == "values of fresh processes");
    CHECK(method_of(cold_start(a) < 1s) == "values of fresh processes");
    CHECK(method_of(spread(a) < pct(7)) == "the spread of fresh processes");
    CHECK(method_of(device_time(a) < 3ms).starts_with("skipped: the subject runs on the processor"));
    CHECK(method_of(latency(b)) == "samples as one process takes them, without a bound");
    CHECK(method_of(speedups(a, b)) == "rounds of all subjects in random order");
    CHECK(program.launcher.commands().empty());
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a dry run reports what is stored, and writes nothing", "[run][unit]") {
    dry_program program;
    program.store(stored_program::key(), about(1e6, 12));
    const auto before = program.files.done;
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.forecast.value().method == "fresh processes against stored ones, by ranks");
    CHECK_THAT(r.forecast->baseline, StartsWith("12 processes, median 1.002 ms, in /project/baselines/"));
    CHECK_RECORDED(program.evaluate(latency(program.takes("new", 1ms)) < 1.05 * baseline()).forecast.value().baseline);
    CHECK(program.files.done == before);
    program.files.put(program.path(), "broken");
    dry_program other;
    other.files.put(other.path(), "broken");
    CHECK_RECORDED(other.evaluate(latency(other.sort) < 1.05 * baseline()).forecast.value().baseline);
}

TEST_CASE("a dry run of an update says what would be recorded", "[run][unit]") {
    dry_program program;
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "missing";
    program.store(stored_program::key(), about(1e6, 12));
    CHECK_RECORDED(program.evaluate(latency(program.sort) < 1.05 * baseline()).forecast.value().method);
    CHECK_RECORDED(program.evaluate(latency(program.takes("new", 1ms)) < 1.05 * baseline()).forecast.value().method);
    CHECK_RECORDED(program.evaluate(latency(program.takes("c", 1ms)) < 3ms).forecast.value().method);
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a dry run says so where nothing would be judged, and is no skipped test", "[run][unit]") {
    dry_program program;
    const record r = program.evaluate(latency(program.sort) < 3ms, {}, {.build = build_kind::not_optimized});
    CHECK_RECORDED(r.forecast.value().method);
    CHECK(r.forecast->cap_seconds == 0.0);
    CHECK(program.context().exit_code(0) == 0);
}

TEST_CASE("a dry run reports mistakes as a run does", "[run][unit]") {
    dry_program program;
    CHECK(program.evaluate(latency(program.sort) < 3ms, {processes(7)}).verdict == verdict::error);
    CHECK_RECORDED(program.error(throughput(program.sort, bytes) > 1_MBps));
    CHECK_RECORDED(program.error(metric("tokens/s", more_is_better, program.sort) > 3));
    program.counts.of(detail::metrics::allocations).fault = "this program does not count";
    CHECK(program.evaluate(allocations(program.sort) == 0).reason == "this program does not count");
    CHECK(program.evaluate(allocations(program.sort) == 0).verdict == verdict::error);
    CHECK_FALSE(program.framework.measuring);
}

TEST_CASE("a dry run reports bounds that nothing can be compared with, as a run does", "[run][unit]") {
    const bool dry = GENERATE(true, false);
    CAPTURE(dry);
    stored_program program(processes_of(1e6, 20));
    if (dry) program.variables["PERFSPEC_MODE"] = "dry-run";
    const subject a = program.takes("a", 1ms);
    const subject b = program.takes("b", 1ms);
    const auto reason = [&](const detail::expression& claim, const std::vector<option>& options = {}) {
        const record r = program.evaluate(claim, options);
        CHECK(r.verdict == verdict::error);
        return r.reason;
    };
    CHECK(reason(speedup(a, b) > 0) == "a ratio cannot be compared with 0: write a number above 0, such as 0.95");
    CHECK(reason(speedup(a, b) > std::numeric_limits<double>::quiet_NaN()) ==
          "a ratio cannot be compared with nan: write a number above 0, such as 0.95");
    CHECK_THAT(reason(percentile(latency(a), 91) < percentile(latency(b), 90)),
               StartsWith("two different percentiles cannot be compared"));
    CHECK_THAT(reason(spread(a) < pct(7), {processes(3)}),
               StartsWith("processes(3) is too few, because a spread needs at least 10 processes"));
    CHECK_THAT(reason(spread(a) < pct(0)), StartsWith("a spread is compared with a percentage above 0"));
    CHECK_THAT(reason(load_time(a) < 1s), StartsWith("\"a\" has no load step"));
    CHECK_THAT(reason(peak_memory(a, including_load) < 1_MiB), StartsWith("\"a\" has nothing to load"));
    CHECK_THAT(reason(peak_memory(a, including_load) < peak_memory(b)),
               StartsWith("a peak of memory with loading cannot be compared with one without"));
    for (const detail::expression& claim :
         {detail::expression(peak_memory(a) < MiB(0)), detail::expression(latency(a) < 0ms),
          detail::expression(latency(a) > -1ms), detail::expression(p99(latency(a)) < 0ms)})
        CHECK_THAT(reason(claim), ContainsSubstring("so the claim is true or false without measuring"));
    CHECK_THAT(reason(allocations(a) <= -1), StartsWith("a count cannot be compared with -1"));
    CHECK_THAT(reason(allocations(a) == within(3, 5)), StartsWith("the tolerance reaches down to"));
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("processes(n) at a query without a bound is refused where it would be ignored", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)), {processes(7)},
                                      {.effect = effect::measure});
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, StartsWith("processes(n) has no effect here, because one process measures this"));
}

TEST_CASE("a dry run says which counters are not there", "[run][unit]") {
    dry_program program;
    program.counts.of(detail::metrics::cycles).fault = "this machine offers no such counter";
    const record r = program.evaluate(cycles(program.sort) < 3000);
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.forecast.value().method == "skipped: this machine offers no such counter");
}

TEST_CASE("a dry run ends with at most how long a run takes", "[run][unit]") {
    dry_program program;
    program.files.put("/project/baselines/perfspec.json", "{\"margin\": \"1%\"}");
    const record r = program.evaluate(speedup(program.takes("a", 2ms), program.takes("b", 1ms)) > 1.2,
                                      {budget(500ms), cap(500ms)}, {.claim = "speedup(a, b) > 1.2", .line = 42});
    CHECK(render_console(r, {}) == "sort_test.cpp:42: PERF_CHECK( speedup(a, b) > 1.2 )  skipped\n"
                                   "  reason     dry run\n"
                                   "  method     pairs in random order\n"
                                   "  time       at most 500 ms\n"
                                   "  options    budget=500ms (call), cap=500ms (call),\n"
                                   "             margin=0.01 (/project/baselines/perfspec.json:1),\n"
                                   "             baseline_processes=10 (environment)\n"
                                   "  key        sorting / speedup(a, b)");
    static_cast<void>(program.evaluate(latency(program.takes("c", 1ms)) < 3ms));
    CHECK_RECORDED(program.context().summary());
}

}  // namespace perfspec
