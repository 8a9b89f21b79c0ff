// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;

/// Assertions at one place of the source, and at another.
const written here{.line = 42};
const written elsewhere{.line = 43};

std::vector<child_end> followed_by(std::vector<child_end> first, const std::vector<child_end>& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
}

}  // namespace

TEST_CASE("two queries under one key(\"...\") are invalid, and both places are named", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 2ms, {key("k")}, here).verdict == verdict::holds);
    const record second = program.evaluate(cpu_time(x) < 2ms, {key("k")}, elsewhere);
    CHECK(second.verdict == verdict::invalid);
    CHECK_THAT(
        second.reason,
        ContainsSubstring("two different queries have the key \"sorting / k\": latency(x) at sort_test.cpp:42, and "
                          "cpu_time(x) at sort_test.cpp:43: give one of them another key"));
}

TEST_CASE("a claim on baseline() that another value of a generator reaches is invalid under one key", "[run][unit]") {
    stored_program program(launches_of(1e6, 30));
    const auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::not_judged);  // recorded
    ++program.framework.at.pass;
    program.framework.at.generated = true;
    const record again = program.evaluate(latency(x) < 1.05 * baseline(), {}, here);
    CHECK(again.verdict == verdict::invalid);
    CHECK(again.failed);
    CHECK_THAT(again.reason,
               ContainsSubstring("is reached once more, with another value of a generator, under one key"));
    CHECK_THAT(again.reason, ContainsSubstring(".axis(\"n\", n)"));
    CHECK(program.evaluate(latency(x) < 2ms, {confirm(off)}, elsewhere).verdict ==
          verdict::holds);  // nothing is stored of it
}

TEST_CASE("a claim on baseline() that every value of a generator gives another axis is judged for each",
          "[run][unit]") {
    stored_program program(launches_of(1e6, 20));
    REQUIRE(program.evaluate(latency(program.takes("x", 1ms).axis("n", 1)) < 1.05 * baseline(), {}, here).verdict ==
            verdict::not_judged);
    ++program.framework.at.pass;
    program.framework.at.generated = true;
    CHECK(program.evaluate(latency(program.takes("x", 1ms).axis("n", 2)) < 1.05 * baseline(), {}, here).verdict ==
          verdict::not_judged);
}

TEST_CASE("a claim on baseline() in a loop is invalid without an axis, and judged with one", "[run][unit]") {
    stored_program program(launches_of(1e6, 40));
    auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::not_judged);
    const record again = program.evaluate(latency(x) < 1.05 * baseline(), {}, here);
    CHECK_THAT(again.reason, ContainsSubstring("is reached twice in one pass of its test case under one key"));
    x.axis("n", 2);
    CHECK(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::not_judged);
}

TEST_CASE("a claim on baseline() before sections comes back in another pass", "[run][unit]") {
    stored_program program(launches_of(1e6, 30));
    const auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::not_judged);
    ++program.framework.at.pass;
    CHECK(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::not_judged);
}

TEST_CASE("what another pass measures under a key must be the same thing", "[run][unit]") {
    stored_program program(followed_by(launches_of(1e6, 10), launches_of(10e3, 10)));
    const auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::not_judged);
    ++program.framework.at.pass;
    const record other = program.evaluate(latency(x) < 1.05 * baseline(), {}, here);
    CHECK(other.verdict == verdict::invalid);
    CHECK_THAT(other.reason,
               ContainsSubstring(
                   "an earlier pass of this run measured 1.002 ms under the key \"sorting / latency(x)\", and this "
                   "one 10.0"));
}

TEST_CASE("two test cases of one name are invalid where their claims have one key", "[run][unit]") {
    scripted_run program;
    program.framework.at.declared_at = "sort_test.cpp:10";
    REQUIRE(program.evaluate(latency(program.takes("x", 1ms)) < 2ms).verdict == verdict::holds);
    ++program.framework.at.pass;
    program.framework.at.declared_at = "sort_test.cpp:20";
    const record second = program.evaluate(latency(program.takes("x", 1ms)) < 2ms, {}, elsewhere);
    CHECK(second.verdict == verdict::invalid);
    CHECK_THAT(
        second.reason,
        ContainsSubstring("two test cases of one name have the key \"sorting / latency(x)\": one at sort_test.cpp:10, "
                          "another at sort_test.cpp:20: rename one of them"));
}

TEST_CASE("a name that holds what joins the parts of a key is another key than two parts", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 1ms);
    program.framework.at.sections = {"b"};
    const std::string of_section = program.evaluate(latency(x) < 2ms).key;
    ++program.framework.at.pass;
    program.framework.at.test = "sorting / b";
    program.framework.at.sections.clear();
    CHECK(program.evaluate(latency(x) < 2ms).key == "sorting \\/ b / latency(x)");
    CHECK(of_section == "sorting / b / latency(x)");
}

}  // namespace perfspec
