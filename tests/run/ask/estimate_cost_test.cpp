// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/explain/queries.hpp>
#include <perfspec/language/growth.hpp>
#include <perfspec/quantity/literals.hpp>
#include <perfspec/report/console/console.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinAbs;

struct dry_program : stored_program {
    explicit dry_program(std::vector<child_end> children = {}) : stored_program(std::move(children)) {
        variables["PERFSPEC_DRY_RUN"] = "1";
    }
};

}  // namespace

TEST_CASE("a dry run calls each body once, measures nothing and starts nothing", "[run][unit]") {
    dry_program program;
    const record r = program.evaluate(speedup(program.takes("a", 2ms), program.takes("b", 1ms)) > 1.2, {budget(500ms)});
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.reason == "dry run");
    CHECK(r.on_request);
    CHECK_FALSE(r.failed);
    CHECK_FALSE(r.estimate);
    CHECK(program.bodies_run == 2);
    CHECK_FALSE(program.framework.measuring);
    CHECK(program.launcher.commands().empty());
    REQUIRE(r.cost);
    CHECK(r.cost->method == "pairs in random order");
    CHECK(r.cost->amount == "10 to 2000 pairs");
    CHECK(r.cost->budget_seconds == 0.5);
    CHECK_THAT(r.cost->min_seconds, WithinAbs(0.045, 1e-5));  // 10 pairs of 3 ms, two calls of each, and 9 ms of warm-up
    CHECK(r.cost->max_seconds == 0.5);
    CHECK(program.context().exit_code(0) == 0);
}

TEST_CASE("a dry run foresees each measurement of an oracle, which share a given budget", "[run][unit]") {
    const auto planned = [](unsigned best_of, std::vector<option> options) {
        dry_program program;
        const layered_subject a(program.takes("a", 2ms), {}, {program.takes("conv", 2ms)});
        const layered_subject b(program.takes("b", 1ms), {}, {program.takes("conv", 1ms)});
        return program.evaluate(oracle(a, b, {.best_of = best_of}), options, {.effect = effect::record}).cost.value();
    };
    const claim_cost once = planned(1, {});
    const claim_cost twice = planned(2, {});
    CHECK(twice.min_seconds == 2.0 * once.min_seconds);
    CHECK(twice.max_seconds == 2.0 * once.max_seconds);
    CHECK(twice.budget_seconds == 2.0 * once.budget_seconds);
    const claim_cost given = planned(2, {budget(300ms)});
    CHECK_THAT(given.budget_seconds, WithinAbs(0.3, 1e-9));
    CHECK_THAT(given.max_seconds, WithinAbs(0.3, 1e-9));
}

TEST_CASE("a dry run stretches the default budget as a run does", "[run][unit]") {
    dry_program program;
    const record r = program.evaluate(speedup(program.takes("a", 2s), program.takes("b", 1s)) > 1.2);
    CHECK_THAT(r.cost.value().budget_seconds, WithinAbs(90.0, 1e-3));
    CHECK_THAT(program.evaluate(speedup(program.takes("c", 20s), program.takes("d", 10s)) > 1.2).cost.value().budget_seconds,
               WithinAbs(120.0, 1e-3));
}

TEST_CASE("a dry run says of each kind of claim by what it would be judged", "[run][unit]") {
    dry_program program;
    program.files.put_folder("/project/baselines");
    const subject a = program.takes("a", 1ms);
    const subject b = program.takes("b", 1ms);
    const auto told = [&](const detail::expression& claim, const std::vector<option>& options = {}) {
        const record r = program.evaluate(claim, options);
        CHECK(r.verdict == verdict::not_judged);
        CHECK(r.reason == "dry run");
        return r.cost.value().method + "|" + r.cost->amount;
    };
    CHECK(told(latency(a) < 3ms) == "blocks spread over the budget|10 to 20 blocks");
    CHECK(told(latency(a) < 2 * latency(b)) == "pairs in random order|10 to 2000 pairs");
    CHECK(told(p99(latency(a)) < 3ms) == "blocks spread over the budget|10 to 20 blocks");
    CHECK(told(p99(latency(a)) < 2 * p99(latency(b))) == "pairs of single iterations in random order|1000 to 20000 pairs");
    CHECK(told(speedup(a, b) > 0.5, {launches(9)}) == "centres of fresh launches|9 to 20 fresh launches");
    CHECK(told(latency(program.sort) < 1.05 * baseline()) == "recording|10 fresh launches");
    CHECK(told(allocations(a) == 0) == "exact comparison of three runs; statistics where they vary|");
    CHECK(told(peak_memory(a) < MiB(1)) == "values of fresh launches|7 to 20 fresh launches");
    CHECK(told(cold_start(a) < 1s) == "values of fresh launches|7 to 20 fresh launches");
    CHECK(told(stability(a) < percent(7)) == "the spread of fresh launches|15 fresh launches");
    CHECK(told(device_time(a) < 3ms).starts_with("no judging: the subject runs on the processor"));
    CHECK(told(latency(b)) == "samples as one launch takes them, without a bound|");
    CHECK(told(compare(a, b)) == "rounds of all subjects in random order|10 to 100 rounds");
    CHECK(program.launcher.commands().empty());
    CHECK(program.bodies_run == 3);
    subject far = program.takes("far", 1ms);
    far.state().remote = "the worker of models.py";
    CHECK(told(latency(far) < 3ms) ==
          "blocks spread over the budget|10 to 20 blocks, without the time of the worker of models.py for imports and compiling");
    CHECK(told(latency(far)) ==
          "samples as one launch takes them, without a bound|without the time of the worker of models.py for imports and compiling");
}

TEST_CASE("a dry run tells what is stored, and writes nothing", "[run][unit]") {
    dry_program program;
    program.store(stored_program::key(), about(1e6, 12));
    const auto before = program.files.done;
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.cost.value().method == "fresh launches against stored ones, by ranks");
    CHECK_THAT(r.cost->baseline, StartsWith("12 launches, median 1.002 ms, in /project/baselines/"));
    CHECK(program.evaluate(latency(program.takes("new", 1ms)) < 1.05 * baseline()).cost.value().baseline ==
          "none: this run would record one, and judge nothing");
    CHECK(program.files.done == before);
    program.files.put(program.path(), "broken");
    dry_program other;
    other.files.put(other.path(), "broken");
    CHECK_THAT(other.evaluate(latency(other.sort) < 1.05 * baseline()).cost.value().baseline, StartsWith("cannot be used: "));
}

TEST_CASE("a dry run of an update says what would be recorded", "[run][unit]") {
    dry_program program;
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "missing";
    program.store(stored_program::key(), about(1e6, 12));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).cost.value().method == "nothing, it has a baseline");
    CHECK(program.evaluate(latency(program.takes("new", 1ms)) < 1.05 * baseline()).cost.value().amount == "10 fresh launches");
    const std::size_t before = program.bodies_run;
    CHECK_THAT(program.evaluate(latency(program.takes("c", 1ms)) < 3ms).cost.value().method,
               StartsWith("no judging: baselines are being updated"));
    CHECK(program.bodies_run == before);
}

TEST_CASE("a dry run says so where nothing would be judged, and is no skipped test", "[run][unit]") {
    dry_program program;
    const record r = program.evaluate(latency(program.sort) < 3ms, {}, {.build = build_kind::not_optimised});
    CHECK_THAT(r.cost.value().method, StartsWith("no judging: the file that asserts is compiled without optimisation"));
    CHECK_THAT(r.cost->max_seconds, WithinAbs(0.001, 1e-5));
    CHECK(program.context().exit_code(0) == 0);
    dry_program off;
    off.variables["PERFSPEC_MODE"] = "off";
    CHECK(off.evaluate(latency(off.sort) < 3ms).cost.value().method == "no judging: mode=off: nothing is run");
    CHECK(off.bodies_run == 0);
}

TEST_CASE("a dry run tells what a launch of a growth takes, and that counts of two builds need one launch pair", "[run][unit]") {
    dry_program program;
    program.store("sorting / growth(g)", about(1.0, 10), "power");
    const auto growing = growth(setup([](std::size_t n) { return n; }), [&](std::size_t&) { program.work(1ms); }, {1000, 4000, 16000});
    const record grown = program.evaluate(growing <= baseline() + order::power(0.1), {key("growth(g)")});
    CHECK(grown.cost.value().amount == "1 to 20 fresh launches");
    CHECK_THAT(grown.cost->min_seconds, WithinAbs(0.135, 0.001));  // ten blocks of four samples of three sizes, each of 1 ms, and a warm-up
    dry_program other;
    other.variables["PERFSPEC_AGAINST"] = "/elsewhere/build";
    const record counted = other.evaluate(allocations(other.sort) <= baseline());
    CHECK(counted.cost.value().method == "exact comparison of launch pairs of both builds; statistics where they vary");
    CHECK_THAT(counted.cost->amount, StartsWith("1 to "));
}

TEST_CASE("a dry run tells mistakes as a run does", "[run][unit]") {
    dry_program program;
    CHECK(program.evaluate(latency(program.sort) < 3ms, {launches(7)}).verdict == verdict::invalid);
    const subject throws("throws", [] { throw std::runtime_error("no"); });
    CHECK(program.evaluate(latency(throws) < 3ms).verdict == verdict::invalid);
    CHECK(program.evaluate(latency(throws) < 4ms).verdict == verdict::invalid);  // nothing is known of its time
    const record undeclared = program.evaluate(throughput(program.sort) > items_per_second(1e3));
    CHECK(undeclared.verdict == verdict::invalid);
    CHECK_THAT(undeclared.reason, ContainsSubstring("declare them on the subject"));
    const record without_value = program.evaluate(metric("tokens/s", more_is_better, program.sort) > 3);
    CHECK(without_value.verdict == verdict::invalid);
    CHECK_THAT(without_value.reason, ContainsSubstring("returns no number"));
    program.counts.of(metric_kind::allocations).fault = "this program does not count";
    CHECK(program.evaluate(allocations(program.sort) == 0).reason == "this program does not count");
    CHECK(program.evaluate(allocations(program.sort) == 0).verdict == verdict::invalid);
    CHECK_FALSE(program.framework.measuring);
}

TEST_CASE("a dry run tells of bounds that nothing can be compared with, as a run does", "[run][unit]") {
    const bool dry = GENERATE(true, false);
    CAPTURE(dry);
    stored_program program(launches_of(1e6, 20));
    if (dry) program.variables["PERFSPEC_DRY_RUN"] = "1";
    const subject a = program.takes("a", 1ms);
    const subject b = program.takes("b", 1ms);
    const auto reason = [&](const detail::expression& claim, const std::vector<option>& options = {}) {
        const record r = program.evaluate(claim, options);
        CHECK(r.verdict == verdict::invalid);
        return r.reason;
    };
    CHECK(reason(speedup(a, b) > 0) == "a ratio is compared with a positive number, not with 0");
    CHECK(reason(speedup(a, b) > std::numeric_limits<double>::quiet_NaN()) == "a ratio is compared with a positive number, not with nan");
    CHECK_THAT(reason(percentile(latency(a), 91) < p90(latency(b))), StartsWith("two different percentiles are not paired"));
    CHECK_THAT(reason(stability(a) < percent(7), {launches(3)}), StartsWith("launches(3): a spread needs 10 launches at least"));
    CHECK_THAT(reason(stability(a) < percent(0)), StartsWith("a spread is compared with a percentage above 0"));
    CHECK_THAT(reason(load_time(a) < 1s), StartsWith("\"a\" has nothing to load"));
    CHECK_THAT(reason(peak_memory(a, with_load) < 1_MiB), StartsWith("\"a\" has nothing to load"));
    CHECK_THAT(reason(peak_memory(a, with_load) < peak_memory(b)),
               StartsWith("a peak of memory with loading and one without are not paired"));
    for (const detail::expression& claim : {detail::expression(peak_memory(a) < MiB(0)), detail::expression(latency(a) < 0ms),
                                            detail::expression(latency(a) > -1ms), detail::expression(p99(latency(a)) < 0ms)})
        CHECK_THAT(reason(claim), ContainsSubstring("so the claim is true or false without measuring"));
    CHECK_THAT(reason(allocations(a) <= -1), StartsWith("a count is compared with a number from 0 up"));
    CHECK_THAT(reason(allocations(a) == within(3, 5)), StartsWith("the tolerance reaches down to"));
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("launches(n) at a query without a bound is refused where it would be ignored", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)), {launches(7)}, {.effect = effect::record});
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, StartsWith("launches(n) has no effect here: a query without a bound"));
}

TEST_CASE("a dry run says which counters are not there", "[run][unit]") {
    dry_program program;
    program.counts.of(metric_kind::cycles).fault = "this machine offers no such counter";
    const record r = program.evaluate(cycles(program.sort) < 3000);
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.cost.value().method == "no judging: this machine offers no such counter");
}

TEST_CASE("a dry run ends with what a run would take", "[run][unit]") {
    dry_program program;
    program.files.put("/project/baselines/perfspec.json", "{\"cap\": \"60s\"}");
    const record r = program.evaluate(speedup(program.takes("a", 2ms), program.takes("b", 1ms)) > 1.2, {budget(500ms)},
                                      {.claim = "speedup(a, b) > 1.2", .line = 42});
    CHECK(render_console(r, {}) == "sort_test.cpp:42: PERF_CHECK( speedup(a, b) > 1.2 )  not judged\n"
                                   "  reason     dry run\n"
                                   "  would take pairs in random order: 10 to 2000 pairs\n"
                                   "  budget     500 ms\n"
                                   "  cost       about 45.0 ms to 500 ms\n"
                                   "  options    budget=500ms (call), cap=60s\n"
                                   "             (/project/baselines/perfspec.json:1), launches=10 (environment)\n"
                                   "  key        sorting / speedup(a, b)");
    static_cast<void>(program.evaluate(latency(program.takes("c", 1ms)) < 3ms));
    CHECK_THAT(program.context().summary(),
               ContainsSubstring("  dry run: nothing was measured; judging these 2 would take about 545 ms to 1.5 s, plus starting fresh "
                                 "processes and repeating violated claims\n"));
}

TEST_CASE("a dry run counts the launches of a recording that are taken beside a load", "[run][unit]") {
    dry_program program;
    program.make_load = [](std::size_t) { return std::make_unique<machine_load>(); };
    const claim_cost cost = program.evaluate(latency(program.sort) < 1.05 * baseline()).cost.value();
    CHECK(cost.amount == "15 fresh launches, 5 of them beside a load");
}

}  // namespace perfspec
