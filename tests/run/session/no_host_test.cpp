// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../start_program.hpp"
#include "support/temporary_folder.hpp"

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

ended_program run(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& variables = {}) {
    skip_unless_judged();
    return start_program(PERFSPEC_TEST_PROGRAM, arguments, variables);
}

}  // namespace

TEST_CASE("a program without a framework says nothing of what holds, and ends with 0", "[run][measuring]") {
    const ended_program e = run({"hold"});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK(e.out.empty());
    CHECK(e.err.empty());
}

TEST_CASE("a program without a framework reports a violated claim on its standard error, and ends with 42",
          "[run][measuring]") {
    const ended_program e = run({"violate"});
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK(e.out.empty());
    CHECK_THAT(e.err, ContainsSubstring("violated"));
    CHECK_THAT(e.err, ContainsSubstring("speedup(fast, slow) > 2"));
    CHECK_THAT(e.err, ContainsSubstring("no_host_program.cpp:"));
    CHECK_THAT(e.err, ContainsSubstring("in a fresh process"));
}

TEST_CASE("a failed PERF_REQUIRE without a framework throws assertion_failed, with the report", "[run][measuring]") {
    const ended_program e = run({"leave"});
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, StartsWith("caught: "));
    CHECK_THAT(e.out, ContainsSubstring("violated"));
    CHECK_THAT(e.out, !ContainsSubstring("not left"));
}

TEST_CASE("a fresh process takes its plan from its parent, not from variables", "[run][measuring]") {
    const ended_program e = run({"violate", "--perf-ci=off"}, {{"CI", "true"}, {"PERFSPEC_ALLOW_REGRESSION", "100%"}});
    INFO(e.text());
    CHECK_THAT(e.err, ContainsSubstring("violated") && ContainsSubstring("in a fresh process"));
}

TEST_CASE("a program that did not hand over its arguments judges in one stage", "[run][measuring]") {
    const ended_program e = run({"uninitialized", "violate"});
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.err, !ContainsSubstring("in a fresh process"));
}

TEST_CASE("a program without a framework is stopped at its start by a project file that is wrong", "[run][unit]") {
    const temporary_folder folder;
    std::ofstream(folder.path() + "/perfspec.json") << "{\"bugdet\": \"3s\"}\n";
    const ended_program e = start_program(PERFSPEC_TEST_PROGRAM, {"hold"}, {{"PERFSPEC_BASELINE_DIR", folder.path()}});
    INFO(e.text());
    CHECK_THAT(e.out, StartsWith("caught: "));
    CHECK_THAT(e.out, ContainsSubstring("perfspec.json:1: \"bugdet\" is not an option of perfspec"));
}

TEST_CASE("without a framework PERF_WARN passes, PERF_MEASURE shows its value, and a body that throws is an error",
          "[run][measuring]") {
    const auto [argument, code, first, second] = GENERATE(table<const char*, int, const char*, const char*>(
        {{"warn", 0, "violated", ""}, {"record", 0, "speedup(slow, fast)", ""}, {"throw", 42, "error", "no memory"}}));
    const ended_program e = run({argument});
    INFO(argument << "\n" << e.text());
    CHECK(e.code == code);
    CHECK_THAT(e.err, ContainsSubstring(first) && ContainsSubstring(second));
}

TEST_CASE("a program whose every claim was skipped ends with 77, unless that was requested", "[run][measuring]") {
    const ended_program unknown =
        run({"stored"}, {{"CI", "1"}, {"PERFSPEC_BASELINE_PROCESSES", "0"}, {"PERFSPEC_BASELINE_DIR", "/"}});
    INFO(unknown.text());
    CHECK(unknown.code == 77);
    const ended_program off = run({"violate"}, {{"PERFSPEC_MODE", "off"}});
    INFO(off.text());
    CHECK(off.code == 0);
}

TEST_CASE("options come from the command line too", "[run][measuring]") {
    const ended_program off = run({"violate", "--perf-mode=off"});
    INFO(off.text());
    CHECK(off.code == 0);
    const ended_program unknown = run({"violate", "--perf-mod=off"});
    INFO(unknown.text());
    CHECK_THAT(unknown.out,
               StartsWith("caught: --perf-mod=off: not an option of perfspec; did you mean --perf-mode=smoke?"));
}

}  // namespace perfspec
