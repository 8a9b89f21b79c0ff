// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include "../stored_program.hpp"

#include <perfspec/explain.hpp>
#include <perfspec/explain/model_queries.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/complexity.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {

using namespace testing;

TEST_CASE("a time far below its bound holds after ten blocks", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 2ms);
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.failed);
    CHECK(r.advice.empty());
    CHECK(r.evidence.rounds == 10);
    CHECK(r.bound == 2e6);
    CHECK(r.unit == dimension::time);
    CHECK(r.query == "latency(sort)");
    CHECK_THAT(r.estimate.value().value, WithinRel(1e6, 1e-12));
    REQUIRE(r.subjects.size() == 1);
    CHECK(r.subjects[0].median == 1e6);
    CHECK(r.subjects[0].samples == 200);  // ten blocks of 20 ms
    CHECK(r.subjects[0].iterations == 1);
    CHECK_THAT(r.evidence.method, StartsWith("medians of blocks spread over the budget"));
}

TEST_CASE("a time above its bound is violated when a fresh process finds the same", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 900us);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.confirming_rounds == 12);
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0], StartsWith("an absolute time varies with the machine"));
}

TEST_CASE("a time at its bound is undecided after twenty blocks", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("sort", {21ms, 23200us})) < 22ms);  // a reading a block
    REQUIRE(r.verdict == verdict::undecided);
    CHECK(r.evidence.rounds == 20);
    CHECK_THAT(r.reason, StartsWith("20 blocks in "));
    CHECK_THAT(r.advice.back(), StartsWith("an absolute time varies with the machine"));
}

TEST_CASE("cpu_time of a body that waits is what it worked", "[run][unit]") {
    scripted_run program;
    const subject waits("waits", [&] {
        program.wall.advance(1ms);
        program.cpu.advance(250us);
    });
    const record r = program.evaluate(cpu_time(waits) < 300us);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().value, WithinRel(250e3, 1e-12));
}

TEST_CASE("a claim with a fixed bound refuses to be judged over processes", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 3ms, {processes(7)});
    CHECK(r.verdict == verdict::error);
    CHECK(r.reason.starts_with("processes(n) has no effect here, because one process measures this"));
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a bound on a body of a few nanoseconds is not violated by what the loop may cost", "[run][unit]") {
    const auto verdict_of = [](std::chrono::nanoseconds takes, auto claim) {
        scripted_run program({confirms(verdict::violated)});
        return program.evaluate(claim(latency(program.takes("x", takes)))).verdict;
    };
    CHECK(verdict_of(4ns, [](const auto& q) { return q < std::chrono::duration<double, std::nano>(1.5); }) ==
          verdict::undecided);
    CHECK(verdict_of(4ns, [](const auto& q) { return q < std::chrono::duration<double, std::nano>(0.5); }) ==
          verdict::violated);
    CHECK(verdict_of(6ns, [](const auto& q) { return q < 5ns; }) == verdict::violated);
    CHECK(verdict_of(3ns, [](const auto& q) { return q > 4ns; }) == verdict::violated);
    CHECK(verdict_of(3ns, [](const auto& q) { return q < 4ns; }) == verdict::holds);
}

TEST_CASE("throughput is work a second", "[run][unit]") {
    scripted_run program;
    const auto parser = program.takes("parser", 1ms).bytes(2e6);
    const record r = program.evaluate(throughput(parser, bytes) > 1.5_GBps);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().value, WithinRel(2e9, 1e-12));
    CHECK(r.unit == dimension::byte_rate);
    CHECK(program.evaluate(throughput(parser, bytes) > 2.5_GBps, {confirm::off}).verdict == verdict::violated);
}

TEST_CASE("throughput counts every call: a tenth of slow ones bounds it", "[run][unit]") {
    scripted_run program;
    std::vector<std::chrono::nanoseconds> calls(9, std::chrono::microseconds(200));
    calls.push_back(std::chrono::microseconds(8200));  // 1 ms on average
    const subject uneven = program.takes("uneven", calls).items(1);
    const record r = program.evaluate(throughput(uneven) > items_per_second(2000), {confirm::off});
    CHECK(r.verdict == verdict::violated);
    CHECK_THAT(r.estimate.value().value, WithinRel(1000.0, 0.02));
    CHECK(program.evaluate(latency(uneven) < 250us).verdict == verdict::holds);  // the median
}

TEST_CASE("throughput of what declares no such work is an error, and says what to declare", "[run][unit]") {
    scripted_run program;
    const auto parser = program.takes("parser", 1ms).items(10);
    CHECK_RECORDED(program.error(throughput(parser, bytes) > 1_MBps));
    CHECK(program.evaluate(throughput(parser, flops) > 1_GFLOP_per_s).verdict == verdict::error);
    CHECK(program.evaluate(throughput(parser) > items_per_second(1)).verdict == verdict::holds);
    CHECK(program.evaluate(throughput(program.takes("of bytes", 1ms).bytes(10)) > items_per_second(1)).verdict ==
          verdict::error);
}

TEST_CASE("throughput of what declares no work at all counts calls", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(throughput(program.takes("call", 1ms)) > items_per_second(900));
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().value, WithinRel(1000.0, 1e-3));
}

TEST_CASE("a body too slow for the cap is an error, and says so before it has cost the cap", "[run][unit]") {
    scripted_run program;
    CHECK_RECORDED(program.error(latency(program.takes("glacier", 20s)) < 1s, {cap(60s)}));
    CHECK(program.bodies_run <= 3);
}

TEST_CASE("PERF_MEASURE measures without judging", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency(program.takes("sort", 1ms)), {}, {.effect = effect::measure});
    CHECK(r.verdict == verdict::measured);
    CHECK_FALSE(r.failed);
    CHECK_FALSE(r.bound.has_value());
    CHECK(r.comparison.empty());
    CHECK(r.estimate.value().value == 1e6);
    CHECK(r.evidence.rounds > 0);
    const record ratio = program.evaluate(speedup(program.takes("a", 200us), program.takes("b", 100us)), {},
                                          {.effect = effect::measure});
    CHECK_THAT(ratio.estimate.value().value, WithinRel(2.0, 1e-12));
    CHECK(ratio.evidence.rounds == 30);
}

namespace {

constexpr double as_given = 1.0;

/// A program whose body takes 100 us x (n / 1000)^power, times a factor of its size.
struct growing_program : scripted_run {
    using scripted_run::scripted_run;

    [[nodiscard]] query<dimension::power> grows(
        double power, double (*factor)(double n) = [](double) { return as_given; }) {
        return complexity(
            setup([](std::size_t n) { return n; }),
            [this, power, factor](std::size_t& n) {
                const auto size = static_cast<double>(n);
                work(std::chrono::nanoseconds(std::llround(1e5 * std::pow(size / 1000.0, power) * factor(size))));
            },
            {1000, 2000, 4000, 8000, 16000});
    }
};

}  // namespace

TEST_CASE("a body that grows as claimed holds after ten blocks", "[run][unit]") {
    growing_program program;
    const record r = program.evaluate(program.grows(1.0) <= order::power(1), {}, {.line = 42});
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 10);
    CHECK(r.unit == dimension::power);
    CHECK(r.query == "complexity(sort_test.cpp:42)");
    CHECK_THAT(r.estimate.value().value, WithinAbs(1.0, 1e-3));
    CHECK_THAT(r.bound.value(), WithinAbs(1.15, 1e-12));
    CHECK_THAT(r.bound_text, StartsWith("1.000 and a tolerance of 0.1500"));
    REQUIRE(r.subjects.size() == 5);
    CHECK(r.subjects[0].subject == "n=1000");
    CHECK(r.subjects[4].samples == 40);  // four a block
    CHECK_THAT(r.subjects[4].median, WithinAbs(1.6e6, 1.0));
}

TEST_CASE("a body that grows by a power too much is violated", "[run][unit]") {
    growing_program program({confirms(verdict::violated)});
    const record r = program.evaluate(program.grows(1.5) <= order::power(1));
    CHECK(r.verdict == verdict::violated);
    CHECK_THAT(r.estimate.value().value, WithinAbs(1.5, 1e-3));
    CHECK(r.evidence.confirming_rounds == 12);
    CHECK_THAT(r.advice.back(), EndsWith("sizes that stop fitting into a cache add to it"));
    CHECK(program.evaluate(program.grows(2.0) <= order::power(1), {key("quadratic"), confirm::off}).advice.empty());
}

TEST_CASE("a factor of the logarithm passes, in both directions a wrong power does not", "[run][unit]") {
    growing_program program({confirms(verdict::violated)});
    CHECK(program.evaluate(program.grows(1.0, [](double n) { return std::log2(n); }) <= order::power(1)).verdict ==
          verdict::holds);
    CHECK(program.evaluate(program.grows(2.0) >= order::power(2), {key("quadratic")}).verdict == verdict::holds);
    CHECK(program.evaluate(program.grows(1.0) >= order::power(2), {key("linear")}).verdict == verdict::violated);
}

TEST_CASE("a complexity is recorded without a bound", "[run][unit]") {
    growing_program program;
    const record r = program.evaluate(program.grows(2.0), {}, {.effect = effect::measure, .line = 42});
    CHECK(r.verdict == verdict::measured);
    CHECK_THAT(r.estimate.value().value, WithinAbs(2.0, 1e-3));
    CHECK_THAT(r.evidence.method, ContainsSubstring("least-squares slope"));
    CHECK(r.query == "complexity(sort_test.cpp:42)");
}

TEST_CASE("a complexity around its bound is undecided, and says what tells more", "[run][unit]") {
    growing_program program;
    const record r = program.evaluate(program.grows(1.0, [](double n) {
        static int calls = 0;
        return n > 15000 && ++calls / 4 % 2 == 0 ? 3.0 : as_given;
    }) <= order::power(1));
    CHECK(r.verdict == verdict::undecided);
    CHECK_THAT(r.reason, StartsWith("20 blocks in ") && ContainsSubstring(" do not show whether"));
    CHECK_THAT(r.advice.back(), StartsWith("use larger sizes"));
}

TEST_CASE("a complexity that takes too long is an error", "[run][unit]") {
    growing_program program;
    CHECK_RECORDED(program.error(program.grows(2.0) <= order::power(2), {cap(std::chrono::milliseconds(300))}));
}

TEST_CASE("a complexity needs three different sizes, far apart", "[run][unit]") {
    const auto with = [](std::initializer_list<std::size_t> sizes) {
        return complexity(
            setup([](std::size_t n) { return n; }), [](std::size_t&) {}, sizes);
    };
    CHECK_THROWS_RECORDED(input_error, with({1000, 1000, 8000}));
    CHECK_THROWS_AS(with({0, 10, 80}), input_error);
    CHECK_THROWS_AS(with({10, 20, 79}), input_error);
    CHECK_NOTHROW(with({10, 20, 80}));
}

namespace {

/// A subject that was compiled, and counts its calls.
subject compiled(scripted_run& program, const char* name, std::chrono::nanoseconds took, std::chrono::nanoseconds call,
                 int* calls = nullptr) {
    subject made(name, [&program, call, calls] {
        program.work(call);
        if (calls != nullptr) ++*calls;
    });
    model_of(made).compile_ns = static_cast<double>(took.count());
    return made;
}

/// The value of a part of the record; none if it has none.
std::optional<estimate> part_of(const record& r, std::string_view name) {
    for (const part_value& p : r.parts)
        if (p.part == name) return p.value;
    return {};
}

const std::vector<option> once{confirm::off};

}  // namespace

TEST_CASE("compile_time is compared as it is, and no body runs", "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const subject model = compiled(program, "model", 20s, 1ms, &calls);
    const record holds = program.evaluate(compile_time(model) < 21s);
    CHECK(holds.verdict == verdict::holds);
    CHECK(holds.estimate->value == 20e9);
    CHECK(holds.evidence.exact);
    CHECK(program.evaluate(compile_time(model) <= 20s).verdict == verdict::holds);
    CHECK(program.evaluate(compile_time(model) < 20s).verdict == verdict::violated);
    CHECK(program.evaluate(compile_time(model) == within(19s, 10_pct)).verdict == verdict::holds);
    CHECK(program.evaluate(compile_time(model) == within(17s, 10_pct)).verdict == verdict::violated);
    const record recorded = program.evaluate(compile_time(model));
    CHECK(recorded.estimate->value == 20e9);
    CHECK(calls == 0);
}

TEST_CASE("two compilations are compared", "[run][unit]") {
    scripted_run program;
    const subject quick = compiled(program, "quick", 10s, 1ms), tuned = compiled(program, "tuned", 30s, 1ms);
    CHECK(program.evaluate(compile_time(tuned) < 4 * compile_time(quick)).verdict == verdict::holds);
    const record r = program.evaluate(compile_time(tuned) < 2 * compile_time(quick));
    CHECK(r.verdict == verdict::violated);
    CHECK(r.bound == 20e9);
}

TEST_CASE("compile_time is compared with a stored one", "[run][unit]") {
    for (const auto& [took, expected] : {std::pair{20s, verdict::holds}, std::pair{30s, verdict::violated}}) {
        const double ns = 1e9 * static_cast<double>(took.count());
        stored_program program([ns](const child_command&) { return process_of(ns); });
        const auto claim = compile_time(compiled(program, "model", took, 1ms)) < 1.2 * baseline();
        scripted_run dry;
        dry.variables["PERFSPEC_MODE"] = "dry-run";
        program.store(dry.evaluate(claim).key, std::vector<double>(10, 20e9));
        const record r = program.evaluate(claim, once);
        INFO(r.reason);
        CHECK(r.verdict == expected);
        CHECK(r.baseline->action == baseline_action::compared);
    }
}

TEST_CASE("compile_time is skipped where nothing says it, and after a warm compiler cache", "[run][unit]") {
    scripted_run program;
    CHECK_RECORDED(program.skipped(compile_time(program.takes("eager", 1ms)) < 1h));
    const subject damaged = program.takes("damaged", 1ms);
    model_of(damaged).compile_fault = "model.pt2.json:1: \"compile_seconds\" is -1";
    CHECK_RECORDED(program.skipped(compile_time(damaged) < 1h));
    const subject model = compiled(program, "model", 2s, 1ms);
    subject warm = model;
    model_of(warm).compiled_from_cache = true;
    CHECK_THAT(program.skipped(compile_time(warm) < 1h), ContainsSubstring("export.py --cold"));
}

TEST_CASE("a speedup says after how many calls compiling has paid", "[run][unit]") {
    scripted_run program;
    const subject eager = program.takes("eager", 2ms), model = compiled(program, "model", 10s, 1ms);
    const record r = program.evaluate(speedup(eager, model) > 1.5);
    REQUIRE(r.verdict == verdict::holds);
    CHECK(part_of(r, "compiled before, in")->value == 10e9);
    CHECK_THAT(part_of(r, "calls until compiling has paid")->value,
               WithinRel(1e4, 1e-3));  // 10 s, and a millisecond less a call
}

TEST_CASE("compiling that does not pay has no number of calls", "[run][unit]") {
    scripted_run program;
    const subject eager = program.takes("eager", 1ms), model = compiled(program, "model", 10s, 2ms);
    const record slower = program.evaluate(speedup(eager, model) > 0.4);
    CHECK(part_of(slower, "compiled before, in"));
    CHECK_FALSE(part_of(slower, "calls until compiling has paid"));
    CHECK(program.evaluate(speedup(compiled(program, "first", 1s, 4ms), model) > 1.5)
              .parts.empty());  // both were compiled
    CHECK(program.evaluate(latency(model) < 0.6 * latency(program.takes("slow", 4ms))).parts.empty());  // no speedup
}

}  // namespace perfspec
