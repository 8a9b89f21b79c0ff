// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/stats/percentile.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// The whole microseconds from 101 to 200 in a fixed disorder, a hundred calls a round. Every 31st call takes `tail`
/// times as long.
std::vector<std::chrono::nanoseconds> disorder(std::int64_t step, std::int64_t start, std::int64_t tail) {
    std::vector<std::chrono::nanoseconds> calls;
    for (std::int64_t i = 0; i < 3100; ++i)
        calls.emplace_back(1000 * (101 + (step * i + start) % 100) * (i % 31 == 0 ? tail : 1));
    return calls;
}

subject plain(scripted_run& program) { return program.takes("plain", disorder(37, 0, 1)); }
subject uniform(scripted_run& program) { return program.takes("alike", disorder(53, 11, 1)); }
subject tailed(scripted_run& program) { return program.takes("tailed", disorder(53, 11, 3)); }

}  // namespace

TEST_CASE("a tail no longer than the other's holds", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(p99(latency(uniform(program))) < 1.2 * p99(latency(plain(program))));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 448);  // computed apart
    CHECK(r.query == "p99(latency(alike)) / p99(latency(plain))");
    CHECK(r.unit == dimension::ratio);
    CHECK(r.bound == 1.2);
    CHECK(r.evidence.log_e_holds >= std::log(20));
    CHECK_RECORDED(r.evidence.method);
    REQUIRE(r.subjects.size() == 2);
    CHECK(r.subjects[0].subject == "alike");
    CHECK(r.subjects[0].iterations == 1);
    CHECK(r.subjects[0].samples == 448);
    CHECK(r.subjects[0].maximum == 200e3);
    REQUIRE(r.estimate.has_value());
    CHECK_THAT(r.estimate->value, WithinRel(1.0, 0.01));
    CHECK(r.estimate->level == .9);
    CHECK(r.estimate->low < r.estimate->value);
    CHECK(r.estimate->high > r.estimate->value);
    CHECK(r.estimate->high <= 1.2 * 1.005);
}

TEST_CASE("a longer tail is violated when a fresh process finds the same, where the medians hold", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    const auto with_tail = tailed(program);
    const auto without = plain(program);
    const record r = program.evaluate(p99(latency(with_tail)) < 1.2 * p99(latency(without)));
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.rounds == 552);
    CHECK(r.evidence.confirming_rounds == 12);
    CHECK(r.estimate.value().value > 2);
    CHECK(program.request_of_child(0).address ==
          claim_address{"sorting / p99(latency(tailed)) / p99(latency(plain))", 0});
    CHECK(program.evaluate(latency(with_tail) < 1.2 * latency(without)).verdict == verdict::holds);
}

TEST_CASE("confirm::off judges percentiles in one stage, at the whole rate", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(p99(latency(tailed(program))) < p99(latency(plain(program))), {confirm::off});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.rounds == 955);
    CHECK(r.estimate.value().low > 1);
    CHECK(r.estimate.value().low < r.estimate.value().value);
}

TEST_CASE("a percentile is claimed to be more as its counterpart is claimed to be less", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(p99(latency(plain(program))) > 1.0 / 1.2 * p99(latency(uniform(program))));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 448);
    CHECK(r.comparison == ">");
    CHECK(r.query == "p99(latency(plain)) / p99(latency(alike))");
    CHECK(r.subjects.at(0).subject == "plain");
}

TEST_CASE("the interval of a percentile claimed to be more is the inverse of its counterpart's", "[run][unit]") {
    scripted_run one;
    const record less = one.evaluate(p99(latency(uniform(one))) < p99(latency(plain(one))), {rounds(2000)});
    scripted_run other;
    const record more = other.evaluate(p99(latency(plain(other))) > p99(latency(uniform(other))), {rounds(2000)});
    CHECK(std::isfinite(less.estimate.value().high));
    CHECK_THAT(more.estimate.value().low, WithinRel(1.0 / less.estimate.value().high, 1e-12));
    CHECK_THAT(more.estimate.value().value, WithinRel(1.0 / less.estimate.value().value, 1e-12));
    CHECK_THAT(more.estimate.value().high, WithinRel(1.0 / less.estimate.value().low, 1e-12));
}

TEST_CASE("a percentile names its level", "[run][unit]") {
    scripted_run program;
    const auto with_tail = tailed(program);
    const auto without = plain(program);
    const record r90 = program.evaluate(percentile(latency(with_tail), 90) < 1.2 * percentile(latency(without), 90));
    CHECK(r90.evidence.rounds == 264);  // 3 % lie beyond it
    CHECK(r90.key == "sorting / p90(latency(tailed)) / p90(latency(plain))");
    const record r = program.evaluate(p99(latency(with_tail)) < 1.2 * percentile(latency(without), 95));
    CHECK(r.verdict == verdict::error);
    CHECK(r.reason == "two different percentiles cannot be compared: compare p99 with p99");
}

TEST_CASE("percentiles too near to each other are undecided when the time is over, and say so", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(p99(latency(uniform(program))) < p99(latency(plain(program))));
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.budget_seconds == 1.0);
    CHECK(r.evidence.rounds > 3000);
    CHECK_THAT(r.reason, ContainsSubstring(" pairs in 1 s"));
    CHECK_FALSE(r.advice.empty());
}

TEST_CASE("rounds(n) is the most pairs of a percentile", "[run][unit]") {
    scripted_run program;
    CHECK(program.evaluate(p99(latency(uniform(program))) < p99(latency(plain(program))), {rounds(1000)})
              .evidence.rounds == 1000);
}

TEST_CASE("the default budget stretches for 2000 pairs of single iterations", "[run][unit]") {
    scripted_run program;
    const record r =
        program.evaluate(p99(latency(program.takes("a", 2ms))) < 1.2 * p99(latency(program.takes("b", 2ms))));
    CHECK_THAT(r.evidence.budget_seconds, WithinRel(0.028 + 8.0, 1e-9));  // seven calls of each to calibrate
    CHECK(r.verdict == verdict::undecided);                               // times that never vary have no tail
}

TEST_CASE("a percentile for which 1000 pairs do not fit is an error, with what they need and the remedy",
          "[run][unit]") {
    scripted_run program;
    const record r =
        program.evaluate(p99(latency(program.takes("a", 1ms))) < 1.2 * p99(latency(program.takes("b", 1ms))),
                         {budget(500ms), cap(500ms)});
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    CHECK_RECORDED(r.reason);
    const record capped =
        program.evaluate(p99(latency(program.takes("c", 100ms))) < 1.2 * p99(latency(program.takes("d", 100ms))));
    CHECK(capped.verdict == verdict::error);
    CHECK_RECORDED(capped.reason);
}

TEST_CASE("percentiles have their 1000 pairs also where the bodies slow down", "[run][unit]") {
    scripted_run program;
    std::vector<std::chrono::nanoseconds> calls(4000, 3ms);
    std::fill_n(calls.begin(), 7, 1ms);  // those that calibrate
    const record r =
        program.evaluate(p99(latency(program.takes("a", calls))) < 1.2 * p99(latency(program.takes("b", calls))),
                         {budget(2100ms), cap(2100ms)});
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.rounds == 1000);
}

TEST_CASE("a body too short for the clock has no percentiles", "[run][unit]") {
    scripted_run program;
    const auto tiny = program.takes("tiny", 500ns);
    const record r = program.evaluate(p99(latency(tiny)) < 1us);
    CHECK(r.verdict == verdict::error);
    CHECK_RECORDED(r.reason);
    CHECK(program.evaluate(p99(latency(tiny)) < 2 * p99(latency(program.takes("other", 500ns)))).verdict ==
          verdict::error);
    CHECK(program.evaluate(percentile(latency(tiny), 50) < 1us).verdict == verdict::holds);
}

TEST_CASE("options that a percentile cannot be measured with are named", "[run][unit]") {
    scripted_run program;
    const auto x = plain(program);
    const auto y = uniform(program);
    const auto reason = [&](const detail::expression& tree, const option& o) {
        const record r = program.evaluate(tree, {o});
        return r.verdict == verdict::error ? r.reason : std::string("judged");
    };
    CHECK_RECORDED(reason(p99(latency(x)) < 1ms, iterations(8)));
    CHECK(reason(p99(latency(x)) < 1ms, iterations(1)) == "judged");
    CHECK_RECORDED(reason(p99(latency(x)) < 2 * p99(latency(y)), rounds(999)));
    CHECK(reason(p99(latency(x)) < 1ms, rounds(12)) == "judged");  // blocks of 100
    CHECK_RECORDED(reason(p99(latency(x)) < 2 * p99(latency(y)), processes(7)));
    CHECK(reason(percentile(latency(x), 50) < 1ms, iterations(8)) == "judged");
}

TEST_CASE("a percentile against a time is that of blocks of 100 single iterations", "[run][unit]") {
    scripted_run program;
    const auto x = plain(program);
    const record r = program.evaluate(p99(latency(x)) < 240us);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 10);
    CHECK(r.unit == dimension::time);
    CHECK(r.query == "p99(latency(plain))");
    CHECK_THAT(r.estimate.value().value,
               WithinRel(199.5e3, 1e-12));  // of each hundred the two longest take 200 and 199 us
    CHECK_THAT(r.estimate.value().value, WithinRel(199.5e3, 1e-12));
    CHECK(r.subjects.at(0).samples == 1000);
    CHECK(r.subjects.at(0).iterations == 1);
    CHECK_RECORDED(r.evidence.method);
    CHECK_THAT(program.evaluate(percentile(latency(x), 90) < 240us).estimate.value().value, WithinRel(190.5e3, 1e-12));
    CHECK(program.evaluate(percentile(latency(x), 99.5) < 240us).subjects.at(0).samples == 2000);
}

TEST_CASE("a percentile above a time is violated where the median is below", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    const auto x = plain(program);
    const record r = program.evaluate(p99(latency(x)) < 190us);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.confirming_rounds == 12);
    REQUIRE(r.advice.size() == 1);
    CHECK_RECORDED(r.advice[0]);
    CHECK(program.evaluate(latency(x) < 190us).verdict == verdict::holds);
}

TEST_CASE("a percentile against a time needs 1000 iterations, and says how long they take", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(p99(latency(program.takes("sort", 10ms))) < 1s, {budget(5s), cap(5s)});
    CHECK(r.verdict == verdict::error);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("the 50th percentile is the median, by its procedure", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 100us);
    const auto y = program.takes("y", 200us);
    const record r = program.evaluate(percentile(latency(x), 50) < 150us);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.evidence.method, StartsWith("medians of blocks"));
    CHECK(r.query == "p50(latency(x))");
    CHECK_RECORDED(program.evaluate(percentile(latency(x), 50) < 0.9 * percentile(latency(y), 50)).evidence.method);
}

TEST_CASE("PERF_MEASURE of a percentile is that of a thousand iterations", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(p99(latency(plain(program))), {}, {.effect = effect::measure});
    CHECK(r.verdict == verdict::measured);
    CHECK(r.evidence.rounds == 1000);
    CHECK(r.estimate.value().value == 199.5e3);
    CHECK(r.estimate.value().low == 199.5e3);
    CHECK(r.estimate.value().high == 199.5e3);
    CHECK(r.evidence.method == "percentile of single iterations, with the quartiles of blocks of 100");
    const record slow = program.evaluate(p99(latency(program.takes("slow", 200ms))), {}, {.effect = effect::measure});
    CHECK(slow.verdict == verdict::error);
    CHECK_RECORDED(slow.reason);
}

TEST_CASE("PERF_MEASURE of a percentile says how blocks differ, and widens that to hold the percentile",
          "[run][unit]") {
    const auto recorded = [](auto slow) {  // calls from the seventh on are recorded
        std::vector<std::chrono::nanoseconds> calls(1100, 100us);
        for (std::size_t i = 0; i < calls.size(); ++i) calls[i] = slow(i) ? 900us : 100us;
        scripted_run program;
        return program.evaluate(p99(latency(program.takes("x", calls))), {}, {.effect = effect::measure})
            .estimate.value();
    };
    const estimate burst = recorded([](std::size_t i) { return i >= 107 && i < 207; });
    CHECK(burst.value == 900e3);
    CHECK(burst.low == 100e3);
    CHECK(burst.high == 900e3);
    const estimate regular = recorded([](std::size_t i) { return i % 100 == 50 && i != 950; });
    CHECK(regular.value == 100e3);  // nine of a thousand
    CHECK(regular.low == 100e3);
    CHECK(regular.high == 500e3);  // in nine of ten blocks one of the two longest
    scripted_run program;
    const auto rare = percentile(latency(plain(program)), 99.5);
    CHECK(program.evaluate(rare, {}, {.effect = effect::measure}).evidence.rounds == 2000);
}

TEST_CASE("PERF_MEASURE of a percentile takes a thousand iterations also where they take longer than a process does",
          "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(p99(latency(program.takes("x", 5ms))), {}, {.effect = effect::measure});
    CHECK(r.evidence.rounds == 1000);
}

TEST_CASE("a percentile has a baseline of its own", "[run][unit]") {
    stored_program program(processes_of(2e6, 2));
    const std::string key = "sorting / p99(latency(sort))";
    program.store(key, about(2e6, 10));
    const record r = program.evaluate(p99(latency(program.sort)) < 1.2 * baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.key == key);
    CHECK(program.request_of_child(0).task == child_task::measure);
    CHECK(program.request_of_child(0).seed == 7);
}

}  // namespace perfspec
