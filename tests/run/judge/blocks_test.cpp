// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

}  // namespace

TEST_CASE("a time far below its bound holds after ten blocks", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 2ms);
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.failed);
    CHECK(r.advice.empty());
    CHECK(r.evidence.rounds == 10);
    CHECK(r.bound == 2e6);
    CHECK(r.unit == dimension::time);
    CHECK(r.query == "latency(sort)");
    CHECK_THAT(r.estimate.value().centre, WithinRel(1e6, 1e-12));
    REQUIRE(r.subjects.size() == 1);
    CHECK(r.subjects[0].median == 1e6);
    CHECK(r.subjects[0].samples == 200);  // ten blocks of 20 ms
    CHECK(r.subjects[0].iterations == 1);
    CHECK_THAT(r.evidence.method, StartsWith("medians of blocks spread over the budget"));
}

TEST_CASE("a time above its bound is violated when a fresh process finds the same", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 900us);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.confirming_rounds == 12);
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0], StartsWith("an absolute time varies with the machine"));
}

TEST_CASE("a time at its bound is undecided after twenty blocks", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("sort", {21ms, 23200us})) < 22ms);  // a reading a block
    REQUIRE(r.verdict == verdict::undecided);
    CHECK(r.evidence.rounds == 20);
    CHECK_THAT(r.reason, StartsWith("20 blocks in "));
    CHECK_THAT(r.advice.back(), StartsWith("an absolute time varies with the machine"));
}

TEST_CASE("rounds(n) is the most blocks too", "[run][unit]") {
    scripted_run program;
    CHECK(program.evaluate(latency(program.takes("sort", {21ms, 23200us})) < 22ms, {rounds(12)}).evidence.rounds == 12);
}

TEST_CASE("cpu_time of a body that waits is what it worked", "[run][unit]") {
    scripted_run program;
    const subject waits("waits", [&] {
        program.wall.advance(1ms);
        program.cpu.advance(250us);
    });
    const record r = program.evaluate(cpu_time(waits) < 300us);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().centre, WithinRel(250e3, 1e-12));
}

TEST_CASE("a claim with a fixed bound refuses to be judged over launches", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 3ms, {launches(7)});
    CHECK(r.verdict == verdict::invalid);
    CHECK(r.reason.starts_with("launches(n) has no effect here: a claim with a fixed bound"));
    CHECK(program.bodies_run == 0);
}

TEST_CASE("throughput is work a second", "[run][unit]") {
    scripted_run program;
    const auto parser = program.takes("parser", 1ms).bytes(2e6);
    const record r = program.evaluate(throughput(parser, bytes) > 1.5_GBps);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().centre, WithinRel(2e9, 1e-12));
    CHECK(r.unit == dimension::byte_rate);
    CHECK(program.evaluate(throughput(parser, bytes) > 2.5_GBps, {confirm(off)}).verdict == verdict::violated);
}

TEST_CASE("throughput counts every call: a tenth of slow ones bounds it", "[run][unit]") {
    scripted_run program;
    std::vector<std::chrono::nanoseconds> calls(9, std::chrono::microseconds(200));
    calls.push_back(std::chrono::microseconds(8200));  // 1 ms on average
    const subject uneven = program.takes("uneven", calls).items(1);
    const record r = program.evaluate(throughput(uneven) > items_per_second(2000), {confirm(off)});
    CHECK(r.verdict == verdict::violated);
    CHECK_THAT(r.estimate.value().median, WithinRel(1000.0, 0.02));
    CHECK(program.evaluate(latency(uneven) < 250us).verdict == verdict::holds);  // the median
}

TEST_CASE("throughput of what declares no such work is invalid, and says what to declare", "[run][unit]") {
    scripted_run program;
    const auto parser = program.takes("parser", 1ms).items(10);
    CHECK_THAT(program.invalid(throughput(parser, bytes) > 1_MBps),
               ContainsSubstring("perfspec::subject(\"parser\", f).bytes(1000)"));
    CHECK(program.evaluate(throughput(parser, flops) > 1_GFLOPS).verdict == verdict::invalid);
    CHECK(program.evaluate(throughput(parser, items) > items_per_second(1)).verdict == verdict::holds);
}

TEST_CASE("plain throughput counts the only work that is declared", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(throughput(program.takes("parser", 1ms).items(1000)) > items_per_second(5e5));
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().centre, WithinRel(1e6, 1e-12));
}

TEST_CASE("a time is compared with a positive one", "[run][unit]") {
    const double bound =
        GENERATE(0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN());
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < quantity<dimension::time>{bound});
    CHECK(r.verdict == verdict::invalid);
    CHECK(r.failed);
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a budget for fewer than ten blocks is invalid", "[run][unit]") {
    scripted_run program;
    CHECK_THAT(program.invalid(latency(program.takes("sort", 50ms)) < 1s, {budget(300ms)}),
               StartsWith("too slow for the budget of 300 ms: 10 blocks need"));
}

TEST_CASE("the default budget stretches for a slow body", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("slow", 200ms)) < 1s);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.budget_seconds > 4.0);
}

TEST_CASE("a body too slow for the cap is invalid, and says so before it has cost the cap", "[run][unit]") {
    scripted_run program;
    CHECK_THAT(program.invalid(latency(program.takes("glacier", 20s)) < 1s, {cap(60s)}),
               StartsWith("too slow for the cap of 1 min: 10 blocks need"));
    CHECK(program.bodies_run <= 3);
}

TEST_CASE("PERF_RECORD measures without judging", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("sort", 1ms)), {}, {.effect = effect::record});
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.failed);
    CHECK_FALSE(r.bound.has_value());
    CHECK(r.comparison.empty());
    CHECK(r.estimate.value().centre == 1e6);
    CHECK(r.evidence.rounds > 0);
    const record ratio =
        program.evaluate(speedup(program.takes("a", 200us), program.takes("b", 100us)), {}, {.effect = effect::record});
    CHECK_THAT(ratio.estimate.value().centre, WithinRel(2.0, 1e-12));
    CHECK(ratio.evidence.rounds == 30);
}

}  // namespace perfspec
