// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// The verdict of a claim, and its reason.
struct found {
    perfspec::verdict verdict;
    std::string reason;

    friend bool operator==(const found&, const found&) = default;
};

found of(const record& r) { return {r.verdict, r.reason}; }

const found worse{verdict::violated, "worse than the tolerance allows"};
const found better_than_bound{
    verdict::violated, "better than the tolerance allows: the bound is out of date; set it to the value measured now"};
const found better_than_other{verdict::violated, "better than the tolerance allows, against the other query"};
const found stale{verdict::violated, "better than the tolerance allows: the baseline is out of date"};

}  // namespace

TEST_CASE("a ratio is within its tolerance where neither side is violated, on one series of pairs", "[run][unit]") {
    scripted_run program;
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    const record r = program.evaluate(speedup(slow, fast) == within(2.0, 5_pct));
    CHECK(of(r) == found{verdict::holds, ""});
    CHECK(r.comparison == "==");
    CHECK_THAT(r.bound.value(), WithinRel(2.0, 1e-12));
    CHECK_THAT(r.tolerated.value().low, WithinRel(1.9, 1e-12));
    CHECK_THAT(r.tolerated.value().high, WithinRel(2.1, 1e-12));
    CHECK(r.evidence.rounds == 10);
    CHECK(program.framework.measured == 2);  // each side starts; the second takes no sample
    CHECK(r.evidence.seconds < 0.01);
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("a ratio is violated on either side of its tolerance, and a fresh process is asked about that side alone",
          "[run][unit]") {
    struct row {
        std::chrono::microseconds fast;
        tolerance_end end;
        found outcome;
    };
    const auto row = GENERATE(
        values<struct row>({{115us, tolerance_end::loss, worse}, {85us, tolerance_end::gain, better_than_bound}}));
    scripted_run program({confirms(verdict::violated)});
    const record r =
        program.evaluate(speedup(program.takes("slow", 200us), program.takes("fast", row.fast)) == within(2.0, 5_pct));
    CHECK(of(r) == row.outcome);
    CHECK(r.failed);
    CHECK(r.evidence.confirming_rounds == 12);
    CHECK_THAT(r.bound.value(), WithinRel(2.0, 1e-12));
    REQUIRE(program.launcher.commands().size() == 1);
    CHECK(program.request_of_child(0).end == row.end);
    CHECK_THAT(detail::json(program.request_of_child(0).plan.set), ContainsSubstring(R"("false_failure":"0.0005")"));
}

TEST_CASE("what is better than a time's tolerance is less than it", "[run][unit]") {
    scripted_run program({confirms(verdict::violated), confirms(verdict::violated), confirms(verdict::violated),
                          confirms(verdict::violated)});
    const auto a = program.takes("a", 100us);
    CHECK(of(program.evaluate(latency(program.takes("b", 90us)) == within(latency(a), 5_pct))) == better_than_other);
    CHECK(of(program.evaluate(latency(program.takes("c", 110us)) == within(latency(a), 5_pct))) == worse);
    CHECK(of(program.evaluate(latency(program.takes("d", 1ms)) == within(1.2ms, 100us))) == better_than_bound);
    CHECK(of(program.evaluate(within(800us, 100us) == latency(program.takes("e", 1ms)))) == worse);
}

TEST_CASE("a side that is undecided leaves the claim undecided", "[run][unit]") {
    scripted_run program;
    const auto wavering = program.takes("wavering", {107us, 103us});
    const record r =
        program.evaluate(latency(wavering) == within(latency(program.takes("a", 100us)), 5_pct), {rounds(12)});
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.rounds == 12);
    CHECK_FALSE(r.failed);
}

TEST_CASE("confirm::off judges each side in one stage at half the rate", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(
        speedup(program.takes("a", 100us), program.takes("b", 100us)) == within(2.0, 5_pct), {confirm::off});
    CHECK(of(r) == worse);
    CHECK(r.evidence.rounds == 15);  // at the whole rate 14 equal signs are enough
}

TEST_CASE("an absolute time is within its tolerance on one series of blocks", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 1.05ms).evidence.rounds == 10);
    const std::size_t bodies = program.bodies_run;
    const record r = program.evaluate(latency(x) == within(1ms, 5_pct));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 10);
    CHECK(program.bodies_run == 2 * bodies);
    CHECK(r.unit == dimension::time);
    CHECK_THAT(r.tolerated.value().low, WithinRel(0.95e6, 1e-9));
}

TEST_CASE("blocks that only the second side of a tolerance needs are spread over the rest of the budget",
          "[run][unit]") {
    scripted_run program;
    std::vector<std::chrono::nanoseconds> at_the_edge(40, 940us);
    at_the_edge.insert(at_the_edge.end(), 40, 960us);
    const record r =
        program.evaluate(latency(program.takes("x", at_the_edge)) == within(1ms, 5_pct), {budget(500ms), cap(500ms)});
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.seconds > 0.47);  // 0.45 if some are due at once
}

TEST_CASE("both sides of a tolerance on what bodies tell take a given budget once", "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const subject at_the_edge("a", [&] {
        program.work(1ms);
        return 42.0 * std::exp(0.002 * (++calls * 37 % 101 - 50));  // symmetric about the edge
    });
    const subject steady("b", [&] {
        program.work(1ms);
        return 40.0;
    });
    const record r = program.evaluate(metric("tokens/s", more_is_better, at_the_edge) ==
                                          within(metric("tokens/s", more_is_better, steady), 5_pct),
                                      {budget(500ms), cap(500ms)});
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.seconds > 0.4);
    CHECK(r.evidence.seconds <= 0.51);
}

TEST_CASE("rates, metrics of one's own and percentiles have tolerances", "[run][unit]") {
    scripted_run program([](const child_command&) { return confirms(verdict::holds, {}, 40.0); });
    const auto x = program.takes("x", 100us).items(100);
    CHECK(program.evaluate(throughput(x) == within(items_per_second(1e6), 5_pct)).verdict == verdict::holds);
    const subject model("told", [&] {
        program.work(1ms);
        return 40.0;
    });
    CHECK(program.evaluate(metric("tokens/s", more_is_better, model) == within(41, 2)).verdict == verdict::holds);
    const subject other("other", [&] {
        program.work(1ms);
        return 40.0;
    });
    CHECK(program
              .evaluate(metric("tokens/s", more_is_better, model) ==
                        within(metric("tokens/s", more_is_better, other), 5_pct))
              .verdict == verdict::holds);
    const auto y = program.takes("y", {1ms, 1010us, 990us, 1005us, 995us});
    CHECK(program.evaluate(percentile(latency(y), 90) == within(1ms, 20_pct)).verdict == verdict::holds);
    const record pairs = program.evaluate(
        percentile(latency(y), 90) ==
        within(percentile(latency(program.takes("z", {990us, 1010us, 995us, 1005us, 1ms})), 90), 20_pct));
    CHECK(pairs.verdict == verdict::holds);
    CHECK(pairs.evidence.rounds >= 200);
}

TEST_CASE("a tolerance that reaches down to nothing is an error, and says what to claim", "[run][unit]") {
    scripted_run program;
    CHECK(program.error(latency(program.takes("x", 1ms)) == within(1ms, 2ms)) ==
          "the tolerance reaches down to -1.000 ms, but no value is below 0: claim only its upper end, with <=");
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a count that repeats is compared exactly with both ends of its tolerance", "[run][unit]") {
    struct row {
        std::int64_t count;
        found outcome;
    };
    const auto row = GENERATE(values<struct row>({{95, {verdict::holds, ""}},
                                                  {105, {verdict::holds, ""}},
                                                  {100, {verdict::holds, ""}},
                                                  {106, worse},
                                                  {94, better_than_bound}}));
    scripted_run program({confirms(verdict::violated)});
    const record r = program.evaluate(
        allocations(program.counts_in_calls("x", detail::metrics::allocations, {row.count})) == within(100, 5));
    CHECK(of(r) == row.outcome);
    CHECK(r.evidence.exact);
    CHECK(r.bound == 100.0);
    CHECK(r.tolerated.value().high == 105.0);
}

TEST_CASE("a count is within the tolerance of another subject's", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    const auto a = program.counts_in_calls("a", detail::metrics::allocations, {100});
    CHECK(program
              .evaluate(allocations(program.counts_in_calls("b", detail::metrics::allocations, {105})) ==
                        within(allocations(a), 5_pct))
              .verdict == verdict::holds);
    const record r = program.evaluate(allocations(program.counts_in_calls("c", detail::metrics::allocations, {90})) ==
                                      within(allocations(a), 5_pct));
    CHECK(of(r) == better_than_other);
    CHECK(r.bound_text == "100 of allocations(a)");
}

TEST_CASE("a baseline's tolerance is judged on the same processes from both sides", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) == within(baseline(), 5_pct));
    CHECK(of(r) == found{verdict::holds, ""});
    CHECK(r.evidence.processes == 2);
    CHECK(program.launcher.commands().size() == 2);
    CHECK_THAT(r.bound.value(), WithinRel(1.002e6, 1e-12));
    CHECK_THAT(r.tolerated.value().low, WithinRel(0.95 * 1.002e6, 1e-12));
    CHECK_THAT(r.tolerated.value().high, WithinRel(1.05 * 1.002e6, 1e-12));
    CHECK(r.bound_text == "1.002 ms, a baseline of 10 processes");
    CHECK_THAT(r.baseline.value().headroom, WithinRel(0.05, 1e-9));
}

TEST_CASE("what is slower than a baseline's tolerance is violated", "[run][unit]") {
    stored_program program(processes_of(1.2e6, 4));
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) == within(baseline(), 5_pct));
    CHECK(of(r) == worse);
    CHECK(r.evidence.processes == 10);  // five of ten stored ones cannot show it at half the rate of false failures
}

TEST_CASE(
    "what is faster than a baseline's tolerance says that the baseline is out of date, and how to accept the gain",
    "[run][unit]") {
    stored_program program(processes_of(0.8e6, 4));
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) == within(baseline(), 5_pct));
    CHECK(of(r) == stale);
    CHECK(r.failed);
    REQUIRE(r.advice.size() == 1);
    CHECK(
        r.advice[0] ==
        "if the gain is intended, accept it as the new baseline: PERFSPEC_UPDATE_BASELINES=1 '/build/sort_test' 'sorting'");
    CHECK(program.launcher.commands().size() == 10);
    REQUIRE(r.commands.size() == 2);
    CHECK(r.commands[1].first == "accept");
}

TEST_CASE("a stale baseline of a ratio is one that is exceeded", "[run][unit]") {
    stored_program program(processes_of(2.4, 4));
    program.store("sorting / speedup(sort, other)", about(2.0, 10), "ratio");
    CHECK(of(program.evaluate(speedup(program.sort, program.takes("other", 1ms)) == within(baseline(), 0.1))) == stale);
}

TEST_CASE("updating a baseline records it once for both sides", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_BASELINE_DIR"] = "/project/baselines";
    const record r = program.evaluate(latency(program.sort) == within(baseline(), 6_pct));
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.baseline.value().action == baseline_action::recorded);
    CHECK_THAT(r.baseline.value().headroom, WithinRel(0.06, 1e-9));
    CHECK_THAT(r.reason, ContainsSubstring(" or more beyond either side, from 1 recording session; in "));
    CHECK(program.launcher.commands().size() == 10);
}

}  // namespace perfspec
