// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_run.hpp"

#include <perfspec/measure/coin.hpp>
#include <perfspec/quantity/literals.hpp>

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <string>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

}  // namespace

TEST_CASE("a second claim on the same subjects takes no reading when the first ones decide it", "[run][unit]") {
    scripted_run program;
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    REQUIRE(program.evaluate(speedup(slow, fast) > 1.5).verdict == verdict::holds);
    const std::size_t before = program.bodies_run;
    const record second = program.evaluate(speedup(slow, fast) > 1.8);
    CHECK(second.verdict == verdict::holds);
    CHECK(second.evidence.rounds == 10);
    CHECK(program.bodies_run == before);
}

TEST_CASE("a second claim goes on where the first ones do not decide it", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("a", 200us);
    const auto b = program.takes("b", {198us, 202us});
    REQUIRE(program.evaluate(speedup(a, b) > 0.5).evidence.rounds == 10);
    const std::size_t before = program.bodies_run;
    const record second = program.evaluate(speedup(a, b) > 1, {rounds(25), margin(percent(0))});
    CHECK(second.evidence.rounds == 25);
    CHECK(program.bodies_run == before + 2 * 15);  // a pair is two samples of one iteration
}

TEST_CASE("pairs for a second claim have an order of their own, which the seed and the number of earlier ones fix", "[run][unit]") {
    scripted_run program;
    std::string ran;
    const auto body = [&](char name, std::chrono::nanoseconds call) {
        return [&program, &ran, name, call] {
            program.work(call);
            ran += name;
        };
    };
    const subject a("a", body('a', 200us));
    const subject b("b", [&, n = 0]() mutable { body('b', n++ % 2 == 0 ? 198us : 202us)(); });
    REQUIRE(program.evaluate(speedup(a, b) > 0.5, {seed(3)}).evidence.rounds == 10);
    const std::string first = ran.substr(ran.size() - 2 * 10);
    ran.clear();
    REQUIRE(program.evaluate(speedup(a, b) > 1, {seed(3), rounds(25), margin(percent(0))}).evidence.rounds == 25);
    const auto tossed = [](std::uint64_t seed, int pairs) {
        coin toss(seed);
        std::string order;
        while (pairs-- > 0) order += toss.toss() ? "ba" : "ab";
        return order;
    };
    CHECK(first == tossed(3, 10));
    CHECK(ran == tossed(3 + 10, 15));
}

TEST_CASE("a speedup and a comparison of two latencies share their samples", "[run][unit]") {
    scripted_run program;
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    REQUIRE(program.evaluate(latency(slow) > 1.5 * latency(fast)).verdict == verdict::holds);
    const std::size_t before = program.bodies_run;
    CHECK(program.evaluate(speedup(slow, fast) > 1.8).verdict == verdict::holds);
    CHECK(program.bodies_run == before);
}

TEST_CASE("two claims on one time share their blocks", "[run][unit]") {
    scripted_run program;
    const auto sort = program.takes("sort", 1ms);
    REQUIRE(program.evaluate(latency(sort) < 2ms).verdict == verdict::holds);
    const std::size_t before = program.bodies_run;
    CHECK(program.evaluate(latency(sort) > 500us).verdict == verdict::holds);
    CHECK(program.bodies_run == before);
}

TEST_CASE("blocks for a second claim are spread from its start on", "[run][unit]") {
    scripted_run program;
    int idled = 0;
    std::int64_t free_since = 0;
    const subject sort("sort", [&, n = 0]() mutable {
        if (program.wall.now() - free_since > 1'000'000) ++idled;
        program.work(n++ % 2 == 0 ? 21ms : 23200us);  // a reading a block
        free_since = program.wall.now();
    });
    REQUIRE(program.evaluate(latency(sort) < 100ms).evidence.rounds == 10);
    program.wall.advance(10s);
    idled = 0;
    REQUIRE(program.evaluate(latency(sort) < 22ms).evidence.rounds == 20);
    CHECK(idled == 10);  // the ten seconds, and between ten blocks
}

TEST_CASE("samples are not shared between metrics, subjects, plans or passes", "[run][unit]") {
    scripted_run program;
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    const auto other = program.takes("other", 100us);
    REQUIRE(program.evaluate(speedup(slow, fast) > 1.5).verdict == verdict::holds);
    std::size_t before = program.bodies_run;
    const auto more_were_run = [&] { return std::exchange(before, program.bodies_run) != program.bodies_run; };

    REQUIRE(program.evaluate(speedup(cpu_time(slow), cpu_time(fast)) > 1.5).verdict == verdict::holds);
    CHECK(more_were_run());
    REQUIRE(program.evaluate(speedup(slow, other) > 1.5).verdict == verdict::holds);
    CHECK(more_were_run());
    REQUIRE(program.evaluate(speedup(slow, fast) > 1.5, {iterations(3)}).verdict == verdict::holds);
    CHECK(more_were_run());
    REQUIRE(program.evaluate(speedup(slow, fast) > 1.5, {seed(3)}).verdict == verdict::holds);
    CHECK(more_were_run());
    ++program.framework.at.pass;
    REQUIRE(program.evaluate(speedup(slow, fast) > 1.5).verdict == verdict::holds);
    CHECK(more_were_run());
}

TEST_CASE("each claim has its own budget", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("a", 10ms);
    const auto b = program.takes("b", {9ms, 11200us, 8780us, 11300us});
    REQUIRE(program.evaluate(speedup(a, b) > 0.5).verdict == verdict::holds);
    const record longer = program.evaluate(speedup(a, b) > 1, {budget(2s), margin(percent(0))});
    CHECK(longer.verdict == verdict::undecided);
    CHECK(longer.evidence.budget_seconds == 2.0);
    CHECK(longer.evidence.seconds > 2.0);
    const record shorter = program.evaluate(speedup(a, b) > 1, {budget(500ms), margin(percent(0))});
    CHECK(shorter.evidence.budget_seconds == 0.5);
    CHECK(shorter.evidence.seconds < 0.53);
}

}  // namespace perfspec
