// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A process that was started for one claim. It ends with its answer, so each test forks one.
#include "../forked_child.hpp"

#include <perfspec/explain.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/language/complexity.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/scripted_usage.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

}  // namespace

TEST_CASE("a child answers for its claim with one stage, and stops", "[run][unit]") {
    const ended e = in_child({.key = "sorting / speedup(slow, fast)"}, [](scripted_run& program) {
        static_cast<void>(program.outcome(speedup(program.takes("slow", 200us), program.takes("fast", 100us)) > 2.5));
    });
    CHECK(e.code == 0);
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::violated);
    CHECK(e.answer->evidence.rounds == 10);  // the same rate as its parent's stage
    CHECK(e.answer->evidence.seed == 99);
    CHECK(e.answer->evidence.processes == 0);
}

TEST_CASE("a child judges the side of a tolerance that it is asked about, at the rate that it is given",
          "[run][unit]") {
    struct row {
        tolerance_end end;
        std::chrono::microseconds time;
        perfspec::verdict found;
    };
    const auto r = GENERATE(values<row>({
        {tolerance_end::loss, 115us, verdict::violated},
        {tolerance_end::gain, 85us, verdict::violated},
        {tolerance_end::loss, 85us, verdict::holds},  // it ignores what is beyond the other end
        {tolerance_end::gain, 115us, verdict::holds},
    }));
    perfspec::plan given;
    given.false_failure = 5e-4;
    const ended e =
        in_child({.key = "sorting / latency(x) / latency(a)", .plan = given, .end = r.end}, [&](scripted_run& program) {
            static_cast<void>(program.outcome(latency(program.takes("x", r.time)) ==
                                              within(latency(program.takes("a", 100us)), 5_pct)));
        });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == r.found);
    CHECK(e.answer->evidence.rounds == 10);
}

TEST_CASE("a child that is one process of a complexity answers with the power that it fits", "[run][unit]") {
    const ended e = in_child({.key = "sorting / grows", .task = child_task::measure}, [](scripted_run& program) {
        const auto make = [](std::size_t n) { return n; };
        const auto body = [&program](std::size_t& n) { program.work(std::chrono::nanoseconds(n * n)); };
        static_cast<void>(program.outcome(
            complexity(setup(make), body, {1000, 4000, 16000}) <= baseline() + order::power(0.1), {key("grows")}));
    });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::holds);
    CHECK_THAT(e.answer->estimate.value().value, WithinRel(2.0, 1e-3));
    REQUIRE(e.answer->subjects.size() == 4);
    CHECK(e.answer->subjects.back().unit == dimension::power);  // what is stored beside the value
    CHECK_THAT(e.answer->subjects.back().q3, WithinRel(2.0, 1e-3));
}

TEST_CASE("a child of a tolerance that is one process answers with its value", "[run][unit]") {
    const ended e =
        in_child({.key = "sorting / latency(sort)", .task = child_task::measure}, [](scripted_run& program) {
            static_cast<void>(program.outcome(latency(program.takes("sort", 1ms)) == within(baseline(), 5_pct)));
        });
    CHECK(e.answer.value().estimate.value().value == 1e6);
}

TEST_CASE("a child that is one process answers with its value, for any claim", "[run][unit]") {
    const ended e =
        in_child({.key = "sorting / latency(sort)", .task = child_task::measure}, [](scripted_run& program) {
            static_cast<void>(program.outcome(latency(program.takes("sort", 1ms)) < 0.1 * baseline()));
        });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::holds);
    CHECK(e.answer->estimate.value().value == 1e6);
    const ended ratio =
        in_child({.key = "sorting / latency(b) / latency(a)", .task = child_task::measure}, [](scripted_run& program) {
            static_cast<void>(
                program.outcome(latency(program.takes("b", 50us)) < 0.1 * latency(program.takes("a", 100us))));
        });
    CHECK_THAT(ratio.answer.value().estimate.value().value, WithinRel(0.5, 1e-12));
}

TEST_CASE("a process of a ratio takes thirty pairs, or as many as the budget holds, and ten at least", "[run][unit]") {
    const auto pairs_of = [](std::vector<std::chrono::nanoseconds> calls) {
        const ended e = in_child({.key = "sorting / latency(b) / latency(a)", .task = child_task::measure},
                                 [&](scripted_run& program) {
                                     static_cast<void>(program.outcome(latency(program.takes("b", calls)) <
                                                                       0.1 * latency(program.takes("a", calls))));
                                 });
        return e.answer.value().evidence.rounds;
    };
    CHECK(pairs_of({20us}) == 30);
    CHECK(pairs_of({2s}) == 29);
    std::vector<std::chrono::nanoseconds> slower(100, 10s);  // than calibrated
    slower[0] = slower[1] = 1s;
    CHECK(pairs_of(slower) == 10);
}

TEST_CASE("a child that is a cold start reports its parts", "[run][unit]") {
    const ended e =
        in_child({.key = "sorting / cold_start(x)", .task = child_task::measure}, [](scripted_run& program) {
            std::vector<std::chrono::nanoseconds> calls(20, 10ms);
            calls[0] = 50ms;
            calls[1] = 30ms;
            subject x = program.takes("x", calls).load([&program] { program.work(40ms); });
            detail::explain();
            model_of(x).compile_ns = 7e9;
            static_cast<void>(program.outcome(cold_start(x) < 1s));
        });
    const record& r = e.answer.value();
    CHECK_THAT(r.estimate.value().value, WithinRel(120e6, 1e-6));
    std::vector<std::string> parts;
    for (const part_value& p : r.parts) parts.push_back(p.part);
    CHECK_RECORDED(parts);
    CHECK(r.parts[0].value.value == 7e9);
    CHECK_THAT(r.parts[1].share, WithinRel(1.0 / 3.0, 1e-6));
    CHECK_THAT(r.parts[3].value.value, WithinRel(30e6, 1e-6));
    CHECK_THAT(r.parts[4].value.value, WithinRel(10e6, 1e-6));
}

TEST_CASE("a child that measures memory with load reports its parts", "[run][unit]") {
    const auto started = [](const char* key, auto claim) {
        return in_child({.key = key, .task = child_task::measure},
                        [claim](scripted_run& program) {
                            const subject x =
                                program.counts_in_calls("x", detail::metrics::peak_memory, {64}).load([&program] {
                                    program.counts.of(detail::metrics::peak_memory).add(36);
                                });
                            static_cast<void>(program.outcome(claim(x)));
                        })
            .answer.value();
    };
    CHECK(started("sorting / peak_memory(x)", [](const subject& x) { return peak_memory(x) < 1_MiB; })
              .estimate.value()
              .value == 64.0);
    const record r = started("sorting / peak_memory(x, including_load)",
                             [](const subject& x) { return peak_memory(x, including_load) < 1_MiB; });
    CHECK(r.estimate.value().value == 100.0);
    std::vector<std::string> parts;
    for (const part_value& p : r.parts) parts.push_back(p.part);
    CHECK(parts == std::vector<std::string>{"peak of loading", "after loading", "first call"});
    CHECK(r.parts[0].share == 0.0);
    CHECK(r.parts[1].value.value == 36.0);
    CHECK(r.parts[1].share == 0.36);
    CHECK(r.parts[2].value.value == 64.0);
    CHECK(r.parts[2].unit == dimension::bytes);
}

TEST_CASE("a child that measures a side of a memory_ratio runs that subject alone", "[run][unit]") {
    const auto peak_of = [](compared_side side) {
        const ended e = in_child({.key = "sorting / memory_ratio(a, b)", .task = child_task::measure, .side = side},
                                 [](scripted_run& program) {
                                     program.variables["PERFSPEC_SIDE"] = "1";  // left in the caller's environment
                                     const subject a = program.counts_in_calls("a", detail::metrics::peak_memory, {64});
                                     const subject b = program.counts_in_calls("b", detail::metrics::peak_memory, {10});
                                     static_cast<void>(program.outcome(memory_ratio(a, b) > 2.0));
                                 });
        return e.answer.value().estimate.value().value;
    };
    CHECK(peak_of(compared_side::first) == 64.0);
    CHECK(peak_of(compared_side::second) == 10.0);
}

TEST_CASE("a child reports a request for the second subject of a claim with one", "[run][unit]") {
    const ended e =
        in_child({.key = "sorting / peak_memory(x)", .task = child_task::measure, .side = compared_side::second},
                 [](scripted_run& program) {
                     const subject x = program.counts_in_calls("x", detail::metrics::peak_memory, {64});
                     static_cast<void>(program.outcome(peak_memory(x) < 1_MiB));
                 });
    CHECK(e.answer.value().verdict == verdict::error);
    CHECK_RECORDED(e.answer.value().reason);
}

TEST_CASE("a child passes over other claims without running a body, or for a later process, with one run",
          "[run][unit]") {
    const auto [task, runs] =
        GENERATE(table<child_task, std::size_t>({{child_task::measure, 0}, {child_task::measure_later, 1}}));
    const ended e = in_child({.key = "sorting / latency(other)", .task = task}, [runs = runs](scripted_run& program) {
        const assertion_outcome passed = program.outcome(latency(program.takes("sort", 1ms)) < 3ms);
        if (!passed.skipped || passed.result.failed || program.bodies_run != runs) ::_exit(1);
    });
    CHECK(e.code == skipped);
    CHECK_FALSE(e.answer.has_value());
}

TEST_CASE("a child counts how often its key comes by", "[run][unit]") {
    const ended e = in_child({.key = "sorting / latency(sort)", .occurrence = 2}, [](scripted_run& program) {
        for (int line = 0; line < 4; ++line) {
            ++program.framework.at.pass;
            static_cast<void>(
                program.outcome(latency(program.takes("sort", (line + 1) * 1ms)) < 10ms, {}, {.line = line}));
        }
    });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->line == 2);
    CHECK_THAT(e.answer->estimate.value().value, WithinRel(3e6, 1e-12));
}

TEST_CASE("a child takes the plan that it was given, not the call's options", "[run][unit]") {
    perfspec::plan given;
    given.rounds = 15;
    const ended e = in_child({.key = "sorting / speedup(a, b)", .plan = given}, [](scripted_run& program) {
        const auto shaky = program.takes("b", {180us, 222us});
        static_cast<void>(program.outcome(speedup(program.takes("a", 200us), shaky) > 1, {rounds(999)}));
    });
    CHECK(e.answer.value().verdict == verdict::undecided);
    CHECK(e.answer.value().evidence.rounds == 15);
}

TEST_CASE("a child whose test failed before its claim says so", "[run][unit]") {
    const ended e = in_child({.key = "sorting / latency(sort)"}, [](scripted_run& program) {
        program.framework.at.failed_before = true;
        static_cast<void>(program.outcome(latency(program.takes("sort", 1ms)) < 3ms));
    });
    CHECK(e.answer.value().verdict == verdict::error);
    CHECK(e.answer.value().reason == "an assertion before the claim failed in the fresh process");
}

TEST_CASE("a child whose body throws says so", "[run][unit]") {
    const ended e = in_child({.key = "sorting / latency(sort)"}, [](scripted_run& program) {
        static_cast<void>(
            program.outcome(latency(subject("sort", [] { throw std::runtime_error("no memory"); })) < 3ms));
    });
    CHECK(e.answer.value().verdict == verdict::error);
    CHECK(e.answer.value().reason == "\"sort\" threw: no memory");
}

TEST_CASE("a child leaves the test case where its parent did", "[run][unit]") {
    const ended e = in_child({.key = "sorting / latency(sort)", .abandoned_claims = {{"sorting / speedup(a, b)", 1}}},
                             [](scripted_run& program) {
                                 const auto a = program.takes("a", 1ms);
                                 const auto b = program.takes("b", 1ms);
                                 const auto failed = [&](effect how) {
                                     return program.outcome(speedup(a, b) > 1, {}, {.effect = how}).result.failed;
                                 };
                                 if (failed(effect::require) || !failed(effect::require) || failed(effect::require))
                                     ::_exit(1);
                             });
    CHECK(e.code == skipped);
}

TEST_CASE("a parent sends its position to its children, and lets them run every section", "[run][unit]") {
    scripted_run program({confirms(verdict::violated), confirms(verdict::violated), confirms(verdict::violated)});
    const auto a = program.takes("a", 100us);
    const auto b = program.takes("b", 100us);
    program.framework.at.sections = {"large"};
    REQUIRE(program.evaluate(speedup(a, b) > 2, {}, {.effect = effect::check}).failed);
    REQUIRE(program.evaluate(speedup(a, b) > 3, {}, {.effect = effect::require}).failed);
    CHECK(program.request_of_child(1).abandoned_claims.empty());
    CHECK(program.launcher.commands().at(1).arguments == std::vector<std::string>{"--only", "sorting", "large"});
    ++program.framework.at.pass;
    REQUIRE(program.evaluate(speedup(a, b) > 4).failed);
    CHECK(program.request_of_child(2).abandoned_claims ==
          std::vector<claim_address>{{"sorting / large / speedup(a, b)", 1}});
    CHECK(program.request_of_child(2).address == claim_address{"sorting / large / speedup(a, b)", 2});
    CHECK(program.launcher.commands().at(2).arguments == std::vector<std::string>{"--only", "sorting"});
}

TEST_CASE("a parent forgets where it left another test case", "[run][unit]") {
    scripted_run program({confirms(verdict::violated), confirms(verdict::violated), confirms(verdict::violated)});
    const auto a = program.takes("a", 100us);
    const auto b = program.takes("b", 100us);
    REQUIRE(program.evaluate(speedup(a, b) > 2, {}, {.effect = effect::require}).failed);
    program.framework.at.test = "another";
    REQUIRE(program.evaluate(speedup(a, b) > 2, {}, {.effect = effect::require}).failed);
    REQUIRE(program.evaluate(speedup(a, b) > 2, {}, {.effect = effect::require}).failed);
    CHECK(program.request_of_child(1).abandoned_claims.empty());
    CHECK(program.request_of_child(2).abandoned_claims == std::vector<claim_address>{{"another / speedup(a, b)", 0}});
}

TEST_CASE("a process of a percentile answers with that of a thousand iterations", "[run][unit]") {
    const ended e =
        in_child({.key = "sorting / p99(latency(sort))", .task = child_task::measure}, [](scripted_run& program) {
            static_cast<void>(program.outcome(p99(latency(program.takes("sort", {100us, 200us}))) < 1.2 * baseline()));
        });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::holds);
    CHECK(e.answer->evidence.rounds == 1000);
    CHECK(e.answer->estimate.value().value == 200e3);
}

TEST_CASE("a process leaves out interruptions from wall times", "[run][unit]") {
    struct row {
        std::chrono::nanoseconds works, waits;
        std::size_t every;  ///< so many calls, one waits
        bool two_threads;
        std::string query;
        double value;
        double working_share;
    };
    const row r =
        GENERATE(values<row>({{5ms, 0ms, 1, false, "latency(sort)", 5e6, 1.0},
                              {5ms, 95ms, 3, false, "latency(sort)", 5e6, 1.0},
                              {5ms, 95ms, 1, false, "latency(sort)", 5e6, 1.0},
                              {5ms, 95ms, 3, true, "latency(sort)", 5e6, 1.0},
                              {5ms, 95ms, 1, true, "latency(sort)", 100e6, 0.05},
                              {20us, 3ms, 50, false, "p99(latency(sort))", 20e3, 1.0},
                              {5ms, 1ms, 1, false, "cpu_time(sort)", 6e6, 1.0}}));  // of which none is waiting
    CAPTURE(r.query, r.every, r.two_threads);
    const ended e = in_child({.key = "sorting / " + r.query, .task = child_task::measure}, [&r](scripted_run& program) {
        scripted_usage meter;
        program.usage = &meter;
        std::size_t calls = 0;
        const subject sort("sort", [&] {
            const auto waits = ++calls % r.every == 0 ? r.waits : 0ms;
            program.work(r.works + waits);
            if (r.two_threads) meter.call_of_two_threads(r.works, waits);
            else meter.call(r.works, waits);
        });
        if (r.query == "cpu_time(sort)") static_cast<void>(program.outcome(cpu_time(sort) < baseline()));
        else if (r.query == "latency(sort)") static_cast<void>(program.outcome(latency(sort) < baseline()));
        else static_cast<void>(program.outcome(p99(latency(sort)) < baseline()));
    });
    CHECK_THAT(e.answer.value().estimate.value().value, WithinRel(r.value, 1e-12));
    CHECK_THAT(e.answer->disturbed.working_share, WithinRel(r.working_share, 1e-12));
}

TEST_CASE("a child answers for a claim on two percentiles", "[run][unit]") {
    const ended e = in_child({.key = "sorting / p90(latency(a)) / p90(latency(b))"}, [](scripted_run& program) {
        std::vector<std::chrono::nanoseconds> calls;
        for (int i = 0; i < 101; ++i) calls.emplace_back(100us + std::chrono::microseconds((37 * i) % 101));
        const auto b = program.takes("b", calls);
        for (auto& call : calls) call *= 3;
        const auto a = program.takes("a", calls);
        static_cast<void>(program.outcome(percentile(latency(a), 90) < 1.2 * percentile(latency(b), 90)));
    });
    REQUIRE(e.answer.has_value());
    CHECK(e.answer->verdict == verdict::violated);
    CHECK(e.answer->evidence.seed == 99);
    CHECK(e.answer->evidence.rounds > 200);
}

}  // namespace perfspec
