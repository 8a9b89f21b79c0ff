// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// Processes of ten times the bound of the tests, with these durations.
std::vector<child_end> slow_processes(std::vector<double> seconds) {
    std::vector<child_end> ends = processes_of(10e6, seconds.size());
    for (std::size_t i = 0; i < ends.size(); ++i) ends[i].seconds = seconds[i];
    return ends;
}

}  // namespace

TEST_CASE(
    "a claim that its rounds do not let fail is an error before anything is measured, and the rounds that do are named",
    "[run][unit]") {
    const auto [options, text] = GENERATE(table<std::vector<option>, std::string>({
        {{rounds(10), confirm::off},
         "rounds(10) cannot show that this claim is violated, because a false-failure rate of 0.001 needs at least 14 "
         "pairs: write rounds(14) or more, or leave it out"},
        {{rounds(10), false_failure(1e-6)}, "needs at least 14 pairs"},
    }));
    CAPTURE(text);
    scripted_run program;
    CHECK_THAT(program.error(speedup(program.takes("a", 100us), program.takes("b", 1ms)) > 0.95, options),
               ContainsSubstring(text));
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a claim fails in as few rounds as can show a violation", "[run][unit]") {
    scripted_run program;
    const auto fast = program.takes("a", 100us);
    const auto slow = program.takes("b", 1ms);
    const record of_pairs = program.evaluate(speedup(fast, slow) > 0.95, {rounds(14), confirm::off});
    CHECK(of_pairs.verdict == verdict::violated);
    CHECK(of_pairs.evidence.rounds == 14);
    const record of_blocks = program.evaluate(latency(slow) < 100us, {rounds(14), confirm::off});
    CHECK(of_blocks.verdict == verdict::violated);
    CHECK(of_blocks.evidence.rounds == 14);
    CHECK(program.evaluate(latency(slow) < 100us, {rounds(13), confirm::off}).verdict == verdict::error);
}

TEST_CASE("a rate that usual limits do not reach lets a claim take more blocks", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("a", 1ms)) < 100us, {confirm::off, false_failure(1e-6)});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.rounds == 25);
}

TEST_CASE("a budget in which a violation cannot be shown is an error, and the budget that would do is named",
          "[run][unit]") {
    scripted_run program;
    CHECK_RECORDED(program.error(latency(program.takes("a", 1ms)) < 100us, {budget(250ms), cap(250ms), confirm::off}));
}

TEST_CASE("rounds of pairs continue beyond a spent budget until a violation could be shown", "[run][unit]") {
    scripted_run program;
    // As fast as the other one while it is calibrated, then slower than the budget has room for.
    const subject b("b", [&program, n = 0]() mutable { program.work(n++ < 5 ? 1ms : 30ms); });
    const record r =
        program.evaluate(speedup(program.takes("a", 1ms), b) > 0.95, {budget(100ms), cap(100ms), confirm::off});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.rounds == 14);
}

TEST_CASE("percentiles of two subjects need the pairs that their level asks for", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("a", 1ms);
    const auto b = program.takes("b", 3ms);
    CHECK_RECORDED(
        program.error(percentile(latency(b), 99.5) < percentile(latency(a), 99.5), {rounds(1000), confirm::off}));
}

TEST_CASE("processes of eleven seconds each do not fit into the cap, which is reported after two of them",
          "[run][unit]") {
    scripted_run program(slow_processes({11.5, 11.5}));
    const record r = program.evaluate(first_call(program.takes("model", 1ms)) < 1ms);
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    CHECK_RECORDED(r.reason);
    CHECK(program.launcher.commands().size() == 2);
}

TEST_CASE("a process of ten seconds can be found violated within the cap", "[run][unit]") {
    scripted_run program(slow_processes(std::vector<double>(11, 10.0)));
    const record r = program.evaluate(first_call(program.takes("model", 1ms)) < 1ms);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.processes == 11);
    CHECK(r.evidence.seconds == 110.0);
}

TEST_CASE("a first process that reads from the disk does not make a claim an error", "[run][unit]") {
    std::vector<double> seconds(11, 5.0);
    seconds.front() = 16.0;
    scripted_run program(slow_processes(seconds));
    CHECK(program.evaluate(first_call(program.takes("model", 1ms)) < 1ms).verdict == verdict::violated);
}

TEST_CASE("a spread asks for the processes that its rate takes", "[run][unit]") {
    scripted_run program;
    CHECK_RECORDED(program.error(spread(program.takes("a", 1ms)) < pct(1), {processes(10), false_failure(1e-4)}));
}

namespace {

/// Three of four pairs are 2 % inside, and one 2 % outside of 1: evidence that grows slowly.
record slowly_decided(scripted_run& program, const std::vector<option>& options,
                      std::chrono::microseconds call = 10ms) {
    const auto steady = program.takes("steady", call);
    const auto mostly_faster =
        program.takes("mostly faster", {call * 98 / 100, call * 98 / 100, call * 102 / 100, call * 98 / 100});
    return program.evaluate(speedup(steady, mostly_faster) >= 1, options);
}

/// The number after a word: 150 of "rounds(150)".
long number_after(const std::string& text, const std::string& word) {
    const auto at = text.find(word);
    return at == std::string::npos ? -1 : std::atol(text.c_str() + at + word.size());
}

}  // namespace

TEST_CASE("an undecided claim names the time that would decide it, and that does", "[run][unit]") {
    scripted_run program;
    const record r = slowly_decided(program, {budget(370ms), cap(370ms)});
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_RECORDED(r.advice.at(0));
    scripted_run again;
    CHECK(slowly_decided(again, {cap(std::chrono::seconds(number_after(r.advice.at(0), "cap(")))}).verdict ==
          verdict::holds);
}

TEST_CASE("an undecided claim that its rounds ended names the rounds that would decide it, and they do",
          "[run][unit]") {
    scripted_run program;
    const record r = slowly_decided(program, {rounds(12)});
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_RECORDED(r.advice.at(0));
    scripted_run again;
    const auto enough = static_cast<std::uint32_t>(number_after(r.advice.at(0), "rounds("));
    CHECK(slowly_decided(again, {rounds(enough)}).verdict == verdict::holds);
}

TEST_CASE("an undecided claim names both options where both stand in the way", "[run][unit]") {
    scripted_run program;
    const record r = slowly_decided(program, {rounds(12), budget(370ms), cap(370ms)});
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_RECORDED(r.advice.at(0));
}

TEST_CASE("an undecided claim whose evidence does not grow asks for no time", "[run][unit]") {
    scripted_run program;
    const auto steady = program.takes("steady", 200us);
    const auto even = program.takes("even", {100us, 400us});
    const record r = program.evaluate(speedup(steady, even) >= 1, {rounds(20), margin(0_pct)});
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_RECORDED(r.advice.at(0));
}

TEST_CASE("an undecided claim asks for no impossible time", "[run][unit]") {
    scripted_run program;
    const record r = slowly_decided(program, {rounds(12), budget(2h), cap(2h)}, 300s);
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_THAT(r.advice.at(0), StartsWith("more time will not decide this claim"));
}

TEST_CASE("an undecided claim says which bound what was measured can tell", "[run][unit]") {
    scripted_run program;
    const auto steady = program.takes("steady", 200us);
    const auto shaky = program.takes("shaky", {180us, 222us});
    const record r = program.evaluate(speedup(steady, shaky) >= 1, {rounds(20)});
    CHECK_RECORDED(r.advice.at(1));
}

TEST_CASE("a strict claim on what looks equal says what can be claimed", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("a", 1000us);
    const auto b = program.takes("b", {990us, 1010us});
    const auto advice_on = [&](const claim& c) { return program.evaluate(c, {rounds(20)}).advice.at(1); };
    CHECK_RECORDED(advice_on(speedup(a, b) > 1));
    CHECK_THAT(advice_on(latency(a) < 1.0 * latency(b)),
               EndsWith("write <= 1.000 to claim no loss; a gain would be < 0.9900"));
    CHECK_THAT(advice_on(speedup(a, b) >= 1), StartsWith("these measurements could decide a bound that is 1 % away"));
}

TEST_CASE("advice is in the words of the host", "[run][unit]") {
    scripted_run program;
    program.framework.advice = {.before_value = "=\"", .after_value = "\""};
    const auto a = program.takes("a", 100us), b = program.takes("b", 1ms);
    CHECK_RECORDED(program.error(speedup(a, b) > 0.95, {rounds(10), confirm::off}));
}

}  // namespace perfspec
