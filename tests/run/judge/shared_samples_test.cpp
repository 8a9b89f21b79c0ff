// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/measure/coin.hpp>
#include <perfspec/quantity/literals.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

/// Assertions at one place of the source, and at another.
const written here{.line = 42};
const written elsewhere{.line = 43};
constexpr std::size_t fresh_pairs = 2 * 2;  ///< two pairs of one iteration each are compared with those of a series

}  // namespace

TEST_CASE("a second claim on the same subjects takes two fresh pairs when the first ones decide it", "[run][unit]") {
    scripted_run program;
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    REQUIRE(program.evaluate(speedup(slow, fast) > 1.5, {}, here).verdict == verdict::holds);
    const std::size_t before = program.bodies_run;
    const record second = program.evaluate(speedup(slow, fast) > 1.8, {}, elsewhere);
    CHECK(second.verdict == verdict::holds);
    CHECK(second.evidence.rounds == 10);
    CHECK(second.evidence.shared_with == "sort_test.cpp:42");
    CHECK(program.bodies_run == before + fresh_pairs);
}

TEST_CASE("a claim that is evaluated again at its place is measured again", "[run][unit]") {
    scripted_run program;
    const auto call = std::make_shared<std::chrono::nanoseconds>(100us);
    const subject parse("parse", [&program, call] { program.work(*call); });
    REQUIRE(program.evaluate(latency(parse) < 1ms, {}, here).verdict == verdict::holds);
    *call = 5ms;
    const record second = program.evaluate(latency(parse) < 1ms, {confirm(off)}, here);
    CHECK(second.verdict == verdict::violated);
    CHECK(second.estimate->low > 4.9e6);
    CHECK(second.evidence.shared_with.empty());
    const std::size_t before = program.bodies_run;
    const record third = program.evaluate(latency(parse) < 10ms, {confirm(off)}, here);
    CHECK(third.evidence.shared_with.empty());  // though nothing has changed
    CHECK(program.bodies_run > before + third.evidence.rounds);
}

TEST_CASE("a claim at another place is measured anew where two fresh samples are not like those of the first", "[run][unit]") {
    scripted_run program;
    const auto call = std::make_shared<std::chrono::nanoseconds>(100us);
    const subject parse("parse", [&program, call] { program.work(*call); });
    const subject other("other", [&program] { program.work(100us); });
    SECTION("a time") {
        REQUIRE(program.evaluate(latency(parse) < 1ms).verdict == verdict::holds);
        *call = 5ms;
        const record second = program.evaluate(latency(parse) < 1ms, {confirm(off)}, elsewhere);
        CHECK(second.verdict == verdict::violated);
        CHECK(second.evidence.shared_with.empty());
        CHECK(program.evaluate(latency(parse) < 6ms, {confirm(off)}, {.line = 44}).evidence.shared_with == "sort_test.cpp:43");
    }
    SECTION("a ratio") {
        REQUIRE(program.evaluate(speedup(other, parse) > 0.8).verdict == verdict::holds);
        *call = 1ms;
        CHECK(program.evaluate(speedup(other, parse) > 0.8, {confirm(off)}, elsewhere).verdict == verdict::violated);
    }
    SECTION("a value that the body tells") {
        const auto value = std::make_shared<double>(1.0);
        const subject errors("errors", [&program, value] {
            program.work(10us);
            return *value;
        });
        REQUIRE(program.evaluate(metric("errors", less_is_better, errors) < 2).verdict == verdict::holds);
        *value = 100.0;
        CHECK(program.evaluate(metric("errors", less_is_better, errors) < 2, {confirm(off)}, elsewhere).verdict == verdict::violated);
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

TEST_CASE("a change shows behind samples that spread by a factor of twenty", "[run][unit]") {
    scripted_run program;
    const auto call =
        std::make_shared<std::vector<std::chrono::nanoseconds>>(std::vector<std::chrono::nanoseconds>{910us, 2ms, 5ms, 19500us});
    const subject busy("busy", [&program, call, n = std::size_t{0}]() mutable { program.work((*call)[n++ % call->size()]); });
    REQUIRE(program.evaluate(latency(busy) < 1s, {}, here).verdict == verdict::holds);
    *call = {5us};
    const record second = program.evaluate(latency(busy) < 10us, {}, elsewhere);
    CHECK(second.evidence.shared_with.empty());
    CHECK(second.verdict == verdict::holds);
}

TEST_CASE("a fresh sample that noise has spoilt does not keep a claim from sharing", "[run][unit]") {
    scripted_run program;
    const auto spoilt = std::make_shared<int>(0);
    const subject parse("parse", [&program, spoilt] { program.work((*spoilt)-- == 1 ? 50ms : 1ms); });
    REQUIRE(program.evaluate(latency(parse) < 2ms, {}, here).verdict == verdict::holds);
    *spoilt = 1;  // the first of the two
    CHECK(program.evaluate(latency(parse) < 3ms, {}, elsewhere).evidence.shared_with == "sort_test.cpp:42");
}

TEST_CASE("samples are not shared across other axes or declared work", "[run][unit]") {
    scripted_run program;
    auto parse = program.takes("parse", 1ms);
    REQUIRE(program.evaluate(latency(parse) < 2ms).verdict == verdict::holds);
    parse.axis("n", 2000);
    CHECK(program.evaluate(latency(parse) < 2ms, {}, elsewhere).evidence.shared_with.empty());
    parse.items(10);
    CHECK(program.evaluate(latency(parse) < 2ms, {}, {.line = 44}).evidence.shared_with.empty());
    CHECK(program.evaluate(latency(parse) < 3ms, {}, {.line = 45}).evidence.shared_with == "sort_test.cpp:44");
}

TEST_CASE("both sides of a tolerance are judged on the same samples without fresh ones", "[run][unit]") {
    scripted_run program;
    const auto parse = program.takes("parse", 1ms);
    const record r = program.evaluate(latency(parse) == within(1ms, percent(20)));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.shared_with.empty());
}

TEST_CASE("a series of launches is shared after two fresh ones, and dropped where they differ", "[run][unit]") {
    std::vector<child_end> ends = launches_of(1.2, 7);
    const bool alike = GENERATE(true, false);
    for (const child_end& end : launches_of(alike ? 1.2 : 0.5, 20)) ends.push_back(end);
    scripted_run program(std::move(ends));
    const auto a = program.takes("a", 1ms);
    const auto b = program.takes("b", 1ms);
    REQUIRE(program.evaluate(speedup(a, b) > 1.0, {launches(7)}, here).verdict == verdict::holds);
    const record second = program.evaluate(speedup(a, b) > 0.9, {launches(7)}, elsewhere);
    CHECK(second.verdict == (alike ? verdict::holds : verdict::violated));
    CHECK(second.evidence.shared_with == (alike ? "sort_test.cpp:42" : ""));
    CHECK(program.launcher.commands().size() == (alike ? 7 + 2 : 7 + 2 + 11));
}

TEST_CASE("a second claim goes on where the first ones do not decide it", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("a", 200us);
    const auto b = program.takes("b", {198us, 202us});
    REQUIRE(program.evaluate(speedup(a, b) > 0.5).evidence.rounds == 10);
    const std::size_t before = program.bodies_run;
    const record second = program.evaluate(speedup(a, b) > 1, {rounds(25), margin(percent(0))}, elsewhere);
    CHECK(second.evidence.rounds == 25);
    CHECK(program.bodies_run == before + fresh_pairs + 2 * 15);  // a pair is two samples of one iteration
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
    REQUIRE(program.evaluate(speedup(a, b) > 1, {seed(3), rounds(25), margin(percent(0))}, elsewhere).evidence.rounds == 25);
    const auto tossed = [](std::uint64_t seed, int pairs) {
        coin toss(seed);
        std::string order;
        while (pairs-- > 0) order += toss.toss() ? "ba" : "ab";
        return order;
    };
    CHECK(first == tossed(3, 10));
    CHECK(ran.substr(fresh_pairs) == tossed(3 + 10, 15));
}

TEST_CASE("a speedup and a comparison of two latencies share their samples", "[run][unit]") {
    scripted_run program;
    const auto slow = program.takes("slow", 200us);
    const auto fast = program.takes("fast", 100us);
    REQUIRE(program.evaluate(latency(slow) > 1.5 * latency(fast)).verdict == verdict::holds);
    const std::size_t before = program.bodies_run;
    CHECK(program.evaluate(speedup(slow, fast) > 1.8, {}, elsewhere).verdict == verdict::holds);
    CHECK(program.bodies_run == before + fresh_pairs);
}

TEST_CASE("two claims on one time share their blocks", "[run][unit]") {
    scripted_run program;
    const auto sort = program.takes("sort", 1ms);
    REQUIRE(program.evaluate(latency(sort) < 2ms).verdict == verdict::holds);
    const std::size_t before = program.bodies_run;
    CHECK(program.evaluate(latency(sort) > 500us, {}, elsewhere).verdict == verdict::holds);
    CHECK(program.bodies_run == before + 2);
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
    REQUIRE(program.evaluate(latency(sort) < 22ms, {}, elsewhere).evidence.rounds == 20);
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
