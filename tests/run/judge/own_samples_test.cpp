// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Each claim measures for itself; the two sides of a tolerance are judged on the same samples.
#include "../scripted_run.hpp"

#include <perfspec/measure/block_source.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

/// An assertion at another place of the source.
const written elsewhere{.line = 43};

}  // namespace

TEST_CASE("a claim measures what a body does now, whatever an earlier claim measured", "[run][unit]") {
    scripted_run program;
    const auto call = std::make_shared<std::chrono::nanoseconds>(100us);
    const subject parse("parse", [&program, call] { program.work(*call); });
    const subject other("other", [&program] { program.work(100us); });
    SECTION("a time") {
        REQUIRE(program.evaluate(latency(parse) < 1ms).verdict == verdict::holds);
        *call = 5ms;
        const record second = program.evaluate(latency(parse) < 1ms, {confirm(off)}, elsewhere);
        CHECK(second.verdict == verdict::violated);
        CHECK(second.estimate->low > 4.9e6);
    }
    SECTION("a ratio") {
        REQUIRE(program.evaluate(speedup(other, parse) > 0.8).verdict == verdict::holds);
        *call = 1ms;
        CHECK(program.evaluate(speedup(other, parse) > 0.8, {confirm(off)}, elsewhere).verdict == verdict::violated);
    }
    SECTION("a count") {
        const auto count = std::make_shared<int>(0);
        const subject push("push", [&program, count] {
            program.work(1ms);
            program.counts.of(metric_kind::allocations).add(*count);
        });
        REQUIRE(program.evaluate(allocations(push) == 0).verdict == verdict::holds);
        *count = 1;
        CHECK(program.evaluate(allocations(push) == 0, {confirm(off)}, elsewhere).verdict == verdict::violated);
    }
}

TEST_CASE("a claim over launches starts processes of its own", "[run][unit]") {
    std::vector<child_end> ends = launches_of(1.2, 7);
    for (const child_end& end : launches_of(0.5, 20)) ends.push_back(end);
    scripted_run program(std::move(ends));
    const auto a = program.takes("a", 1ms);
    const auto b = program.takes("b", 1ms);
    REQUIRE(program.evaluate(speedup(a, b) > 1.0, {launches(7)}).verdict == verdict::holds);
    CHECK(program.evaluate(speedup(a, b) > 0.9, {launches(7)}, elsewhere).verdict == verdict::violated);
    CHECK(program.launcher.commands().size() == 7 + 11);
}

TEST_CASE(
    "further pairs for the second side of a tolerance have an order of their own, which the seed and the number of earlier ones fix",
    "[run][unit]") {
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
    const record r = program.evaluate(speedup(a, b) == within(0.75, percent(100.0 / 3.0)),
                                      {seed(3), rounds(25), margin(percent(0))});
    REQUIRE(r.evidence.rounds == 25);
    const auto tossed = [](std::uint64_t seed, int pairs) {
        coin toss(seed);
        std::string order;
        while (pairs-- > 0) order += toss.toss() ? "ba" : "ab";
        return order;
    };
    CHECK(ran.substr(ran.size() - 2 * 25) == tossed(3, 10) + tossed(3 + 10, 15));
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
