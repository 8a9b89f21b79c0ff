// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "run/scripted_run.hpp"

#include <perfspec/explain/explain.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <support/scripted_operators.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>
#include <string>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;

const std::string folder = "/project/traces/sort_test/sorting/";

/// A program that LibTorch's operators are recorded in, with trace=traces.
struct traced_run : scripted_run {
    scripted_operators recorder;

    traced_run() {
        detail::explain();
        counts.recorder = &recorder;
        variables["PERFSPEC_TRACE"] = "traces";
    }
    [[nodiscard]] subject calls(const char* name, const char* operation) {
        return {name, [this, operation] {
                    recorder.run(operation, 500'000);
                    work(1ms);
                }};
    }
    [[nodiscard]] std::string text(const std::string& path) const { return files.read(path, 10'000).text; }
};

const std::vector<option> once{confirm(off)};

}  // namespace

TEST_CASE("a violated claim leaves a trace and a table of each of its subjects, and says where", "[run][unit]") {
    traced_run program;
    const record r =
        program.evaluate(latency(program.calls("slow", "mul")) < 0.5 * latency(program.calls("fast", "add")), once);
    REQUIRE(r.verdict == verdict::violated);
    CHECK(
        r.advice.back().ends_with("for ui.perfetto.dev: " + folder + "latency%28slow%29%20%2F%20latency%28fast%29/1"));
    const std::string of_claim = folder + "latency%28slow%29%20%2F%20latency%28fast%29/1/";
    CHECK_THAT(program.text(of_claim + "slow.trace.json"),
               ContainsSubstring(R"({"name":"mul","ph":"X","ts":0.000,"dur":500.000,)"));
    CHECK_THAT(program.text(of_claim + "fast.operators.txt"), ContainsSubstring("500.0 us        1   add\n"));
}

TEST_CASE("a trace is of a run after one that nobody recorded", "[run][unit]") {
    traced_run program;
    std::string runs;
    const auto noting = [&](const char* name, const char* unrecorded, const char* recorded) {
        return subject(name, [&program, &runs, unrecorded, recorded] {
            runs += program.recorder.records() ? recorded : unrecorded;
            program.work(1ms);
        });
    };
    const auto claim = latency(noting("a", "a", "A")) < 0.5 * latency(noting("b", "b", "B"));
    REQUIRE(program.evaluate(claim, once).verdict == verdict::violated);
    CHECK(runs.ends_with("aAbB"));
}

TEST_CASE("a claim that is violated again gets a folder of its own", "[run][unit]") {
    traced_run program;
    for (const char* repetition : {"/1", "/2"}) {
        const record r =
            program.evaluate(latency(program.calls("slow", "mul")) < 500us, {confirm(off), key(repetition)});
        CHECK(r.advice.back().ends_with(folder + "latency%28slow%29" + repetition));
    }
}

TEST_CASE("a profile leaves a trace, and a claim that holds none", "[run][unit]") {
    traced_run program;
    const subject x = program.calls("x", "mul");
    CHECK(program.evaluate(profile(x), {}, {.effect = effect::record}).advice.back().ends_with("profile%28x%29/1"));
    CHECK(program.evaluate(latency(x) < 3ms).verdict == verdict::holds);
    CHECK_FALSE(program.files.is_folder(folder + "latency%28x%29"));
}

TEST_CASE("the table of a profile by shape has a row for each shapes of an operator's inputs", "[run][unit]") {
    traced_run program;
    const subject net("net", [&] {
        program.recorder.run("conv", 300'000, "[8,3]");
        program.recorder.run("conv", 100'000, "[8,16]");
        program.work(1ms);
    });
    static_cast<void>(program.evaluate(profile(net, by_shape), {}, {.effect = effect::record}));
    const std::string by_shape_table = program.text(folder + "profile%28net,%20by_shape%29/1/net.operators.txt");
    CHECK_THAT(by_shape_table, ContainsSubstring("300.0 us        1   conv [8,3]\n"));
    CHECK_THAT(by_shape_table, ContainsSubstring("100.0 us        1   conv [8,16]\n"));
    static_cast<void>(program.evaluate(profile(net), {}, {.effect = effect::record}));
    CHECK_THAT(program.text(folder + "profile%28net%29/1/net.operators.txt"),
               ContainsSubstring("400.0 us        2   conv\n"));
}

TEST_CASE("nothing is traced where nobody asks", "[run][unit]") {
    traced_run program;
    program.variables.erase("PERFSPEC_TRACE");
    const record r = program.evaluate(latency(program.calls("slow", "mul")) < 500us, once);
    CHECK(r.verdict == verdict::violated);
    for (const std::string& line : r.advice)
        CHECK_THAT(line, !ContainsSubstring("operators") && !ContainsSubstring("trace"));
}

TEST_CASE("what cannot be traced is told, and leaves the verdict as it is", "[run][unit]") {
    traced_run program;
    const subject hidden = program.calls("hidden", "mul");
    hidden.state().hidden_operators = "a package hides its kernels";
    const record of_hidden = program.evaluate(latency(hidden) < 500us, once);
    CHECK(of_hidden.verdict == verdict::violated);
    CHECK(of_hidden.advice.back() == "no trace of hidden: a package hides its kernels");
    program.counts.recorder = nullptr;
    const record blind = program.evaluate(latency(program.takes("x", 1ms)) < 500us, once);
    CHECK(blind.verdict == verdict::violated);
    CHECK(blind.advice.back() == "no trace: this program records no operators: link perfspec::libtorch");
}

}  // namespace perfspec
