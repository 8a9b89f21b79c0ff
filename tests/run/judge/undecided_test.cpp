// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

/// Of four pairs three are 2 % inside and one 2 % outside of 1: evidence that grows slowly.
record slowly_decided(scripted_run& program, const std::vector<option>& options,
                      std::chrono::microseconds call = 10ms) {
    const auto steady = program.takes("steady", call);
    const auto mostly_faster =
        program.takes("mostly faster", {call * 98 / 100, call * 98 / 100, call * 102 / 100, call * 98 / 100});
    return program.evaluate(speedup(steady, mostly_faster) > 1, options);
}

/// The number after a word: 150 of "rounds(150)".
long number_after(const std::string& text, const std::string& word) {
    const auto at = text.find(word);
    return at == std::string::npos ? -1 : std::atol(text.c_str() + at + word.size());
}

}  // namespace

TEST_CASE("an undecided claim names the time that would decide it, and that does", "[run][unit]") {
    scripted_run program;
    const record r = slowly_decided(program, {budget(370ms)});
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_THAT(r.advice.at(0), StartsWith("about "));
    CHECK_THAT(r.advice.at(0), ContainsSubstring("more pairs ("));
    CHECK_THAT(r.advice.at(0), ContainsSubstring("would decide it at the rate so far: budget("));
    CHECK_THAT(r.advice.at(0), !ContainsSubstring("rounds("));
    scripted_run again;
    CHECK(slowly_decided(again, {budget(std::chrono::seconds(number_after(r.advice.at(0), "budget(")))}).verdict ==
          verdict::holds);
}

TEST_CASE("an undecided claim that its rounds ended names the rounds that would decide it, and they do",
          "[run][unit]") {
    scripted_run program;
    const record r = slowly_decided(program, {rounds(12)});
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_THAT(r.advice.at(0), ContainsSubstring("would decide it at the rate so far: rounds("));
    CHECK_THAT(r.advice.at(0), !ContainsSubstring("budget("));
    scripted_run again;
    const auto enough = static_cast<std::uint32_t>(number_after(r.advice.at(0), "rounds("));
    CHECK(slowly_decided(again, {rounds(enough)}).verdict == verdict::holds);
}

TEST_CASE("an undecided claim names both options where both stand in the way", "[run][unit]") {
    scripted_run program;
    const record r = slowly_decided(program, {rounds(12), budget(370ms)});
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_THAT(r.advice.at(0), ContainsSubstring(": rounds("));
    CHECK_THAT(r.advice.at(0), ContainsSubstring("), budget("));
}

TEST_CASE("an undecided claim whose evidence does not grow asks for no time", "[run][unit]") {
    scripted_run program;
    const auto steady = program.takes("steady", 200us);
    const auto even = program.takes("even", {100us, 400us});
    const record r = program.evaluate(speedup(steady, even) > 1, {rounds(20), margin(0_pct)});
    REQUIRE(r.verdict == verdict::undecided);
    CHECK(
        r.advice.at(0) ==
        "more time will not decide this claim: the measured value is too close to the bound for the noise of this machine");
}

TEST_CASE("an undecided claim asks for no time that nobody has", "[run][unit]") {
    scripted_run program;
    const record r = slowly_decided(program, {rounds(12), budget(2h)}, 300s);
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_THAT(r.advice.at(0), StartsWith("more time will not decide this claim"));
}

TEST_CASE("an undecided claim names the margin with which it would hold, and does", "[run][unit]") {
    const auto shaky_claim = [](const std::vector<option>& options) {
        scripted_run program;
        const auto steady = program.takes("steady", 200us);
        const auto shaky = program.takes("shaky", {180us, 222us});
        return program.evaluate(speedup(steady, shaky) > 1, options);
    };
    const record r = shaky_claim({rounds(20)});
    REQUIRE(r.verdict == verdict::undecided);
    CHECK(r.advice.at(1) == "with margin(12_pct) it would hold on these measurements");  // above 222 us / 200 us
    CHECK(shaky_claim({rounds(20), margin(12_pct)}).verdict == verdict::holds);
    CHECK(shaky_claim({rounds(20), margin(11_pct)}).verdict == verdict::undecided);
}

TEST_CASE("an undecided claim that a value is less names the margin on the other side", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", {21ms, 23200us});
    const record r = program.evaluate(latency(x) < 22ms);  // a reading a block
    REQUIRE(r.verdict == verdict::undecided);
    CHECK(r.advice.at(1) == "with margin(5.5_pct) it would hold on these measurements");  // 23.2 ms against 22 ms
    CHECK(program.evaluate(latency(x) < 22ms, {margin(percent(5.5))}).verdict == verdict::holds);
}

TEST_CASE("an undecided claim names no margin that no option takes", "[run][unit]") {
    scripted_run program;
    const auto steady = program.takes("steady", 2ms);
    const auto wild = program.takes("wild", {600us, 6ms});
    const record r = program.evaluate(speedup(steady, wild) > 1, {rounds(20)});
    REQUIRE(r.verdict == verdict::undecided);
    for (const std::string& a : r.advice) CHECK_THAT(a, !ContainsSubstring("margin("));
}

TEST_CASE("an undecided claim says which bound what was measured can tell", "[run][unit]") {
    scripted_run program;
    const auto steady = program.takes("steady", 200us);
    const auto shaky = program.takes("shaky", {180us, 222us});
    const record r = program.evaluate(speedup(steady, shaky) > 1, {rounds(20)});
    CHECK_THAT(r.advice.at(2), StartsWith("a bound 1"));
    CHECK_THAT(r.advice.at(2), ContainsSubstring(" could be decided with these measurements"));
}

}  // namespace perfspec
