// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Claims on the time of compiling, and what a speedup says of it.
#include "../stored_program.hpp"

#include <perfspec/language/operator_counts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;

/// A subject that was compiled, and counts its calls.
subject compiled(scripted_run& program, const char* name, std::chrono::nanoseconds took, std::chrono::nanoseconds call,
                 int* calls = nullptr) {
    subject made(name, [&program, call, calls] {
        program.work(call);
        if (calls != nullptr) ++*calls;
    });
    made.state().compile_ns = static_cast<double>(took.count());
    return made;
}

/// The value of a part of the record; nothing where it has none.
std::optional<estimate> part_of(const record& r, std::string_view name) {
    for (const part_value& p : r.parts)
        if (p.part == name) return p.value;
    return {};
}

const std::vector<option> once{confirm(off)};

}  // namespace

TEST_CASE("compile_time is compared as it is, and no body runs", "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const subject model = compiled(program, "model", 20s, 1ms, &calls);
    const record holds = program.evaluate(compile_time(model) < 21s);
    CHECK(holds.verdict == verdict::holds);
    CHECK(holds.estimate->centre == 20e9);
    CHECK(holds.evidence.exact);
    CHECK(program.evaluate(compile_time(model) <= 20s).verdict == verdict::holds);
    CHECK(program.evaluate(compile_time(model) < 20s).verdict == verdict::violated);
    CHECK(program.evaluate(compile_time(model) == within(19s, 10_pct)).verdict == verdict::holds);
    CHECK(program.evaluate(compile_time(model) == within(17s, 10_pct)).verdict == verdict::violated);
    const record recorded = program.evaluate(compile_time(model));
    CHECK(recorded.estimate->centre == 20e9);
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
        stored_program program([ns](const child_command&) { return launch_of(ns); });
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

TEST_CASE("compile_time is not judged where nothing says it, and after a warm compiler cache", "[run][unit]") {
    scripted_run program;
    CHECK_THAT(program.not_judged(compile_time(program.takes("eager", 1ms)) < 1h),
               ContainsSubstring("nothing says how long compiling \"eager\" took"));
    const subject damaged = program.takes("damaged", 1ms);
    damaged.state().compile_fault = "model.pt2.json:1: \"compile_seconds\" is -1";
    CHECK(program.not_judged(compile_time(damaged) < 1h) ==
          "how long compiling \"damaged\" took cannot be used: model.pt2.json:1: \"compile_seconds\" is -1");
    const subject model = compiled(program, "model", 2s, 1ms);
    subject warm = model;
    warm.state().compiled_from_cache = true;
    CHECK_THAT(program.not_judged(compile_time(warm) < 1h), ContainsSubstring("export.py --cold"));
}

TEST_CASE("a speedup says after how many calls compiling has paid", "[run][unit]") {
    scripted_run program;
    const subject eager = program.takes("eager", 2ms), model = compiled(program, "model", 10s, 1ms);
    const record r = program.evaluate(speedup(eager, model) > 1.5);
    REQUIRE(r.verdict == verdict::holds);
    CHECK(part_of(r, "compiled before, in")->centre == 10e9);
    CHECK_THAT(part_of(r, "calls until compiling has paid")->centre,
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
