// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/language/growth.hpp>
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
    std::size_t calls{};

    waiting_run(std::chrono::nanoseconds work, std::size_t waits, int threads = 1)
        : scripted_run({confirms(verdict::violated)}), works(work), waits_of_ten(waits) {
        usage = &meter;
        meter.used.threads = threads;
    }
    record judged(std::chrono::nanoseconds bound) {
        const subject sort("sort", [this] {
            const bool waits = calls++ % 10 < waits_of_ten;
            wall.advance(waits ? works + 95ms : works);
            if (waits) meter.wait += std::chrono::nanoseconds(95ms).count();
        });
        return evaluate(latency(sort) < bound);
    }
};

/// Judges the growth of a body whose calls on sizes from 4,000 on wait nine times as long as they work.
record judged_growth(double power, int threads) {
    scripted_run program({confirms(verdict::violated)});
    scripted_usage meter;
    program.usage = &meter;
    meter.used.threads = threads;
    return program.evaluate(growth(setup([](std::size_t n) { return n; }),
                                   [&](std::size_t& n) {
                                       const double ns = 1e5 * std::pow(static_cast<double>(n) / 1000.0, power);
                                       const auto waits = std::llround(n < 4000 ? 0.0 : 9.0 * ns);
                                       program.wall.advance(std::chrono::nanoseconds(std::llround(ns) + waits));
                                       meter.wait += waits;
                                   },
                                   {1000, 2000, 4000, 8000, 16000}) <= order::power(1),
                            {cap(1h)});
}

}  // namespace

TEST_CASE("waiting for a processor is no growth", "[run][unit]") {
    const record linear = judged_growth(1.0, 1);
    CHECK(linear.verdict == verdict::holds);
    CHECK_THAT(linear.estimate.value().centre, WithinAbs(1.0, 1e-3));
    CHECK(judged_growth(2.0, 1).verdict == verdict::violated);
    CHECK(judged_growth(4.0, 2).verdict == verdict::violated);
    const record of_threads = judged_growth(1.0, 2);  // that may have waited at the same time
    CHECK(of_threads.verdict == verdict::undecided);
    CHECK_FALSE(of_threads.estimate.has_value());
    CHECK_THAT(of_threads.reason, StartsWith("its process waited for a processor in 20 of 20 blocks"));
    CHECK_THAT(of_threads.advice.back(), !StartsWith("give larger sizes"));
}

TEST_CASE("a claim says for how long its process waited", "[run][unit]") {
    waiting_run busy(5ms, 10);
    const record r = busy.judged(50ms);
    CHECK_THAT(r.disturbed.waited_seconds, WithinRel(static_cast<double>(busy.meter.wait) * 1e-9, 1e-12));
    CHECK_THAT(render_console(r, {}), ContainsSubstring(" s waiting for a processor"));
    waiting_run calm(5ms, 0);
    CHECK_THAT(render_console(calm.judged(50ms), {}), !ContainsSubstring("waiting"));
}

TEST_CASE("what others may explain is not called a regression", "[run][unit]") {
    const auto waits = GENERATE(as<std::chrono::nanoseconds>{}, 0ms, 50ms);
    scripted_run program;
    scripted_usage meter;
    program.usage = &meter;
    program.rest.meanwhile = [&] { meter.wait += waits.count(); };
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
    CHECK_THAT(r.estimate.value().centre, WithinRel(static_cast<double>(works.count()), 1e-12));
    CHECK(r.subjects.at(0).maximum == static_cast<double>((works + (waits > 0 ? 95ms : 0ms)).count()));
}

TEST_CASE("what cold caches after a wait may cost is no violation, and no verdict is explained", "[run][unit]") {
    waiting_run program(6ms, 10);
    const record r = program.judged(5ms);
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.rounds == 0);
    CHECK_FALSE(r.estimate.has_value());
    CHECK_THAT(r.reason, StartsWith("its process waited for a processor in 20 of 20 blocks"));
    waiting_run calm(6ms, 0);
    CHECK(calm.judged(5ms).verdict == verdict::violated);
    waiting_run of_two_threads(5ms, 10, 2);  // that may have waited at the same time
    CHECK(of_two_threads.judged(4500us).verdict == verdict::undecided);
    waiting_run slow_threads(15ms, 10, 2);
    CHECK(slow_threads.judged(5ms).verdict == verdict::violated);
}

TEST_CASE("waiting for a processor speaks for a lower bound of a time, and against none of cpu_time", "[run][unit]") {
    waiting_run always(5ms, 10);
    const subject sort("sort", [&] {
        always.wall.advance(100ms);
        always.meter.wait += std::chrono::nanoseconds(95ms).count();
    });
    CHECK(always.evaluate(latency(sort) > 50ms).verdict == verdict::holds);
    waiting_run slow(5ms, 10);
    const subject busy("busy", [&] {
        slow.wall.advance(5ms);
        slow.cpu.advance(5ms);
        slow.meter.wait += 1'000'000;
    });
    CHECK(slow.evaluate(cpu_time(busy) < 4ms).verdict == verdict::violated);
}

}  // namespace perfspec
