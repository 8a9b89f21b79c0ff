// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_run.hpp"

#include <perfspec/language/layers.hpp>
#include <perfspec/language/subject_state.hpp>

#include <support/scripted_operators.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;

const written recorded{.effect = effect::record};

/// Two additions and a product in each call, 1 ms.
subject arithmetic(scripted_run& program, scripted_operators& recorder) {
    return {"arithmetic", [&] {
                recorder.run("add", 100'000);
                recorder.run("mul", 400'000);
                recorder.run("add", 100'000);
                program.work(1ms);
            }};
}

}  // namespace

TEST_CASE("profile is a table of operators by their self times", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    program.counts.recorder = &recorder;
    const record r = program.evaluate(profile(arithmetic(program, recorder)), {}, recorded);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "profile(arithmetic)");
    CHECK(r.evidence.rounds == 10);
    REQUIRE(r.parts.size() == 8);
    const auto is = [&](std::size_t i, const char* part, const char* method, double value) {
        return r.parts[i].part == part && r.parts[i].method == method && r.parts[i].value.median == value;
    };
    CHECK(is(0, "mul", "self", 400'000));
    CHECK(is(1, "mul", "total", 400'000));
    CHECK(is(2, "mul", "calls", 1));
    CHECK(r.parts[2].unit == dimension::count);
    CHECK(is(3, "add", "self", 200'000));
    CHECK(is(5, "add", "calls", 2));
    CHECK(is(6, "sum", "self", 600'000));
    CHECK(r.parts[7].part == "end to end");
    CHECK(program.bodies_run == 22);  // a plain and a recorded one before ten rounds of both
    const subject again = arithmetic(program, recorder);
    CHECK(program.evaluate(profile(again), {rounds(12), key("twelve")}, recorded).evidence.rounds == 12);
}

TEST_CASE("op_count compares what an iteration runs exactly", "[run][unit]") {
    scripted_run program;
    const subject x = program.counts_in_calls("x", metric_kind::op_count, {12});
    const record r = program.evaluate(op_count(x) == 12);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "op_count(x)");
    CHECK(r.evidence.exact);
    CHECK(r.hardware_key.starts_with("any-"));
    CHECK(program.evaluate(op_count(x) <= 11, {confirm(off)}).verdict == verdict::violated);
}

TEST_CASE("op_count and profile are invalid where nobody records", "[run][unit]") {
    scripted_run program;
    program.counts.of(metric_kind::op_count).fault = "nothing in this program records operators";
    const subject x = program.takes("x", 1ms);
    const record count = program.evaluate(op_count(x) == 12);
    CHECK(count.verdict == verdict::invalid);
    CHECK_THAT(count.reason, ContainsSubstring("records operators"));
    const record table = program.evaluate(profile(x), {}, recorded);
    CHECK(table.verdict == verdict::invalid);
    CHECK_THAT(table.reason, ContainsSubstring("records operators"));
}

TEST_CASE("op_count and profile are not judged of a subject whose operators are hidden", "[run][unit]") {
    scripted_run program;
    const subject x = program.takes("x", 1ms);
    x.state().hidden_operators = "a package hides its kernels";
    const record count = program.evaluate(op_count(x) == 12);
    CHECK(count.verdict == verdict::not_judged);
    CHECK(count.reason == "a package hides its kernels");
    CHECK(program.evaluate(op_count(program.takes("y", 1ms)) <= op_count(x)).verdict == verdict::not_judged);
    CHECK(program.evaluate(profile(x), {}, recorded).verdict == verdict::not_judged);
}

}  // namespace perfspec
