// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/session/host.hpp>

#include <support/captured_stream.hpp>
#include <support/evaluate_record.hpp>
#include <support/test.hpp>

#include <initializer_list>

namespace perfspec {
namespace {

using namespace testing;

record judged(verdict v, bool failed = false, bool on_request = false) {
    record r;
    r.verdict = v;
    r.failed = failed;
    r.on_request = on_request;
    r.reason = "a reason";
    return r;
}

int exit_code_after(std::initializer_list<record> records, int hosts = 0) {
    scripted_run program;
    for (const record& r : records) program.context().add(r);
    return program.context().exit_code(hosts);
}

}  // namespace

TEST_CASE("session reads a file of baselines once, and again after it recorded into it", "[run][unit]") {
    scripted_run program;
    const baseline_store store(program.files, {"baselines", "cpu", "", "suite"});
    const auto outcome = [&] { return program.context().stored_in(store).outcome; };
    REQUIRE(outcome() == lookup_outcome::no_hardware);
    program.files.put(store.path(), render_baseline_file({"cpu", "", "suite", {}}));
    CHECK(outcome() == lookup_outcome::no_hardware);
    program.context().note_recorded("baselines/cpu/other.json", "key");
    CHECK(outcome() == lookup_outcome::no_hardware);
    program.context().note_recorded(store.path(), "key");
    CHECK(outcome() == lookup_outcome::found);
}

TEST_CASE("exit_code is 77 when every assertion was skipped", "[run][unit]") {
    CHECK(exit_code_after({judged(verdict::skipped)}) == 77);
    CHECK(exit_code_after({judged(verdict::skipped), judged(verdict::skipped)}) == 77);
}

TEST_CASE("exit_code is 0 when an assertion was judged, or none was made", "[run][unit]") {
    CHECK(exit_code_after({}) == 0);
    CHECK(exit_code_after({judged(verdict::holds)}) == 0);
    CHECK(exit_code_after({judged(verdict::skipped), judged(verdict::holds)}) == 0);
    CHECK(exit_code_after({judged(verdict::skipped), judged(verdict::undecided)}) == 0);
    CHECK(exit_code_after({judged(verdict::violated)}) == 0);  // PERF_WARN
}

TEST_CASE("exit_code is 77 when a claim looks violated, unless evaluate found it in a test case", "[run][unit]") {
    record open = judged(verdict::undecided);
    open.key = "sort";
    open.comparison = "<";
    open.bound = 1.0;
    open.estimate = estimate{1.2, 1.1, 1.3, 0.95};
    CHECK(exit_code_after({judged(verdict::holds), open}) == 77);
    CHECK(exit_code_after({open}, 42) == 42);
    open.macro = "evaluate";
    CHECK(exit_code_after({open}) == 77);
    open.test = "sorting";
    CHECK(exit_code_after({open}) == 0);
}

TEST_CASE("exit_code is 0 when not judging was requested", "[run][unit]") {
    CHECK(exit_code_after({judged(verdict::skipped, false, true)}) == 0);
    CHECK(exit_code_after({judged(verdict::skipped), judged(verdict::skipped, false, true)}) == 0);
}

TEST_CASE("exit_code of a host that failed is the host's", "[run][unit]") {
    const int hosts = GENERATE(1, 2, 4, 42);
    CHECK(exit_code_after({}, hosts) == hosts);
    CHECK(exit_code_after({judged(verdict::skipped)}, hosts) == hosts);
    CHECK(exit_code_after({judged(verdict::violated, true)}, hosts) == hosts);
}

TEST_CASE("any_failed reports records that fail their test", "[run][unit]") {
    scripted_run program;
    CHECK_FALSE(program.context().any_failed());
    program.context().add(judged(verdict::undecided));
    CHECK_FALSE(program.context().any_failed());
    program.context().add(judged(verdict::error, true));
    CHECK(program.context().any_failed());
}

TEST_CASE("set_option refuses what does not parse, naming the option and a legal value", "[run][unit]") {
    scripted_run program;
    CHECK_THROWS_AS(program.context().set_option(option_id::budget, "soon"), input_error);
    CHECK_THROWS_RECORDED(std::exception, program.context().set_option(option_id::budget, "soon"));
    program.context().set_option(option_id::margin, "2%");
    CHECK(program.context().resolve_plan({}).margin == 0.02);
}

TEST_CASE("suite is what the project says, else the program's name", "[run][unit]") {
    scripted_run program;
    CHECK(program.context().suite() == "sort_test");
    program.context().set_project({"sorts", "", "", ""});
    CHECK(program.context().suite() == "sorts");
    scripted_run unknown;
    unknown.start.executable.clear();
    CHECK(unknown.context().suite() == "tests");
}

TEST_CASE("summary is empty without assertions, in a child and where verbosity is quiet", "[run][unit]") {
    scripted_run program;
    CHECK(program.context().summary().empty());
    program.context().add(judged(verdict::holds));
    CHECK_THAT(program.context().summary(), ContainsSubstring("1 claim") && Catch::Matchers::EndsWith("\n"));
    program.context().set_option(option_id::verbosity, "quiet");
    CHECK(program.context().summary().empty());
}

TEST_CASE("summary ends with what was recorded for this machine alone, where the project has baselines for all",
          "[run][unit]") {
    scripted_run program;
    record r = judged(verdict::skipped);
    r.baseline = baseline_origin{};
    r.baseline->file = "/build/perfspec-baselines/cpu/sorts.json";
    r.baseline->action = baseline_action::recorded;
    program.context().add(r);
    CHECK_THAT(program.context().summary(), !ContainsSubstring("alone"));
    program.files.put_folder("/project/baselines");
    check_recorded("2", program.context().summary());
    scripted_run updated;
    updated.files.put_folder("/project/baselines");
    r.baseline->file = "/project/baselines/cpu/sorts.json";
    updated.context().add(r);
    CHECK_THAT(updated.context().summary(), !ContainsSubstring("alone"));
}

TEST_CASE("outside of tests a failure is one that no test framework counts, unless evaluate returned it",
          "[run][unit]") {
    scripted_run program;
    record r = judged(verdict::violated, true);
    r.test = "sorting";
    program.context().add(r);
    CHECK_FALSE(program.context().any_failed_outside_of_tests());
    r.test.clear();
    r.macro = "evaluate";
    program.context().add(r);
    CHECK_FALSE(program.context().any_failed_outside_of_tests());
    r.macro = "PERF_REQUIRE";
    program.context().add(r);
    CHECK(program.context().any_failed_outside_of_tests());
}

TEST_CASE("summary survives an option that does not parse", "[run][unit]") {  // every assertion said so already
    scripted_run program;
    program.variables["PERFSPEC_BUDGET"] = "soon";
    program.context().add(judged(verdict::error, true));
    CHECK_THAT(program.context().summary(), ContainsSubstring("1 error"));
}

TEST_CASE("a session is refused half a request", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_CHILD"] = "version=3 process claim=sorting#0 seed=7 descriptor=3";
    CHECK_THROWS_AS(program.context(), input_error);
}

TEST_CASE("a session annotates its records where GITHUB_ACTIONS is true, and nowhere else", "[run][unit]") {
    const auto [value, annotated] = GENERATE(table<const char*, bool>({{"true", true}, {"", false}, {"false", false}}));
    scripted_run program;
    program.variables["GITHUB_ACTIONS"] = value;
    program.variables["GITHUB_WORKSPACE"] = "/checkout";
    const captured_stream annotations;
    program.annotations = annotations.file();
    record r = judged(verdict::violated, true);
    r.file = "/checkout/a.cpp";
    program.context().add(r);
    const std::string text = annotations.text();
    if (annotated) CHECK_THAT(text, ContainsSubstring("\n::error file=a.cpp,"));
    else CHECK(text.empty());
}

namespace {

constexpr site required{"PERF_REQUIRE", "", "sort_test.cpp", 7, effect::require, build_kind::optimized};
constexpr site checked{"PERF_CHECK", "", "sort_test.cpp", 8, effect::check, build_kind::optimized};

evaluation with(verdict v, bool failed) {
    record r;
    r.verdict = v;
    r.failed = failed;
    r.reason = "the reason";
    return evaluation(r);
}

verification outputs_differ(void*, void*) { return {verification_code::fail, "3 values differ", {}}; }

subject with_outputs(const char* name) {
    static constexpr body_functions functions{.same_output = outputs_differ};
    return {name, functions, 1};
}

}  // namespace

TEST_CASE("plain_host throws for a failed PERF_REQUIRE alone", "[run][unit]") {
    detail::plain_host host;
    CHECK_THROWS_AS(host.report(required, "", with(verdict::error, true), nullptr), assertion_failed);
    CHECK_THROWS_RECORDED(std::exception, host.report(required, "", with(verdict::error, true), nullptr));
    CHECK_NOTHROW(host.report(checked, "", with(verdict::violated, true), nullptr));
    CHECK_NOTHROW(host.report(required, "", with(verdict::undecided, false), nullptr));
    CHECK_NOTHROW(host.report(required, "", with(verdict::holds, false), nullptr));
    static_cast<void>(exit_code());  // otherwise the failure ends this process with 42
}

TEST_CASE("plain_host lets exceptions from building a claim pass", "[run][unit]") {
    const auto building = []() -> subject { throw std::logic_error("no model"); };
    CHECK_THROWS_AS([&] { PERF_CHECK(latency(building()) < 3ms); }(), std::logic_error);
}

TEST_CASE("evaluate returns what it found, with the report and a line of JSON", "[run][unit]") {
    const evaluation found = evaluate(same_output(with_outputs("a"), with_outputs("b")));
    CHECK(found.verdict == verdict::violated);
    CHECK(found.failed);
    CHECK_FALSE(found.on_request);
    CHECK(found.query == "same_output(a, b)");
    CHECK(found.reason == "3 values differ");
    CHECK_FALSE(found.bound);
    CHECK(found.text() == render_console(detail::record_of(found), {}));
    CHECK(found.json() == to_json_line(detail::record_of(found)));
}

TEST_CASE("an evaluation has the small part of its record, and copies the whole", "[run][unit]") {
    record r = judged(verdict::undecided, true, true);
    r.query = "metric(tokens/s, decode)";
    r.unit = dimension::own;
    r.own_unit = "tokens/s";
    r.estimate = estimate{.value = 40, .low = 39, .high = 42, .level = 0.95};
    r.bound = 38;
    r.advice = {"give it more time"};
    r.notes = {"the first call was slow"};
    std::optional<evaluation> first{evaluation(r)};
    evaluation found = *first;
    first.emplace(record{});
    CHECK(found.verdict == verdict::undecided);
    CHECK(found.failed);
    CHECK(found.on_request);
    CHECK(found.unit == "tokens/s");
    CHECK(found.value == 40);
    CHECK(found.bound == 38);
    CHECK(found.advice == r.advice);
    CHECK(found.notes == r.notes);
    CHECK(detail::record_of(found).own_unit == "tokens/s");
    found = *first;
    CHECK(found.unit == "ns");
    CHECK(detail::record_of(found).own_unit.empty());
}

TEST_CASE("a claim without a macro is called evaluate in its record, at the place of the call", "[run][unit]") {
    const record r = evaluate_record(same_output(with_outputs("a"), with_outputs("b")));
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.query == "same_output(a, b)");
    CHECK(r.reason == "3 values differ");
    CHECK(r.macro == "evaluate");
    CHECK(r.claim.empty());
    CHECK(r.test.empty());
    CHECK_THAT(r.file, Catch::Matchers::EndsWith("session_test.cpp"));
    CHECK(r.line == __LINE__ - 9);
}

TEST_CASE("the macros evaluate what they are given, and a failed PERF_REQUIRE leaves", "[run][unit]") {
    const auto a = with_outputs("a");
    const auto b = with_outputs("b");
    PERF_WARN(same_output(a, b));
    PERF_CHECK(same_output(a, b));
    CHECK_THROWS_AS([&] { PERF_REQUIRE(same_output(a, b), budget(1s), cap(1s), margin(1_pct)); }(), assertion_failed);
    CHECK(exit_code() == 42);
}

}  // namespace perfspec
