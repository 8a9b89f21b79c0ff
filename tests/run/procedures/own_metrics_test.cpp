// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include "../scripted_run.hpp"

#include <perfspec/measure/block_source.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A program with bodies of 1 ms that report these values in turn.
struct metric_program : stored_program {
    using stored_program::stored_program;

    [[nodiscard]] subject reports(const char* name, std::vector<double> values) {
        return {name, [this, values = std::move(values), next = std::size_t{0}]() mutable {
                    work(std::chrono::milliseconds(1));
                    return values[next++ % values.size()];
                }};
    }
};

}  // namespace

TEST_CASE("a metric of one's own is judged by the median of what the body returns", "[run][unit]") {
    metric_program program({confirms(verdict::violated)});
    const auto decode = program.reports("decode", {40, 41, 42});
    const record r = program.evaluate(metric("tokens/s", more_is_better, decode) > 30);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 10);
    CHECK(r.query == "metric(tokens/s, decode)");
    CHECK(r.key == "sorting / metric(tokens/s, decode)");
    CHECK(r.unit == dimension::own);
    CHECK(r.own_unit == "tokens/s");
    CHECK(unit_name(r) == "tokens/s");
    CHECK(r.direction == better::more);
    CHECK_THAT(r.estimate.value().value, WithinRel(41.0, 1e-12));
    REQUIRE(r.subjects.size() == 1);
    CHECK(r.subjects[0].unit == dimension::own);
    CHECK(r.subjects[0].iterations == 1);
    CHECK(r.subjects[0].samples == 200);  // ten blocks of 20 ms
    CHECK(program.evaluate(metric("tokens/s", more_is_better, decode) > 45).verdict == verdict::violated);
}

TEST_CASE("a metric of one's own that is better when less is claimed the other way", "[run][unit]") {
    metric_program program;
    const record r = program.evaluate(metric("error", less_is_better, program.reports("solve", {0.0, 0.001})) < 0.01);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.direction == better::less);
}

TEST_CASE("a value that is no number makes the claim an error", "[run][unit]") {
    metric_program program;
    const auto reason_for = [&](const char* name, double value) {
        return program.evaluate(metric("tokens/s", more_is_better, program.reports(name, {1, 1, 1, 1, value})) > 30)
            .reason;
    };
    CHECK_RECORDED(reason_for("a", std::numeric_limits<double>::quiet_NaN()));
    CHECK_THAT(reason_for("b", std::numeric_limits<double>::infinity()), StartsWith("\"b\" returned inf"));
    CHECK_THAT(reason_for("c", -1.0), StartsWith("\"c\" returned -1"));
    CHECK_RECORDED(
        program.error(metric("tokens/s", more_is_better, program.takes("d", std::chrono::milliseconds(1))) > 30));
}

TEST_CASE("a value that each process repeats is exact if five processes agree", "[run][unit]") {
    const auto judged = [](std::vector<child_end> others, double bound) {
        metric_program program(std::move(others));
        return program.evaluate(metric("tokens/s", more_is_better, program.reports("x", {40})) > bound);
    };
    child_end same = confirms(verdict::holds, {}, 40.0), beyond = confirms(verdict::violated, {}, 29.0);
    const record five = judged({same, same, same, same}, 30);
    CHECK((five.verdict == verdict::holds && five.evidence.exact && five.evidence.processes == 4));
    const record differing = judged({same, confirms(verdict::holds, {}, 41.0), same, same}, 30);
    CHECK((differing.verdict == verdict::holds && !differing.evidence.exact && !differing.evidence.approximate));
    const record by_chance = judged({same, same, beyond}, 30);
    CHECK((by_chance.verdict == verdict::undecided && !by_chance.evidence.exact));
    CHECK_THAT(by_chance.reason, StartsWith("holds here, but a fresh process did not confirm it and found: violated"));
    CHECK(judged({same, same}, 20).evidence.processes == 2);  // far inside
    CHECK(judged(std::vector(4, confirms(verdict::violated, {}, 40.0)), 45).evidence.exact);
    CHECK(judged({beyond, same}, 45).verdict == verdict::undecided);
    const record many = judged(std::vector(9, beyond), 45);  // 1/2^10 < 0.001
    CHECK((many.verdict == verdict::violated && !many.evidence.exact));
    const record alone = judged({confirms(verdict::error, "an assertion failed")}, 30);
    CHECK((alone.verdict == verdict::holds && !alone.evidence.exact));
    CHECK_THAT(alone.notes.at(0), StartsWith("only this process measured the value: "));
    same.seconds = 50.0;
    const record slow = judged({same, same}, 30);  // a third one would end after the cap of 120 s
    CHECK((slow.verdict == verdict::holds && slow.evidence.processes == 2 && slow.evidence.approximate));
}

TEST_CASE("a metric of one's own without a name is refused", "[run][unit]") {
    CHECK_THROWS_AS(metric("", more_is_better, [] { return 1.0; }), input_error);
    CHECK_THROWS_AS(metric("power", less_is_better, [] { return 1.0; }), input_error);  // the unit of complexity
}

TEST_CASE("one metric of two subjects is compared in pairs of values", "[run][unit]") {
    metric_program program({confirms(verdict::violated)});
    const auto old_one = program.reports("old", {40, 41, 42});
    const auto new_one = program.reports("new", {60, 62, 61});
    const record r = program.evaluate(metric("tokens/s", more_is_better, new_one) >
                                      1.2 * metric("tokens/s", more_is_better, old_one));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 10);
    CHECK(r.evidence.seed == 7);
    CHECK(r.unit == dimension::ratio);
    CHECK(r.query == "metric(tokens/s, new) / metric(tokens/s, old)");
    CHECK_THAT(r.estimate.value().value, WithinRel(1.5, 0.03));
    REQUIRE(r.subjects.size() == 2);
    CHECK(r.subjects[1].subject == "old");
    CHECK(r.subjects[1].unit == dimension::own);
    CHECK(
        program.evaluate(metric("tokens/s", more_is_better, new_one) > 2 * metric("tokens/s", more_is_better, old_one))
            .verdict == verdict::violated);
}

TEST_CASE("the order of each pair of values is drawn", "[run][unit]") {
    metric_program program;
    std::string calls;
    const auto noting = [&](const char* name, double value) {
        return subject(name, [&program, &calls, name, value] {
            calls += name;
            program.work(std::chrono::milliseconds(1));
            return value;
        });
    };
    const auto a = noting("a", 40);
    const auto b = noting("b", 60);
    const record r =
        program.evaluate(metric("tokens/s", more_is_better, b) > metric("tokens/s", more_is_better, a), {confirm::off});
    REQUIRE(r.evidence.rounds == 10);
    std::size_t other_first = 0;
    for (std::size_t at = calls.size() - 20; at < calls.size(); at += 2)
        other_first += calls.substr(at, 2) == "ab" ? 1 : 0;
    CHECK(other_first > 0);
    CHECK(other_first < 10);
}

TEST_CASE("two metrics of one's own are not compared with each other", "[run][unit]") {
    metric_program program;
    const auto x = program.reports("x", {40});
    CHECK(program.evaluate(metric("tokens/s", more_is_better, x) > metric("words/s", more_is_better, x)).reason ==
          "two different metrics cannot be compared: compare tokens/s with tokens/s");
}

TEST_CASE("a metric of one's own has a baseline in its own unit", "[run][unit]") {
    metric_program program(processes_of(40, 2));
    const auto sort = program.reports("sort", {40});
    program.store("sorting / metric(tokens/s, sort)", about(40, 10), "tokens/s");
    const record r = program.evaluate(metric("tokens/s", more_is_better, sort) > 0.9 * baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 2);
    metric_program renamed;
    renamed.store("sorting / metric(tokens/s, sort)", about(40, 10), "words/s");
    CHECK_THAT(renamed.error(metric("tokens/s", more_is_better, renamed.reports("sort", {40})) > 0.9 * baseline()),
               StartsWith("the baseline of this key is in words/s, the query in tokens/s"));
}

TEST_CASE("a metric of one's own is recorded by its median", "[run][unit]") {
    metric_program program;
    const record r = program.evaluate(metric("tokens/s", more_is_better, program.reports("x", {40, 42, 100})), {},
                                      {.effect = effect::measure});
    CHECK(r.verdict == verdict::measured);
    CHECK(r.estimate.value().value == 42);  // the mean is 60
    CHECK(r.evidence.rounds == 100);        // of 1 ms, for a tenth of a second
    CHECK(r.evidence.method == "median of samples, with their quartiles");
}

namespace {

/// An assertion at another place of the source.
const written elsewhere{.line = 43};

}  // namespace

TEST_CASE("a claim measures the body as it is now, not as in an earlier claim", "[run][unit]") {
    scripted_run program;
    const auto call = std::make_shared<std::chrono::nanoseconds>(100us);
    const subject parse("parse", [&program, call] { program.work(*call); });
    const subject other("other", [&program] { program.work(100us); });
    SECTION("a time") {
        REQUIRE(program.evaluate(latency(parse) < 1ms).verdict == verdict::holds);
        *call = 5ms;
        const record second = program.evaluate(latency(parse) < 1ms, {confirm::off}, elsewhere);
        CHECK(second.verdict == verdict::violated);
        CHECK(second.estimate->low > 4.9e6);
    }
    SECTION("a ratio") {
        REQUIRE(program.evaluate(speedup(other, parse) > 0.8).verdict == verdict::holds);
        *call = 1ms;
        CHECK(program.evaluate(speedup(other, parse) > 0.8, {confirm::off}, elsewhere).verdict == verdict::violated);
    }
    SECTION("a count") {
        const auto count = std::make_shared<int>(0);
        const subject push("push", [&program, count] {
            program.work(1ms);
            program.counts.of(detail::metrics::allocations).add(*count);
        });
        REQUIRE(program.evaluate(allocations(push) == 0).verdict == verdict::holds);
        *count = 1;
        CHECK(program.evaluate(allocations(push) == 0, {confirm::off}, elsewhere).verdict == verdict::violated);
    }
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
    const record r =
        program.evaluate(speedup(a, b) == within(0.75, pct(100.0 / 3.0)), {seed(3), rounds(25), margin(pct(0))});
    REQUIRE(r.evidence.rounds == 25);
    const auto tossed = [](std::uint64_t seed, int pairs) {
        random_order next(seed);
        std::string order;
        while (pairs-- > 0) order += next.next() ? "ba" : "ab";
        return order;
    };
    CHECK(ran.substr(ran.size() - 2 * 25) == tossed(3, 10) + tossed(3 + 10, 15));
}

}  // namespace perfspec
