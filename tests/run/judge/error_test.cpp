// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

namespace perfspec {
namespace {

using namespace testing;

verification verdict_of_outputs{};
const verification wrong_outputs{verification_code::fail, "3 of 1000 values differ", {}};
int comparisons = 0;
int right_calls = -1;  ///< after which outputs differ; negative: never

void* last_reference = nullptr;
void* last_candidate = nullptr;

verification compare_outputs(void* reference, void* candidate) {
    ++comparisons;
    last_reference = reference;
    last_candidate = candidate;
    return verdict_of_outputs;
}

struct comparable_part {
    scripted_run* program;
    std::chrono::nanoseconds call;

    static void run(void* self, std::uint64_t n) {
        const auto& p = *static_cast<comparable_part*>(self);
        for (; n != 0; --n) {
            p.program->work(p.call);
            if (right_calls >= 0 && right_calls-- == 0) verdict_of_outputs = wrong_outputs;
        }
    }
};

subject comparable_by(const body_functions& functions, scripted_run& program, const char* name,
                      std::chrono::nanoseconds call) {
    subject x(name, functions, sizeof(comparable_part));
    ::new (x.storage()) comparable_part{&program, call};
    x.constructed();
    return x;
}

/// A subject of an adapter that can compare outputs.
subject comparable(scripted_run& program, const char* name, std::chrono::nanoseconds call) {
    static constexpr body_functions functions{.run = comparable_part::run, .same_output = compare_outputs};
    return comparable_by(functions, program, name, call);
}

}  // namespace

TEST_CASE("a body that throws makes its claim an error, and keeps the exception", "[run][unit]") {
    scripted_run program;
    const subject throws("throws", [] { throw std::out_of_range("index 7"); });
    const assertion_outcome found = program.outcome(latency(throws) < 3ms);
    CHECK(found.result.verdict == verdict::error);
    CHECK(found.result.failed);
    CHECK(found.result.reason == "\"throws\" threw: index 7");
    REQUIRE(found.thrown != nullptr);
    CHECK_THROWS_MATCHES(std::rethrow_exception(found.thrown), std::out_of_range, Message("index 7"));
    CHECK_FALSE(program.framework.measuring);
}

TEST_CASE("a setup that throws makes its claim an error", "[run][unit]") {
    scripted_run program;
    const subject x("sort", setup([]() -> int { throw std::runtime_error("no memory"); }), [](int&) {});
    CHECK(program.error(latency(x) < 3ms) == "\"sort\" threw while its input was prepared: no memory");
}

TEST_CASE("PERF_WARN of a claim with an error does not fail", "[run][unit]") {
    scripted_run program;
    const subject throws("throws", [] { throw std::runtime_error("no"); });
    const record r = program.evaluate(latency(throws) < 3ms, {}, {.effect = effect::warn});
    CHECK(r.verdict == verdict::error);
    CHECK_FALSE(r.failed);
}

TEST_CASE("PERF_WARN of a violated claim does not fail", "[run][unit]") {
    scripted_run program;
    const record r =
        program.evaluate(latency(program.takes("sort", 1ms)) < 900us, {confirm::off}, {.effect = effect::warn});
    CHECK(r.verdict == verdict::violated);
    CHECK_FALSE(r.failed);
}

TEST_CASE("a refused subject makes its claim an error without running", "[run][unit]") {
    scripted_run program;
    auto model = program.takes("model", 1ms);
    model.refuse("no such file: resnet50.pt2");
    CHECK(program.error(latency(model) < 3ms) == "\"model\": no such file: resnet50.pt2");
    CHECK(program.evaluate(speedup(program.takes("a", 1ms), model) > 1).verdict == verdict::error);
    CHECK(program.evaluate(latency(program.takes("b", 1ms)) < latency(model)).verdict == verdict::error);
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a subject that lacks something here makes its claim skipped without running", "[run][unit]") {
    scripted_run program;
    auto model = program.takes("model", 1ms);
    model.lacks("TF32 needs a CUDA device");
    CHECK(program.skipped(latency(model) < 3ms) == "\"model\": TF32 needs a CUDA device");
    CHECK(program.evaluate(speedup(program.takes("a", 1ms), model) > 1).verdict == verdict::skipped);
    CHECK(program.bodies_run == 0);
    CHECK(program.context().exit_code(0) == 77);
}

TEST_CASE("a speedup of a wrong output is an error without running", "[run][unit]") {
    scripted_run program;
    verdict_of_outputs = {verification_code::fail, "3 of 1000 values differ", {{"max_abs_error", 0.5}}};
    const auto reference = comparable(program, "eager", 200us);
    const auto candidate = comparable(program, "compiled", 100us);
    const record r = program.evaluate(speedup(reference, candidate) > 1.5);
    CHECK(r.verdict == verdict::error);
    CHECK(r.reason == "the outputs do not agree (FAIL), so a speedup says nothing: 3 of 1000 values differ");
    CHECK(program.framework.measured == 1);  // so the host could name the claim while outputs were compared
    CHECK_FALSE(program.framework.measuring);
    CHECK(r.verified.value().code == verification_code::fail);
    CHECK(r.advice.size() == 1);
    CHECK(program.bodies_run == 0);
}

TEST_CASE("where a side fails there is no output to compare, and no advice on the candidate's", "[run][unit]") {
    scripted_run program;
    verdict_of_outputs = {verification_code::load_failed, "No module named 'torch'", {}};
    const record r =
        program.evaluate(speedup(comparable(program, "eager", 200us), comparable(program, "compiled", 100us)) > 1.5);
    CHECK(r.verdict == verdict::error);
    CHECK_RECORDED(r.reason);
    CHECK(r.advice == std::vector<std::string>{"correct the failure, because there is no output to compare"});
}

TEST_CASE("a speedup of the same output is judged, and every claim compares outputs anew", "[run][unit]") {
    scripted_run program;
    verdict_of_outputs = {verification_code::pass, "equal", {}};
    comparisons = 0;
    const auto reference = comparable(program, "eager", 200us);
    const auto candidate = comparable(program, "compiled", 100us);
    CHECK(program.evaluate(speedup(reference, candidate) > 1.5).verdict == verdict::holds);
    CHECK(program.evaluate(same_output(reference, candidate)).verdict == verdict::holds);
    CHECK(comparisons == 3);  // before and after measuring, and for the claim on outputs
    CHECK(program.evaluate(speedup(reference, candidate) > 1.2).verified.value().code == verification_code::pass);
    CHECK(comparisons == 5);  // the model may have changed since
}

TEST_CASE(
    "a speedup of an output that is right in the first calls alone is an error, and a violated one is not compared again",
    "[run][unit]") {
    scripted_run program;
    verdict_of_outputs = {verification_code::pass, "equal", {}};
    const auto reference = comparable(program, "eager", 200us);
    const auto candidate = comparable(program, "compiled", 100us);
    comparisons = 0;
    right_calls = 10;
    const record r = program.evaluate(speedup(reference, candidate) > 1.5);
    CHECK(comparisons == 2);
    CHECK(r.verdict == verdict::error);
    CHECK_RECORDED(r.reason);
    CHECK(r.verified.value().code == verification_code::fail);
    CHECK(r.estimate);
    CHECK(r.advice.size() == 1);
    verdict_of_outputs = {verification_code::pass, "equal", {}};
    right_calls = -1;
    CHECK(program.evaluate(speedup(reference, candidate) > 2.5, {confirm::off}).verdict == verdict::violated);
    CHECK(comparisons == 3);
}

TEST_CASE("any comparison with a wrong output is an error without running", "[run][unit]") {
    scripted_run program;
    verdict_of_outputs = {verification_code::fail, "3 of 1000 values differ\nworst at 7", {}};
    const auto eager = comparable(program, "eager", 200us).items(10);
    const auto compiled = comparable(program, "compiled", 100us).items(10);
    const auto check = [](const record& r) {
        CHECK(r.verdict == verdict::error);
        CHECK(r.reason ==
              "the outputs do not agree (FAIL), so a comparison says nothing: 3 of 1000 values differ; worst at 7");
    };
    check(program.evaluate(latency(compiled) < 0.8 * latency(eager)));
    check(program.evaluate(latency(eager) > 1.2 * latency(compiled)));
    check(program.evaluate(throughput(compiled) > 1.2 * throughput(eager)));
    check(program.evaluate(cpu_time(compiled) < 0.8 * cpu_time(eager)));
    check(program.evaluate(p99(latency(compiled)) < 0.8 * p99(latency(eager))));
    check(program.evaluate(peak_memory(compiled) <= peak_memory(eager)));
    check(program.evaluate(latency(compiled) == within(latency(eager), pct(5))));
    CHECK(program.bodies_run == 0);
    CHECK(program.evaluate(latency(compiled) < 1ms).verdict == verdict::holds);  // compares no outputs
}

TEST_CASE("the outputs of what is claimed to be better are compared with those of the other", "[run][unit]") {
    scripted_run program;
    verdict_of_outputs = {verification_code::pass, "equal", {}};
    const auto eager = comparable(program, "eager", 200us).items(10);
    const auto compiled = comparable(program, "compiled", 100us).items(10);
    const auto check = [&](const record& r) {
        CHECK(r.verdict == verdict::holds);
        CHECK(last_reference == eager.storage());
        CHECK(last_candidate == compiled.storage());
        last_reference = last_candidate = nullptr;
    };
    check(program.evaluate(speedup(eager, compiled) > 1.5));
    program.framework.at.pass = 2;
    check(program.evaluate(latency(compiled) < 0.8 * latency(eager)));
    program.framework.at.pass = 3;
    check(program.evaluate(latency(eager) > 1.2 * latency(compiled)));
    program.framework.at.pass = 4;
    check(program.evaluate(throughput(compiled) > 1.2 * throughput(eager)));
    program.framework.at.pass = 5;
    check(program.evaluate(throughput(eager) < 0.8 * throughput(compiled)));
}

TEST_CASE("outputs that were not compared are not reported as different", "[run][unit]") {
    scripted_run program;
    verdict_of_outputs = {verification_code::verifier_skipped, "draws random numbers", {}};
    CHECK(program.error(speedup(comparable(program, "eager", 200us), comparable(program, "compiled", 100us)) > 1.5) ==
          "the outputs were not compared (VERIFIER_SKIPPED), so a speedup says nothing: draws random numbers");
}

TEST_CASE("unverified() measures without comparing", "[run][unit]") {
    scripted_run program;
    verdict_of_outputs = {verification_code::fail, "differs", {}};
    const auto reference = comparable(program, "eager", 200us);
    const auto candidate = comparable(program, "quantized", 100us).unverified();
    const record r = program.evaluate(speedup(reference, candidate) > 1.5);
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.verified.has_value());
}

TEST_CASE("same_output is judged by what the comparison says", "[run][unit]") {
    const auto [code, verdict, failed] = GENERATE(table<verification_code, perfspec::verdict, bool>({
        {verification_code::pass, verdict::holds, false},
        {verification_code::fail, verdict::violated, true},
        {verification_code::verifier_skipped, verdict::skipped, false},
        {verification_code::eager_failed, verdict::error, true},
        {verification_code::exception_raised, verdict::error, true},
        {verification_code::nondeterministic_eager_run, verdict::error, true},
        {verification_code::verifier_didnt_run, verdict::error, true},
    }));
    scripted_run program;
    verdict_of_outputs = {code, "the text", {}};
    const record found = program.evaluate(same_output(comparable(program, "a", 1us), comparable(program, "b", 1us)));
    CHECK(found.verdict == verdict);
    CHECK(found.failed == failed);
    CHECK_THAT(found.reason, ContainsSubstring("the text"));
    CHECK(found.query == "same_output(a, b)");
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("same_output of subjects that cannot be compared is an error", "[run][unit]") {
    scripted_run program;
    CHECK_RECORDED(program.error(same_output(program.takes("a", 1us), comparable(program, "b", 1us))));
}

TEST_CASE("a variable of the environment that does not parse makes every claim an error", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_BUGDET"] = "10s";
    CHECK_RECORDED(program.error(latency(program.takes("sort", 1ms)) < 3ms));
}

TEST_CASE("results that cannot be written make the claim an error", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_OUTPUT"] = "/readonly/results.jsonl";
    program.files.refuse_writes_below("/readonly");
    CHECK_RECORDED(program.error(latency(program.takes("sort", 1ms)) < 3ms));
    CHECK(program.bodies_run == 0);  // reported before any time is spent
}

TEST_CASE("results are written as a line that starts and a line that ends", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_OUTPUT"] = "/project/results.jsonl";
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 3ms);
    const std::string& text = program.files.text("/project/results.jsonl");
    const auto end = text.find('\n');
    CHECK(read_json_line(text.substr(0, end)).kind == json_line_kind::started);
    const std::string second = text.substr(end + 1, text.size() - end - 2);
    CHECK(read_json_line(second).kind == json_line_kind::result);
    CHECK(from_json_line(second).key == r.key);
    CHECK(from_json_line(second).verdict == verdict::holds);
}

TEST_CASE("a factor of the baseline that is not above 0 is an error before anything is measured", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", std::chrono::milliseconds(1));
    CHECK_RECORDED(program.error(latency(x) < -1.05 * baseline()));
    CHECK(program.bodies_run == 0);
}

namespace {

const written outer{.claim = "latency(outer) < 1s", .line = 7};
const written inner{.claim = "latency(inner) < 1s", .line = 8};

}  // namespace

TEST_CASE("a body that keeps to itself that it asserted is an error all the same", "[run][unit]") {
    scripted_run program;
    const subject fast = program.takes("inner", 1us);
    const subject hides("outer", [&] {
        program.work(1ms);
        try {
            static_cast<void>(program.outcome(latency(fast) < 1s, {}, inner));
        } catch (const std::logic_error&) {}
    });
    const record r = program.evaluate(latency(hides) < 1s, {}, outer);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason,
               EndsWith("PERF_CHECK( latency(inner) < 1s ) at sort_test.cpp:8: move the assertion out of the body"));
}

TEST_CASE("threads that assert beside each other are judged one after the other", "[run][unit]") {
    std::vector<verdict> found(4, verdict::error);
    std::vector<std::thread> threads;
    for (verdict& one : found)
        threads.emplace_back([&one] {
            scripted_run program;
            static_cast<void>(program.context().facts_of(program.wall));  // while that clock still ticks
            one = program.evaluate(latency(program.takes("sort", 1ms)) < 1s, {cap(std::chrono::hours(24))}).verdict;
        });
    for (std::thread& t : threads) t.join();
    CHECK(found == std::vector<verdict>(4, verdict::holds));
}

}  // namespace perfspec
