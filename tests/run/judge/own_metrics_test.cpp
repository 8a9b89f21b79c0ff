// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <limits>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinRel;

/// A program whose bodies of 1 ms tell these values in their calls, again and again.
struct telling_program : stored_program {
    using stored_program::stored_program;

    [[nodiscard]] subject tells(const char* name, std::vector<double> values) {
        return {name, [this, values = std::move(values), next = std::size_t{0}]() mutable {
                    work(std::chrono::milliseconds(1));
                    return values[next++ % values.size()];
                }};
    }
};

}  // namespace

TEST_CASE("a metric of one's own is judged by the median of what the body returns", "[run][unit]") {
    telling_program program({confirms(verdict::violated)});
    const auto decode = program.tells("decode", {40, 41, 42});
    const record r = program.evaluate(metric("tokens/s", more_is_better, decode) > 30);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 10);
    CHECK(r.query == "metric(tokens/s, decode)");
    CHECK(r.key == "sorting / metric(tokens/s, decode)");
    CHECK(r.unit == dimension::own);
    CHECK(r.own_unit == "tokens/s");
    CHECK(unit_name(r) == "tokens/s");
    CHECK(r.direction == better::more);
    CHECK_THAT(r.estimate.value().centre, WithinRel(41.0, 1e-12));
    REQUIRE(r.subjects.size() == 1);
    CHECK(r.subjects[0].unit == dimension::own);
    CHECK(r.subjects[0].iterations == 1);
    CHECK(r.subjects[0].samples == 200);  // ten blocks of 20 ms
    CHECK(program.evaluate(metric("tokens/s", more_is_better, decode) > 45).verdict == verdict::violated);
}

TEST_CASE("a metric of one's own that is better when less is claimed the other way", "[run][unit]") {
    telling_program program;
    const record r = program.evaluate(metric("error", less_is_better, program.tells("solve", {0.0, 0.001})) < 0.01);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.direction == better::less);
}

TEST_CASE("a value that is no number makes the claim invalid", "[run][unit]") {
    telling_program program;
    const auto reason_for = [&](const char* name, double value) {
        return program.evaluate(metric("tokens/s", more_is_better, program.tells(name, {1, 1, 1, 1, value})) > 30)
            .reason;
    };
    CHECK(reason_for("a", std::numeric_limits<double>::quiet_NaN()) ==
          "\"a\" returned nan: the value of a metric is a finite number from 0 up");
    CHECK_THAT(reason_for("b", std::numeric_limits<double>::infinity()), StartsWith("\"b\" returned inf"));
    CHECK_THAT(reason_for("c", -1.0), StartsWith("\"c\" returned -1"));
    const record r =
        program.evaluate(metric("tokens/s", more_is_better, program.takes("d", std::chrono::milliseconds(1))) > 30);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, StartsWith("\"d\" returns no number"));
}

TEST_CASE("a metric of one's own without a name is refused", "[run][unit]") {
    CHECK_THROWS_AS(metric("", more_is_better, [] { return 1.0; }), input_error);
}

TEST_CASE("one metric of two subjects is compared in pairs of values", "[run][unit]") {
    telling_program program({confirms(verdict::violated)});
    const auto old_one = program.tells("old", {40, 41, 42});
    const auto new_one = program.tells("new", {60, 62, 61});
    const record r = program.evaluate(metric("tokens/s", more_is_better, new_one) >
                                      1.2 * metric("tokens/s", more_is_better, old_one));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 10);
    CHECK(r.evidence.seed == 7);
    CHECK(r.unit == dimension::ratio);
    CHECK(r.query == "metric(tokens/s, new) / metric(tokens/s, old)");
    CHECK_THAT(r.estimate.value().centre, WithinRel(1.5, 0.03));
    REQUIRE(r.subjects.size() == 2);
    CHECK(r.subjects[1].subject == "old");
    CHECK(r.subjects[1].unit == dimension::own);
    CHECK(
        program.evaluate(metric("tokens/s", more_is_better, new_one) > 2 * metric("tokens/s", more_is_better, old_one))
            .verdict == verdict::violated);
}

TEST_CASE("the order of each pair of values is drawn", "[run][unit]") {
    telling_program program;
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
    const record r = program.evaluate(metric("tokens/s", more_is_better, b) > metric("tokens/s", more_is_better, a));
    REQUIRE(r.evidence.rounds == 10);
    std::size_t other_first = 0;
    for (std::size_t at = calls.size() - 20; at < calls.size(); at += 2)
        other_first += calls.substr(at, 2) == "ab" ? 1 : 0;
    CHECK(other_first > 0);
    CHECK(other_first < 10);
}

TEST_CASE("two metrics of one's own are not compared with each other", "[run][unit]") {
    telling_program program;
    const auto x = program.tells("x", {40});
    CHECK(program.evaluate(metric("tokens/s", more_is_better, x) > metric("words/s", more_is_better, x)).reason ==
          "two different metrics are not paired: compare tokens/s with tokens/s");
}

TEST_CASE("a metric of one's own has a baseline in its own unit", "[run][unit]") {
    telling_program program(launches_of(40, 2));
    const auto sort = program.tells("sort", {40});
    program.store("sorting / metric(tokens/s, sort)", about(40, 10), "tokens/s");
    const record r = program.evaluate(metric("tokens/s", more_is_better, sort) > 0.9 * baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.launches == 2);
    telling_program renamed;
    renamed.store("sorting / metric(tokens/s, sort)", about(40, 10), "words/s");
    const record mixed =
        renamed.evaluate(metric("tokens/s", more_is_better, renamed.tells("sort", {40})) > 0.9 * baseline());
    CHECK(mixed.verdict == verdict::invalid);
    CHECK_THAT(mixed.reason, StartsWith("the baseline of this key is in words/s, the query in tokens/s"));
}

TEST_CASE("a metric of one's own is recorded by its median", "[run][unit]") {
    telling_program program;
    const record r = program.evaluate(metric("tokens/s", more_is_better, program.tells("x", {40, 42, 100})), {},
                                      {.effect = effect::record});
    CHECK(r.verdict == verdict::holds);
    CHECK(r.estimate.value().centre == 42);  // the mean is 60
    CHECK(r.evidence.rounds == 100);         // of 1 ms, for a tenth of a second
    CHECK(r.evidence.method == "median of values, with their quartiles");
}

TEST_CASE("a metric of one's own refuses launches(n)", "[run][unit]") {
    telling_program program;
    CHECK_THAT(
        program.evaluate(metric("tokens/s", more_is_better, program.tells("x", {40})) > 30, {launches(7)}).reason,
        ContainsSubstring("launches(n) has no effect here: a claim on a count or on your own metric"));
}

}  // namespace perfspec
