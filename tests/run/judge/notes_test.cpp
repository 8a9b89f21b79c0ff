// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using strings = std::vector<std::string>;

int sum() { return 3; }
int product() { return 4; }

}  // namespace

TEST_CASE("a bound on the better side is noted", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 2ms);
    const auto y = program.takes("y", 1ms);
    const record slow = program.evaluate(latency(x) > 1ms);
    CHECK(slow.verdict == verdict::holds);
    CHECK(
        slow.notes ==
        strings{
            "this claims that latency(x) is at least so much, but less is better: it still holds when the value gets worse; write < to "
            "catch a regression"});
    CHECK(
        program.evaluate(speedup(y, x) < 0.95, {}, {.line = 43}).notes ==
        strings{
            "this claims that speedup(y, x) is at most so much, but more is better: it still holds when the value gets worse; write > "
            "to catch a regression"});
}

TEST_CASE("a bound on the worse side, a tolerance, and one subject against another are not noted", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 2ms);
    const auto y = program.takes("y", 1ms);
    CHECK(program.evaluate(latency(x) < 3ms).notes.empty());
    CHECK(program.evaluate(speedup(x, y) > 1.5, {}, {.line = 43}).notes.empty());
    CHECK(program.evaluate(latency(x) > 1.5 * latency(y), {}, {.line = 44}).notes.empty());
    CHECK(program.evaluate(latency(x) == within(2ms, percent(50)), {}, {.line = 45}).notes.empty());
}

TEST_CASE("a subject compared with itself is invalid, however it is written", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 1ms);
    const subject copy = x;
    const auto check = [&](const record& r, const std::string& name) {
        CHECK(r.verdict == verdict::invalid);
        CHECK(r.reason == "it compares \"" + name +
                              "\" with itself: write speedup(x, y), or latency(y) < 0.8 * latency(x), of two subjects");
    };
    check(program.evaluate(speedup(x, x) > 0.95), "x");
    check(program.evaluate(speedup(x, copy) > 0.95), "x");
    check(program.evaluate(latency(x) < 1.2 * latency(x)), "x");
    check(program.evaluate(p99(latency(x)) < 1.2 * p99(latency(x))), "x");
    check(program.evaluate(compression(x, x) > 0.95), "x");
    check(program.evaluate(latency(x) == within(latency(x), percent(5))), "x");
    check(program.evaluate(speedup(sum, sum) > 0.95, {}, {.line = 42}), "sort_test.cpp:42");
    CHECK(program.bodies_run == 0);
}

TEST_CASE("two subjects of one body are compared", "[run][unit]") {
    scripted_run program;
    const auto work = [&] { program.work(1ms); };
    CHECK(program.evaluate(speedup(subject("a", work), subject("b", work)) > 0.5).verdict == verdict::holds);
    const auto make = [&] { return work; };
    CHECK(program.evaluate(speedup(make(), make()) > 0.5, {}, {.claim = "speedup(make(), make()) > 0.5", .line = 43})
              .verdict == verdict::holds);
    CHECK(program.evaluate(speedup(subject("a", sum), subject("b", sum)) > 1e-9, {rounds(10)}, {.line = 44})
              .reason.find("itself") == std::string::npos);
    CHECK(
        program
            .evaluate(speedup(sum, product) > 1e-9, {rounds(10)}, {.claim = "speedup(sum, product) > 1e-9", .line = 45})
            .reason.find("itself") == std::string::npos);
}

}  // namespace perfspec
