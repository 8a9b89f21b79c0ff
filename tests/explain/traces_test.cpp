// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "run/scripted_run.hpp"

#include <perfspec/explain/explain.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/traces.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <support/scripted_operators.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

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

namespace {

// conv calls empty; another thread has a relu meanwhile.
const std::vector<operator_event> of_two_threads{
    {"empty", 1'002'500, 1'004'001, 77}, {"conv", 1'000'000, 1'100'000, 77}, {"relu", 1'050'000, 1'052'000, 5}};

}  // namespace

TEST_CASE("chrome_trace begins at the first call and numbers threads in the order of their first calls",
          "[report][unit]") {
    CHECK(chrome_trace("net", of_two_threads) == R"({"traceEvents":[
{"name":"process_name","ph":"M","pid":1,"args":{"name":"net"}},
{"name":"conv","ph":"X","ts":0.000,"dur":100.000,"pid":1,"tid":1},
{"name":"empty","ph":"X","ts":2.500,"dur":1.501,"pid":1,"tid":1},
{"name":"relu","ph":"X","ts":50.000,"dur":2.000,"pid":1,"tid":2}
]}
)");
}

TEST_CASE("chrome_trace puts a call before those that it called, also where both begin at once", "[report][unit]") {
    // Calls are recorded in the order in which they end, and a viewer nests them in the order of the file.
    const std::vector<operator_event> at_once{{"convolution", 5'000, 6'000, 1}, {"conv2d", 5'000, 7'000, 1}};
    const std::string trace = chrome_trace("net", at_once);
    CHECK(trace.find("conv2d") < trace.find("convolution"));
}

TEST_CASE("chrome_trace of no calls is a trace", "[report][unit]") {
    CHECK(
        chrome_trace("a \"net\"", {}) ==
        "{\"traceEvents\":[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"a \\\"net\\\"\"}}\n]}\n");
}

TEST_CASE("operator_table is sorted by self times", "[report][unit]") {
    CHECK(operator_table(of_two_threads) == "        self       total    calls   operator\n"
                                            "    98.50 us    100.0 us        1   conv\n"
                                            "    2.000 us    2.000 us        1   relu\n"
                                            "    1.501 us    1.501 us        1   empty\n");
}

}  // namespace perfspec
