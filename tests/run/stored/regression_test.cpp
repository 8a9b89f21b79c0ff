// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The option `regression`, which takes the place of a claim's own bound on a baseline.
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <support/captured_stream.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <string>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinRel;

}  // namespace

TEST_CASE("regression bounds a claim on a baseline in place of its own factor", "[run][unit]") {
    struct row {
        const char* regression;
        double value;
        verdict judged;
        double factor;
    };
    const auto given = GENERATE(values<row>({
        {"auto", 1.3e6, verdict::violated, 1.05},
        {"50%", 1.3e6, verdict::holds, 1.5},
        {"50%", 1.9e6, verdict::violated, 1.5},
        {"0%", 1.3e6, verdict::violated, 1.05},
    }));
    stored_program program(launches_of(given.value, 5));
    program.variables["PERFSPEC_REGRESSION"] = given.regression;
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CAPTURE(given.regression, given.value);
    CHECK(r.verdict == given.judged);
    CHECK_THAT(r.bound.value(), WithinRel(given.factor * 1.002e6, 1e-12));
    CHECK((r.bound_text.find("1.002 ms (--perf-regression), ") != std::string::npos) ==
          (std::string(given.regression) != "auto"));
}

TEST_CASE("regression divides where more is better", "[run][unit]") {
    stored_program program(launches_of(0.7e6, 5));
    program.variables["PERFSPEC_REGRESSION"] = "100%";
    const subject items = subject("items", [] {}).items(1000);
    program.store("sorting / throughput(items)", about(1e6, 10), "items/s");
    const record more = program.evaluate(throughput(items) > 0.95 * baseline());
    CHECK(more.verdict == verdict::holds);
    CHECK_THAT(more.bound.value(), WithinRel(0.5 * 1.002e6, 1e-12));
}

TEST_CASE("regression tightens no bound: a wider factor stays, and an offset that widens", "[run][unit]") {
    const auto bound_of = [](auto claim) {
        stored_program program(launches_of(0.7e6, 5));
        program.variables["PERFSPEC_REGRESSION"] = "100%";
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
    stored_program program(launches_of(1.3e6, 20));
    program.variables["PERFSPEC_REGRESSION"] = "50%";
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) == within(baseline(), 5_pct)).verdict == verdict::violated);
    scripted_run fixed;
    fixed.variables["PERFSPEC_REGRESSION"] = "50%";
    const subject fast = fixed.takes("fast", std::chrono::milliseconds(1));
    const subject slow = fixed.takes("slow", std::chrono::milliseconds(2));
    const record r = fixed.evaluate(speedup(fast, slow) > 0.95, {confirm(off)});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.bound.value() == 0.95);
}

TEST_CASE("a run that allows a regression says so", "[run][unit]") {
    captured_stream console;
    stored_program program(launches_of(1.3e6, 5));
    program.console = console.file();
    program.variables["PERFSPEC_REGRESSION"] = "50%";
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::holds);
    CHECK_THAT(
        console.text(),
        StartsWith(
            "perfspec: claims on baseline() allow at least a regression of 50 % in this run (--perf-regression), "
            "whatever they say\n"));
}

}  // namespace perfspec
