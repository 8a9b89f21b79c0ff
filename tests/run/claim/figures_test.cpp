// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/readings.hpp>

#include <array>

namespace perfspec {

using namespace testing;

TEST_CASE("a ratio continues after its verdict until the interval is narrow", "[run][unit]") {
    scripted_run program;
    // Ratios from 1.9 to 2.1 in turn: ten pairs are far above the bound, and more pairs narrow the interval.
    const auto slow = program.takes("slow", {190us, 195us, 200us, 205us, 210us});
    const auto fast = program.takes("fast", 100us);
    const record r = program.evaluate(speedup(slow, fast) > 1.5);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds < r.subjects.at(0).samples);
    const double between = 1.96 * std::hypot(detail::deviation_between_processes, std::log(205.0 / 195.0));
    CHECK(std::log(r.estimate.value().high / r.estimate->low) <= 2 * std::hypot(0.02, between));
    CHECK(r.estimate->low > 1.5);
}

TEST_CASE("the interval of a ratio is for the next process, too, but contradicts no verdict", "[run][unit]") {
    const std::vector<double> logs(10, std::log(2.0));
    const double reach = std::exp(1.96 * detail::deviation_between_processes);
    const auto interval = [&](double low, double high) { return detail::estimate_across_processes(logs, {low, high}); };
    CHECK(interval(1.0, 3.0).value == 2.0);
    CHECK_THAT(interval(1.0, 3.0).low, WithinRel(2 / reach, 1e-12));
    CHECK_THAT(interval(1.0, 3.0).high, WithinRel(2 * reach, 1e-12));
    CHECK_THAT(interval(1.98, 1.98).low, WithinRel(std::sqrt(1.98 * 2), 1e-12));
    CHECK_THAT(interval(1.98, 1.98).high, WithinRel(2 * reach, 1e-12));
    CHECK_THAT(interval(1.98, 2.02).high, WithinRel(std::sqrt(2.02 * 2), 1e-12));
    CHECK_THAT(interval(2.0, 2.0).low, WithinRel(2 / reach, 1e-12));  // undecided
}

TEST_CASE("a claim does not hold if more pairs put its interval beyond the bound", "[run][unit]") {
    scripted_run program;
    std::vector<std::chrono::nanoseconds> calls;
    for (std::size_t i = 0; i < 20; ++i) calls.push_back(std::array{160us, 180us, 200us, 220us, 340us}.at(i % 5));
    calls.resize(10'000, 101us);
    const record r = program.evaluate(speedup(program.takes("slow", calls), program.takes("fast", 100us)) > 1.5);
    CHECK(r.estimate.value().high < 1.5);
    CHECK(r.verdict == verdict::undecided);
    CHECK_THAT(r.reason, StartsWith("its first pairs show that it holds"));
}

TEST_CASE("an interval that contains the bound is not narrow", "[run][unit]") {
    const center_interval narrow{-0.01, 0.0, 0.01, 0.95}, wide{-0.1, 0.0, 0.1, 0.95};
    CHECK(detail::is_narrow(narrow, 0.011));
    CHECK(detail::is_narrow(narrow, -0.011));
    CHECK_FALSE(detail::is_narrow(narrow, 0.009));
    CHECK_FALSE(detail::is_narrow(wide, 0.2));
    CHECK_FALSE(detail::is_narrow(wide, 0.5));
}

TEST_CASE("a ratio takes a quarter more pairs for its figure at most, or those of 5 ms", "[run][unit]") {
    const auto pairs_of = [](std::chrono::nanoseconds slower, std::chrono::nanoseconds faster) {
        scripted_run program;
        const auto slow = program.takes("slow", {faster, slower});  // no interval is narrow
        const auto fast = program.takes("fast", faster);
        const record r = program.evaluate(speedup(slow, fast) > 0.5);
        CHECK(r.verdict == verdict::holds);
        CHECK(r.evidence.rounds == 10);
        return r.subjects.at(0).samples;
    };
    CHECK(pairs_of(300ms, 100ms) == 12);
    CHECK(pairs_of(300us, 100us) > 13);
}

TEST_CASE("a budget that may stretch continues while the estimate is beyond the bound", "[run][unit]") {
    const auto evaluated = [](std::chrono::nanoseconds first, const std::vector<option>& options, double bound = 0.97) {
        scripted_run program({confirms(verdict::violated)});
        const auto now = program.takes("now", {28ms, 40ms, 22ms, 34ms, 28ms, 25ms, 31ms});
        const auto before = program.takes("before", {first, 30ms, 20ms, 22500us, 27500us});
        return program.evaluate(speedup(before, now) > bound, options);
    };
    const record longer = evaluated(25ms, {});
    CHECK(longer.verdict == verdict::violated);
    CHECK(longer.evidence.seconds > longer.evidence.budget_seconds);
    const record hard = evaluated(25ms, {budget(2s), cap(2s)});
    CHECK(hard.verdict == verdict::undecided);
    CHECK(hard.evidence.seconds < 2.2);
    const record capped = evaluated(25ms, {cap(3s)});
    CHECK(capped.verdict == verdict::undecided);
    CHECK(capped.evidence.seconds < 3.2);
    CHECK(capped.evidence.seconds > 2.8);
    const record inside = evaluated(49ms, {}, 0.92);
    CHECK(inside.evidence.seconds < 1.2 * inside.evidence.budget_seconds);
}

TEST_CASE("a ratio of bodies of a few nanoseconds is not violated by what the loop may cost", "[run][unit]") {
    const auto verdict_of = [](std::chrono::nanoseconds a, std::chrono::nanoseconds b, double bound) {
        scripted_run program({confirms(verdict::violated)});
        return program.evaluate(speedup(program.takes("a", a), program.takes("b", b)) > bound);
    };
    const record close = verdict_of(1ns, 3ns, 0.8);
    CHECK(close.verdict == verdict::undecided);
    CHECK_THAT(close.reason, StartsWith("an iteration takes 1.00 ns and 3.00 ns, of which the loop"));
    CHECK(verdict_of(4ns, 30ns, 0.8).verdict == verdict::violated);
    CHECK(verdict_of(6ns, 8ns, 0.8).verdict == verdict::violated);
    CHECK(verdict_of(3ns, 1ns, 0.8).verdict == verdict::holds);
    scripted_run program({confirms(verdict::violated)});
    const auto a = program.takes("a", 4ns), b = program.takes("b", 3ns);
    CHECK(program.evaluate(latency(a) < 1.1 * latency(b)).verdict == verdict::undecided);
}

}  // namespace perfspec
