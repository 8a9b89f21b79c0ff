// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Every form of a bound: both operand orders, units by literal and by function, baselines, other queries.
#include "../stored_program.hpp"

#include <perfspec/language/complexity.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/captured_stream.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// Bodies of 1 and 2 ms, and their verdicts without a fresh process.
struct bounded_program : scripted_run {
    subject fast = takes("fast", 1ms).items(1000).bytes(1e6).flops(1e6);
    subject slow = takes("slow", 2ms).items(1000).bytes(1e6).flops(1e6);
    subject few = counts_in_calls("few", detail::metrics::allocations, {10});
    subject many = counts_in_calls("many", detail::metrics::allocations, {20});

    [[nodiscard]] subject reports(const char* name, double value) {
        return {name, [this, value] {
                    work(1ms);
                    return value;
                }};
    }
    bool holds(const claim& c) { return is(c, verdict::holds); }
    bool violated(const claim& c) { return is(c, verdict::violated); }

private:
    bool is(const claim& c, verdict expected) {
        const record r = evaluate(c, {confirm::off});
        UNSCOPED_INFO(r.query << " is " << to_string(r.verdict) << ": " << r.reason);
        return r.verdict == expected;
    }
};

/// A program with processes of 1 ms, and ten like them stored.
struct baseline_program : stored_program {
    baseline_program() : stored_program(processes_of(1e6, 4)) { store(key(), about(1e6, 10)); }

    [[nodiscard]] verdict judge(const claim& c) { return evaluate(c).verdict; }
};

template <class Made> verdict against_baseline(Made made) {
    baseline_program program;
    return program.judge(made(program.sort));
}

}  // namespace

namespace {

/// Two bodies of 1 ms and processes of 1, so that each value is at its bound.
struct even_program : stored_program {
    even_program() : stored_program({process_of(1e6)}) { store(key(), std::vector(10, 1e6)); }

    subject a = takes("a", 1ms), b = takes("b", 1ms);

    [[nodiscard]] auto growing() {
        return complexity(setup([](std::size_t n) { return n; }),
                          [this](std::size_t& n) { work(std::chrono::microseconds(n)); }, {1000, 4000, 16000});
    }
};

}  // namespace

TEST_CASE("what is at its bound is undecided for a strict claim, by every procedure", "[run][unit]") {
    using p = even_program;
    struct kind {
        const char* name;
        claim (*strict)(p&);
        claim (*other)(p&);
    };
    const auto k = GENERATE(values<kind>({
        {"pairs", [](p& x) -> claim { return speedup(x.a, x.b) > 1; },
         [](p& x) -> claim { return speedup(x.a, x.b) >= 1; }},
        {"percentiles", [](p& x) -> claim { return percentile(latency(x.a), 50) < 1 * percentile(latency(x.b), 50); },
         [](p& x) -> claim { return percentile(latency(x.a), 50) <= 1 * percentile(latency(x.b), 50); }},
        {"blocks", [](p& x) -> claim { return latency(x.a) < 1ms; }, [](p& x) -> claim { return latency(x.a) <= 1ms; }},
        {"complexity", [](p& x) -> claim { return x.growing() < order::power(1); },
         [](p& x) -> claim { return x.growing() <= order::power(1); }},
        {"processes", [](p& x) -> claim { return first_call(x.a) < 1ms; },
         [](p& x) -> claim { return first_call(x.a) <= 1ms; }},
        {"stored processes", [](p& x) -> claim { return latency(x.sort) < baseline(); },
         [](p& x) -> claim { return latency(x.sort) <= baseline(); }},
    }));
    CAPTURE(k.name);
    even_program program;
    const record strict = program.evaluate(k.strict(program));
    CHECK(strict.verdict == verdict::undecided);
    CHECK(strict.margin == 0.0);
    const record other = program.evaluate(k.other(program));
    CHECK(other.verdict == verdict::holds);
    CHECK(other.margin == 0.005);
}

TEST_CASE("a value bounds from either side of a comparison", "[run][unit]") {
    bounded_program p;
    CHECK(p.holds(latency(p.fast) < 1.1ms));
    CHECK(p.holds(latency(p.fast) <= 1.1ms));
    CHECK(p.holds(latency(p.fast) > 0.9ms));
    CHECK(p.holds(latency(p.fast) >= 900us));
    CHECK(p.holds(1.1ms > latency(p.fast)));
    CHECK(p.holds(1.1ms >= latency(p.fast)));
    CHECK(p.holds(0.9ms < latency(p.fast)));
    CHECK(p.holds(0.9ms <= latency(p.fast)));
    CHECK(p.violated(latency(p.fast) < 900us));
    CHECK(p.violated(1.1ms < latency(p.fast)));
    CHECK(p.violated(1.1ms <= cpu_time(p.fast)));
    CHECK(p.holds(within(1ms, 5_pct) == cpu_time(p.fast)));
}

TEST_CASE("a unit is a literal or a function", "[run][unit]") {
    bounded_program p;
    CHECK(p.holds(throughput(p.fast) > items_per_second(0.9e6)));
    CHECK(p.violated(throughput(p.fast) > items_per_second(1.1e6)));
    CHECK(p.holds(throughput(p.fast, bytes) > 0.9_GBps));
    CHECK(p.holds(GBps(0.9) < throughput(p.fast, bytes)));
    CHECK(p.holds(throughput(p.fast, bytes) < bytes_per_second(1.1e9)));
    CHECK(p.holds(throughput(p.fast, flops) > GFLOP_per_s(0.9)));
    CHECK(p.violated(flops_per_second(1.1e9) < throughput(p.fast, flops)));
    CHECK(p.holds(speedup(p.slow, p.fast) == within(2, pct(5))));
}

TEST_CASE("bytes are compared in every unit", "[run][unit]") {
    scripted_run p(processes_of(3e6, 6 * 7));
    const auto x = p.takes("x", 1ms);
    CHECK(p.evaluate(peak_memory(x) < MiB(3)).verdict == verdict::holds);
    CHECK(p.evaluate(3_MiB > peak_memory(x)).verdict == verdict::holds);
    CHECK(p.evaluate(peak_memory(x) < KiB(4096)).verdict == verdict::holds);
    CHECK(p.evaluate(peak_memory(x) > 2.5_MB).verdict == verdict::holds);
    CHECK(p.evaluate(peak_memory(x) < kB(3500)).verdict == verdict::holds);
    CHECK(p.evaluate(peak_memory(x) < GiB(1)).verdict == verdict::holds);
    CHECK(p.launcher.commands().size() == 5 * 7 + 3);  // 1 GiB is far away
}

TEST_CASE("another query of the same metric bounds, scaled from either side", "[run][unit]") {
    bounded_program p;
    CHECK(p.holds(latency(p.fast) < latency(p.slow)));
    CHECK(p.holds(latency(p.slow) >= latency(p.fast)));
    CHECK(p.holds(latency(p.fast) < 0.6 * latency(p.slow)));
    CHECK(p.holds(latency(p.fast) <= latency(p.slow) * 0.6));
    CHECK(p.holds(0.6 * latency(p.slow) > latency(p.fast)));
    CHECK(p.violated(latency(p.slow) * 0.4 >= latency(p.fast)));
    CHECK(p.holds(cpu_time(p.slow) == within(2 * cpu_time(p.fast), 5_pct)));
    CHECK(p.holds(throughput(p.fast) > 1.9 * throughput(p.slow)));
    CHECK(p.violated(2.1 * throughput(p.slow, bytes) < throughput(p.fast, bytes)));
    CHECK(p.holds(throughput(p.fast) == within(2 * throughput(p.slow), 5_pct)));
    CHECK(p.holds(allocations(p.few) <= 0.5 * allocations(p.many)));
    CHECK(p.holds(allocations(p.many) == 2 * allocations(p.few)));
    CHECK(p.violated(allocations(p.many) * 0.4 >= allocations(p.few)));
}

TEST_CASE("a baseline bounds as it is, scaled, and shifted, from either side", "[run][unit]") {
    using S = const subject&;
    CHECK(against_baseline([](S x) { return latency(x) < 1.05 * baseline(); }) == verdict::holds);
    CHECK(against_baseline([](S x) { return latency(x) < baseline() * 1.05; }) == verdict::holds);
    CHECK(against_baseline([](S x) { return latency(x) <= baseline() + 5_pct; }) == verdict::holds);
    CHECK(against_baseline([](S x) { return latency(x) < baseline() + pct(5); }) == verdict::holds);
    CHECK(against_baseline([](S x) { return latency(x) < baseline() + 50us; }) == verdict::holds);
    CHECK(against_baseline([](S x) { return latency(x) > 0.9 * baseline(); }) == verdict::holds);
    CHECK(against_baseline([](S x) { return latency(x) >= baseline() - 5_pct; }) == verdict::holds);
    CHECK(against_baseline([](S x) { return latency(x) > baseline() - 50us; }) == verdict::holds);
    CHECK(against_baseline([](S x) { return 1.05 * baseline() > latency(x); }) == verdict::holds);
    CHECK(against_baseline([](S x) { return baseline() + 50us >= latency(x); }) == verdict::holds);
    CHECK(against_baseline([](S x) { return 0.9 * baseline() < latency(x); }) == verdict::holds);
    CHECK(against_baseline([](S x) { return baseline() - 50us <= latency(x); }) == verdict::holds);
    CHECK(against_baseline([](S x) { return within(baseline(), 5_pct) == latency(x); }) == verdict::holds);
    CHECK(against_baseline([](S x) { return latency(x) < 0.8 * baseline(); }) == verdict::violated);
    CHECK(against_baseline([](S x) { return latency(x) < baseline() - 150us; }) == verdict::violated);
    CHECK(against_baseline([](S x) { return latency(x) > 1.2 * baseline(); }) == verdict::violated);
    CHECK(against_baseline([](S x) { return baseline() + 150us <= latency(x); }) == verdict::violated);
    CHECK(against_baseline([](S x) { return baseline() - 15_pct > latency(x); }) == verdict::violated);
}

TEST_CASE("a metric of one's own is bounded in either direction, whichever is better", "[run][unit]") {
    for (const better direction : {more_is_better, less_is_better}) {
        bounded_program p;
        const auto value = [&](const char* name, double v) {
            return metric("tokens/s", direction, p.reports(name, v));
        };
        CHECK(p.holds(value("a", 40) > 38));
        CHECK(p.holds(value("b", 40) < 42.0));
        CHECK(p.holds(38 <= value("c", 40)));
        CHECK(p.violated(42 <= value("d", 40)));
        CHECK(p.violated(value("e", 40) < 38));
        CHECK(p.holds(value("f", 40) > 1.9 * value("g", 20)));
        CHECK(p.violated(0.9 * value("h", 40) > value("i", 40)));
        CHECK(p.holds(value("j", 40) == within(41, 2)));
    }
}

TEST_CASE("a baseline of a metric of one's own has its direction", "[run][unit]") {
    stored_program p(processes_of(40, 8));
    const subject sort("sort", [] { return 40.0; });
    p.store("sorting / metric(tokens/s, sort)", about(40, 10), "tokens/s");
    CHECK(p.evaluate(metric("tokens/s", more_is_better, sort) > 0.95 * baseline()).verdict == verdict::holds);
    CHECK(p.evaluate(metric("tokens/s", more_is_better, sort) > 1.1 * baseline()).verdict == verdict::violated);
    const record other = p.evaluate(metric("tokens/s", less_is_better, sort) < 1.05 * baseline());
    CHECK(other.verdict == verdict::error);  // recorded where more was better
}

TEST_CASE("regression bounds a claim on a baseline in place of its own factor", "[run][unit]") {
    const auto [regression, value, judged, factor] = GENERATE(table<const char*, double, verdict, double>({
        {"auto", 1.3e6, verdict::violated, 1.05},
        {"50%", 1.3e6, verdict::holds, 1.5},
        {"50%", 1.9e6, verdict::violated, 1.5},
        {"0%", 1.3e6, verdict::violated, 1.05},
    }));
    stored_program program(processes_of(value, 5));
    program.variables["PERFSPEC_ALLOW_REGRESSION"] = regression;
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CAPTURE(regression, value);
    CHECK(r.verdict == judged);
    CHECK_THAT(r.bound.value(), WithinRel(factor * 1.002e6, 1e-12));
    CHECK((r.bound_text.find("1.002 ms (--perf-allow-regression), ") != std::string::npos) ==
          (std::string(regression) != "auto"));
}

TEST_CASE("regression divides where more is better", "[run][unit]") {
    stored_program program(processes_of(0.7e6, 5));
    program.variables["PERFSPEC_ALLOW_REGRESSION"] = "100%";
    const subject items = subject("items", [] {}).items(1000);
    program.store("sorting / throughput(items)", about(1e6, 10), "items/s");
    const record more = program.evaluate(throughput(items) > 0.95 * baseline());
    CHECK(more.verdict == verdict::holds);
    CHECK_THAT(more.bound.value(), WithinRel(0.5 * 1.002e6, 1e-12));
}

TEST_CASE("regression tightens no bound: a wider factor stays, and an offset that widens", "[run][unit]") {
    const auto bound_of = [](auto claim) {
        stored_program program(processes_of(0.7e6, 5));
        program.variables["PERFSPEC_ALLOW_REGRESSION"] = "100%";
        program.store(stored_program::key(), about(1e6, 10));
        return program.evaluate(claim(program.sort)).bound.value();
    };
    CHECK_THAT(bound_of([](const subject& x) { return latency(x) < 4.0 * baseline(); }),
               WithinRel(4.0 * 1.002e6, 1e-12));
    CHECK_THAT(bound_of([](const subject& x) { return latency(x) < baseline() + std::chrono::milliseconds(2); }),
               WithinRel(2.0 * 1.002e6 + 2e6, 1e-12));
    CHECK_THAT(bound_of([](const subject& x) { return latency(x) < baseline() - std::chrono::microseconds(2); }),
               WithinRel(2.0 * 1.002e6, 1e-12));
}

TEST_CASE("regression leaves bounds that are no baseline, and tolerances, as they are written", "[run][unit]") {
    stored_program program(processes_of(1.3e6, 20));
    program.variables["PERFSPEC_ALLOW_REGRESSION"] = "50%";
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) == within(baseline(), 5_pct)).verdict == verdict::violated);
    scripted_run fixed;
    fixed.variables["PERFSPEC_ALLOW_REGRESSION"] = "50%";
    const subject fast = fixed.takes("fast", std::chrono::milliseconds(1));
    const subject slow = fixed.takes("slow", std::chrono::milliseconds(2));
    const record r = fixed.evaluate(speedup(fast, slow) > 0.95, {confirm::off});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.bound.value() == 0.95);
}

TEST_CASE("a run that allows a regression says so", "[run][unit]") {
    captured_stream console;
    stored_program program(processes_of(1.3e6, 5));
    program.console = console.file();
    program.variables["PERFSPEC_ALLOW_REGRESSION"] = "50%";
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::holds);
    CHECK_RECORDED(console.text());
}

}  // namespace perfspec
