// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/language/complexity.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/report/console/console.hpp>

#include <support/scripted_usage.hpp>

namespace perfspec {

using namespace testing;

namespace {

/// A program whose body works, and also waits for a processor for 95 ms in some of ten calls.
struct waiting_run : scripted_run {
    scripted_usage meter;
    std::chrono::nanoseconds works;
    std::size_t waits_of_ten;
    bool has_two_threads;
    std::size_t calls{};

    waiting_run(std::chrono::nanoseconds work, std::size_t waits, bool two_threads = false)
        : scripted_run({confirms(verdict::violated)}), works(work), waits_of_ten(waits), has_two_threads(two_threads) {
        usage = &meter;
    }
    subject sort() {
        return {"sort", [this] {
                    const auto waits = calls++ % 10 < waits_of_ten ? 95ms : 0ms;
                    wall.advance(works + waits);
                    if (has_two_threads) meter.call_of_two_threads(works, waits);
                    else meter.call(works, waits);
                }};
    }
    record judged(std::chrono::nanoseconds bound) { return evaluate(latency(sort()) < bound); }
    record judged_above(std::chrono::nanoseconds bound) { return evaluate(latency(sort()) > bound); }
};

/// Judges the complexity of a body whose calls on sizes from 4,000 on wait nine times as long as they work.
record judged_complexity(double power, bool two_threads) {
    scripted_run program({confirms(verdict::violated)});
    scripted_usage meter;
    program.usage = &meter;
    return program.evaluate(complexity(setup([](std::size_t n) { return n; }),
                                       [&](std::size_t& n) {
                                           const std::chrono::nanoseconds works(
                                               std::llround(1e5 * std::pow(static_cast<double>(n) / 1000.0, power)));
                                           const std::chrono::nanoseconds waits = n < 4000 ? 0ns : 9 * works;
                                           program.wall.advance(works + waits);
                                           if (two_threads) meter.call_of_two_threads(works, waits);
                                           else meter.call(works, waits);
                                       },
                                       {1000, 2000, 4000, 8000, 16000}) <= order::power(1),
                            {cap(1h)});
}

}  // namespace

TEST_CASE("waiting for a processor is no complexity", "[run][unit]") {
    const record linear = judged_complexity(1.0, false);
    CHECK(linear.verdict == verdict::holds);
    CHECK_THAT(linear.estimate.value().value, WithinAbs(1.0, 1e-3));
    CHECK(judged_complexity(2.0, false).verdict == verdict::violated);
    CHECK(judged_complexity(4.0, true).verdict == verdict::violated);
    const record of_threads = judged_complexity(1.0, true);  // that may have waited at the same time
    CHECK(of_threads.verdict == verdict::undecided);
    CHECK_FALSE(of_threads.estimate.has_value());
    CHECK_THAT(of_threads.reason, StartsWith("20 of 20 blocks do not count"));
    CHECK_THAT(of_threads.advice.back(), !StartsWith("use larger sizes"));
}

TEST_CASE("both sides of a tolerance count each interrupted sample once", "[run][unit]") {
    waiting_run program(5ms, 10);
    const record r = program.evaluate(latency(program.sort()) == within(5ms, 60_pct));
    CHECK(r.disturbed.interrupted <= program.calls);
}

TEST_CASE("a claim says for how long its process waited", "[run][unit]") {
    waiting_run busy(5ms, 10);
    const record r = busy.judged(50ms);
    CHECK_THAT(r.disturbed.waited_seconds,
               WithinRel(static_cast<double>(busy.meter.processors.waited_ns) * 1e-9, 1e-12));
    CHECK_THAT(render_console(r, {}), ContainsSubstring(" s waiting for a processor"));
    CHECK(r.disturbed.interrupted == 10);
    CHECK_THAT(r.disturbed.interrupted_seconds, WithinRel(10 * 0.095, 1e-12));
    CHECK(r.disturbed.excluded == 0);
    waiting_run calm(5ms, 0);
    CHECK_THAT(render_console(calm.judged(50ms), {}), !ContainsSubstring("waiting"));
}

TEST_CASE("what others may explain is not called a regression", "[run][unit]") {
    const auto waits = GENERATE(as<std::chrono::nanoseconds>{}, 0ms, 50ms);
    scripted_run program;
    scripted_usage meter;
    program.usage = &meter;
    program.rest.meanwhile = [&] { meter.processors.waited_ns += waits.count(); };
    const record r = program.evaluate(latency(program.takes("sort", {23ms, 23ms, 23ms, 21990us, 21990us})) < 22ms);
    REQUIRE(r.verdict == verdict::undecided);
    CHECK_THAT(r.advice.at(0), ContainsSubstring(waits > 0ms ? "repeat it when the machine has less to do"
                                                             : "treat it as a regression"));
}

TEST_CASE("waiting for a processor violates no true upper bound of a time, and hides no false one", "[run][unit]") {
    const auto waits = GENERATE(as<std::size_t>{}, 0, 3, 7, 10);
    const auto [works, bound, code] = GENERATE(table<std::chrono::nanoseconds, std::chrono::nanoseconds, verdict>(
        {{5ms, 50ms, verdict::holds}, {15ms, 5ms, verdict::violated}}));
    waiting_run program(works, waits);
    const record r = program.judged(bound);
    CHECK(r.verdict == code);
    CHECK_THAT(r.estimate.value().value, WithinRel(static_cast<double>(works.count()), 1e-12));
    CHECK(r.subjects.at(0).maximum == static_cast<double>(works.count()));
}

TEST_CASE("what cold caches after a wait may cost is no violation, and no verdict is explained", "[run][unit]") {
    waiting_run program(6ms, 10);
    const record r = program.judged(5ms);
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.rounds == 0);
    CHECK_FALSE(r.estimate.has_value());
    CHECK_THAT(r.reason, StartsWith("20 of 20 blocks do not count"));
    waiting_run calm(6ms, 0);
    CHECK(calm.judged(5ms).verdict == verdict::violated);
    waiting_run of_two_threads(5ms, 10, true);  // that may have waited at the same time
    CHECK(of_two_threads.judged(4500us).verdict == verdict::undecided);
    waiting_run slow_threads(15ms, 10, true);
    CHECK(slow_threads.judged(5ms).verdict == verdict::violated);
}

TEST_CASE("a time whose part without waiting is unknown is inside a bound above all of it", "[run][unit]") {
    const auto [bound, code] =
        GENERATE(table<std::chrono::nanoseconds, verdict>({{150ms, verdict::holds}, {50ms, verdict::undecided}}));
    waiting_run program(5ms, 10, true);
    const subject spawning("spawning", [&] {
        program.wall.advance(100ms);
        program.meter.call_of_two_threads(5ms, 95ms);
        program.meter.processors.ended_ns += 5'000'000;  // its other thread ends
    });
    CHECK(program.evaluate(latency(spawning) < bound).verdict == code);
}

TEST_CASE("an interrupted reading near the bound counts on neither side of it", "[run][unit]") {
    const auto [works, code] = GENERATE(table<std::chrono::nanoseconds, verdict>({{3500us, verdict::holds},
                                                                                  {4500us, verdict::undecided},
                                                                                  {5500us, verdict::undecided},
                                                                                  {7ms, verdict::violated}}));
    waiting_run program(works, 10);
    CHECK(program.judged(5ms).verdict == code);
}

TEST_CASE("a reading counts that was interrupted for a hundredth of it", "[run][unit]") {
    waiting_run program(11s, 10);  // 95 ms are less than a hundredth
    CHECK(program.evaluate(latency(program.sort()) < 10s, {cap(1h)}).verdict == verdict::violated);
}

TEST_CASE("waiting for a processor does not make a lower bound of a time true", "[run][unit]") {
    waiting_run always(5ms, 10);
    CHECK(always.evaluate(latency(always.sort()) > 50ms).verdict == verdict::violated);
    waiting_run longer(5ms, 10);
    CHECK(longer.evaluate(latency(longer.sort()) > 3ms).verdict == verdict::holds);
}

TEST_CASE("waiting for a processor excuses no processor time", "[run][unit]") {
    waiting_run slow(5ms, 10);
    const subject busy("busy", [&] {
        slow.wall.advance(5ms);
        slow.cpu.advance(5ms);
        slow.meter.call(5ms, 1ms);
    });
    CHECK(slow.evaluate(cpu_time(busy) < 4ms).verdict == verdict::violated);
}

namespace {

/// The verdict on two bodies of 1 and 6.5 ms, of which the longer one is interrupted for 15 ms in some of ten calls.
record judged_pair(std::size_t interrupted_of_ten, bool two_threads, double bound) {
    scripted_run program({confirms(verdict::violated)});
    scripted_usage meter;
    program.usage = &meter;
    const auto body = [&](std::chrono::nanoseconds works, std::size_t of_ten) {
        return [&program, &meter, works, of_ten, two_threads, calls = std::size_t{}]() mutable {
            const auto waits = calls++ % 10 < of_ten ? 15ms : 0ms;
            program.wall.advance(works + waits);
            if (two_threads) meter.call_of_two_threads(works, waits);
            else meter.call(works, waits);
        };
    };
    const subject shorter("shorter", body(1ms, 0)), longer("longer", body(6500us, interrupted_of_ten));
    return program.evaluate(latency(longer) < bound * latency(shorter));
}

}  // namespace

TEST_CASE("a ratio is that of the bodies, however often the longer one is interrupted", "[run][unit]") {
    const auto interrupted = GENERATE(as<std::size_t>{}, 0, 5, 10);
    const record r = judged_pair(interrupted, false, 8.0);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().value, WithinRel(6.5, 1e-12));
    CHECK((r.disturbed.interrupted > 0) == (interrupted > 0));
    CHECK(r.disturbed.excluded == 0);
    CHECK(judged_pair(interrupted, false, 5.0).verdict == verdict::violated);
}

TEST_CASE("interrupted samples of several threads do not count in a ratio", "[run][unit]") {
    const record some = judged_pair(3, true, 8.0);
    CHECK(some.verdict == verdict::holds);
    CHECK_THAT(some.estimate.value().value, WithinRel(6.5, 1e-12));
    CHECK(some.disturbed.excluded == some.disturbed.interrupted);
    CHECK(judged_pair(3, true, 5.0).verdict == verdict::violated);
    const record all = judged_pair(10, true, 5.0);
    CHECK(all.verdict == verdict::undecided);
    CHECK_FALSE(all.estimate.has_value());
    CHECK_THAT(all.reason, ContainsSubstring("pairs do not count"));
}

TEST_CASE("what shares the machine explains a third of a time, and of a ratio of unlike bodies", "[run][unit]") {
    const auto [works, shared, is_less, code] = GENERATE(table<std::chrono::nanoseconds, bool, bool, verdict>({
        {6ms, false, true, verdict::violated},
        {6ms, true, true, verdict::undecided},
        {7ms, true, true, verdict::violated},
        {6ms, true, false, verdict::violated},  // sharing makes no work faster
    }));
    waiting_run program(works, 0);
    program.meter.counters.own_cores = 2;
    program.rest.meanwhile = [&] {
        program.meter.counters.elapsed_seconds += 1.0;
        if (shared) program.meter.counters.busy_seconds += 1.0;
    };
    CHECK((is_less ? program.judged(5ms) : program.judged_above(8ms)).verdict == code);
    CHECK(detail::reason_of_sharing(std::log(1.3), {.cores = 2, .others_cores = 0.05}).empty());
    CHECK_FALSE(detail::reason_of_sharing(std::log(1.3), {.cores = 2, .others_cores = 0.5}).empty());
    CHECK(detail::reason_of_sharing(std::log(1.4), {.cores = 2, .others_cores = 2.0}).empty());
}

}  // namespace perfspec
