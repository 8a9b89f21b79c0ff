// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "host_program.hpp"

#include <csignal>

namespace perfspec {

using namespace testing;

TEST_CASE("a test case is what its performance assertions make of it", "[catch2][measuring]") {
    const auto [test_case, code, text] = GENERATE(table<const char*, int, const char*>({
        {"holds", 0, "All tests passed (3 assertions in 1 test case)"},
        {"violated check", 42, "assertions: 2 | 1 passed | 1 failed"},
        {"violated require", 42, "assertions: 1 | 1 failed"},
        {"violated warn", 0, "All tests passed (1 assertion in 1 test case)"},
        {"undecided", 0, "All tests passed (1 assertion in 1 test case)"},
        {"undecided passes", 0, "All tests passed (1 assertion in 1 test case)"},
        {"undecided fails", 42, "assertions: 1 | 1 failed"},
        {"error", 42, "assertions: 1 | 1 failed"},
        {"error require", 42, "assertions: 1 | 1 failed"},
        {"error warn", 0, "All tests passed (1 assertion in 1 test case)"},
        {"recorded", 0, "All tests passed (1 assertion in 1 test case)"},
    }));
    const ended_program e = run_host_program(test_case);
    INFO(e.text());
    CHECK(e.code == code);
    CHECK_THAT(e.out, ContainsSubstring(text));
    CHECK(e.err.empty());
}

TEST_CASE("a tolerance fails on both sides, each confirmed by a fresh process", "[catch2][measuring]") {
    const auto [test_case, code, text] = GENERATE(table<const char*, int, const char*>({
        {"within a tolerance", 0, "All tests passed (1 assertion in 1 test case)"},
        {"slower than a tolerance", 42, "worse than the tolerance allows"},
        {"faster than a tolerance", 42, "better than the tolerance allows: the bound is out of date"},
    }));
    const ended_program e = run_host_program(test_case);
    INFO(e.text());
    CHECK(e.code == code);
    CHECK_THAT(e.out, ContainsSubstring(text));
    if (code != 0) CHECK_THAT(squeezed(e.out), ContainsSubstring("freshprocess"));
}

TEST_CASE("PERF_CHECK continues after a failure, PERF_REQUIRE does not", "[catch2][measuring]") {
    skip_unless_judged();
    CHECK_THAT(run_host_program("violated check").out, ContainsSubstring("went on"));
    CHECK_THAT(run_host_program("error").out, ContainsSubstring("went on"));
    CHECK_THAT(run_host_program("violated require").out, !ContainsSubstring("went on"));
    CHECK_THAT(run_host_program("error require").out, !ContainsSubstring("went on"));
}

TEST_CASE("what does not fail is shown without --success, as a warning", "[catch2][measuring]") {
    const std::string test_case = GENERATE("violated warn", "undecided", "error warn");
    const ended_program e = run_host_program(test_case);
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("warning:"));
    CHECK_THAT(e.out, ContainsSubstring("speedup("));
    CHECK_THAT(e.out, ContainsSubstring(test_case == "error warn" ? "reason" : "bound"));
}

TEST_CASE("what is undecided and was said to pass is no warning", "[catch2][measuring]") {
    const ended_program e = run_host_program("undecided passes");
    INFO(e.text());
    CHECK_THAT(e.out, !ContainsSubstring("warning:"));
    CHECK_THAT(e.out, ContainsSubstring("1 undecided"));
}

TEST_CASE("what holds is shown with --success", "[catch2][measuring]") {
    skip_unless_judged();
    CHECK_THAT(run_host_program("holds").out, !ContainsSubstring("PASSED"));
    const ended_program e = run_host_program("holds", {"--success"});
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("PASSED:"));
    CHECK_THAT(e.out, ContainsSubstring("PERF_REQUIRE( speedup(slow, fast) > 2 )"));
}

TEST_CASE("what passes without a verdict says so beside the pass, and has its evidence once", "[catch2][measuring]") {
    const ended_program e = run_host_program("undecided", {"--success"});
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("PASSED:\n  PERF_CHECK( ") &&
                          ContainsSubstring("  undecided, which fails no test: see the warning\n"));
    const auto reason = e.out.find("\n    reason ");
    REQUIRE(reason != std::string::npos);
    CHECK(e.out.find("\n    reason ", reason + 1) == std::string::npos);
    const ended_program off = run_host_program("holds", {"--success"}, {{"PERFSPEC_MODE", "off"}});
    INFO(off.text());
    CHECK_THAT(off.out, ContainsSubstring("  skipped, which fails no test: see the warning\n") &&
                            ContainsSubstring("  skipped, which fails no test: mode=off: nothing is run"));
}

TEST_CASE("a run ends with a summary of its assertions", "[catch2][measuring]") {
    const ended_program e = run_host_program("holds");
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 3 claims: 3 hold; measuring took "));
    CHECK_THAT(run_host_program("no performance").out, !ContainsSubstring("perfspec:"));
}

TEST_CASE("a reason for not judging is said once a test case", "[catch2][measuring]") {
    const ended_program e = run_host_program("holds", {}, {{"PERFSPEC_MODE", "off"}});
    INFO(e.text());
    const auto first = e.out.find("warning:");
    REQUIRE(first != std::string::npos);
    CHECK(e.out.find("warning:", first + 1) == std::string::npos);
    CHECK_THAT(e.out, ContainsSubstring("3 x skipped: mode=off: nothing is run"));
    CHECK_THAT(e.out, ContainsSubstring("All tests passed (3 assertions in 1 test case)"));
}

TEST_CASE("verbosity=verbose shows what is recorded, without Catch2's -s", "[catch2][measuring]") {
    const auto shown = ContainsSubstring("PERF_MEASURE( speedup(slow, fast) )");
    CHECK_THAT(run_host_program("recorded", {"--perf-verbosity=verbose"}).out, shown);
    CHECK_THAT(run_host_program("recorded").out, !shown);
}

namespace {

/// No baseline is stored for this machine, and none may be recorded: skipped. The root has no baselines.
const std::map<std::string, std::string> unknown_hardware{
    {"CI", "1"}, {"PERFSPEC_BASELINE_PROCESSES", "0"}, {"PERFSPEC_BASELINE_DIR", "/"}};

}  // namespace

TEST_CASE("the exit code is what Catch2 makes of the test cases", "[catch2][measuring]") {
    const auto [test_case, code] = GENERATE(table<const char*, int>({
        {"no performance", 0},
        {"holds", 0},
        {"violated check", 42},
        {"error", 42},
        {"four failures", 42},  // not 4, which says that all was skipped
        {"may fail", 0},
        {"should fail", 0},
        {"should fail and does not", 42},
        {"skipped", 77},  // 4 by Catch2, and perfspec_discover_tests tells ctest of one code
        {"no such test case", 2},
    }));
    const ended_program e = run_host_program(test_case);
    INFO(e.text());
    CHECK(e.code == code);
}

TEST_CASE("the exit code is 77 when every performance assertion was skipped and nothing failed",
          "[catch2][measuring]") {
    const ended_program e = run_host_program("stored", {}, unknown_hardware);
    INFO(e.text());
    CHECK(e.code == 77);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: skipped, because no claim was judged\n"));
}

TEST_CASE("the exit code is 77 when a claim looks violated and nothing failed", "[catch2][measuring]") {
    skip_unless_judged();
    const ended_program e = run_host_program("looks violated");
    INFO(e.text());
    CHECK(e.code == 77);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 2 claims: 1 holds, 1 looks violated;"));
    CHECK_THAT(e.out, ContainsSubstring("perfspec: skipped, because it looks violated: \"looks violated / "));
}

TEST_CASE("a failure is never hidden by what skips the run", "[catch2][measuring]") {
    const ended_program e = run_host_program("stored,looks violated,four failures", {}, unknown_hardware);
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out + e.err, !ContainsSubstring("perfspec: skipped"));
}

TEST_CASE("one judged assertion is enough for an exit code of 0", "[catch2][measuring]") {
    skip_unless_judged();
    CHECK(run_host_program("stored,holds", {}, unknown_hardware).code == 0);
}

TEST_CASE("not judging on request is no skipping", "[catch2][measuring]") {
    const char* mode = GENERATE("smoke", "verify", "off");
    const ended_program e = run_host_program("holds", {"--perf-mode", mode});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, !ContainsSubstring("perfspec: skipped"));
}

TEST_CASE("a switch that keeps CI from judging skips the run, and is annotated", "[catch2][measuring]") {
    const auto [name, value] = GENERATE(table<const char*, const char*>({{"PERFSPEC_MODE", "smoke"},
                                                                         {"PERFSPEC_MODE", "verify"},
                                                                         {"PERFSPEC_MODE", "off"},
                                                                         {"PERFSPEC_MODE", "dry-run"},
                                                                         {"PERFSPEC_UPDATE_BASELINES", "1"}}));
    const ended_program e = run_host_program("holds", {}, {{name, value}, {"GITHUB_ACTIONS", "true"}});
    INFO(e.text());
    CHECK(e.code == 77);
    CHECK_THAT(e.err, ContainsSubstring("\n::warning file="));
    CHECK(run_host_program("holds", {}, {{name, value}, {"CI", "true"}, {"PERFSPEC_CI", "off"}}).code == 0);
}

TEST_CASE("a folder of baselines that is named and not there stops the run", "[catch2][measuring]") {
    const ended_program e =
        run_host_program("holds", {}, {{"CI", "true"}, {"PERFSPEC_BASELINE_DIR", "/mistyped/baselines"}});
    INFO(e.text());
    CHECK(e.code == 2);
    CHECK_THAT(e.err, ContainsSubstring("names the folder of baselines /mistyped/baselines, which does not exist"));
}

TEST_CASE("variables that stop a run do not stop a list of its test cases, which a build takes",
          "[catch2][measuring]") {
    const auto [name, value] = GENERATE(table<std::string, std::string>(
        {{"PERFSPEC_BASELINE_DIR", "/mistyped/baselines"}, {"PERFSPEC_BUDGET", "long"}}));
    const std::string argument = GENERATE("--list-tests", "--help");
    const ended_program e = run_host_program("", {argument}, {{name, value}});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK(run_host_program("holds", {}, {{name, value}}).code == 2);
}

TEST_CASE("a body that throws fails its assertion, with the exception", "[catch2][measuring]") {
    const ended_program e = run_host_program("body throws");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(
        e.out,
        ContainsSubstring(
            "PERF_CHECK( latency([] { throw std::runtime_error(\"index 7\"); }) < 3ms )\ndue to unexpected exception"));
    CHECK_THAT(e.out, ContainsSubstring("index 7\n"));
    CHECK_THAT(e.out, ContainsSubstring("assertions: 2 | 2 failed"));
}

TEST_CASE("a body that threw leaves no message for later assertions", "[catch2][measuring]") {
    const ended_program e = run_host_program("body throws");
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("CHECK( false )"));
    CHECK_THAT(e.out, !ContainsSubstring("while measuring"));
}

TEST_CASE("a REQUIRE that fails inside of a body is reported as such, and the test case continues",
          "[catch2][measuring]") {
    const ended_program e = run_host_program("body requires");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("REQUIRE( 1 == 2 )"));
    CHECK_THAT(e.out, ContainsSubstring("while measuring PERF_CHECK( latency([] { REQUIRE(1 == 2); }) < 3ms )"));
    CHECK_THAT(e.out, ContainsSubstring("an assertion inside the body failed"));
    CHECK_THAT(e.out, ContainsSubstring("went on"));
    CHECK_THAT(e.out, !ContainsSubstring("CATCH_CONFIG"));
}

TEST_CASE("a SKIP inside of a body fails its assertion, and the test case continues", "[catch2][measuring]") {
    const ended_program e = run_host_program("body skips");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("SKIPPED:"));
    CHECK_THAT(e.out, ContainsSubstring("no data"));
    CHECK_THAT(squeezed(e.out), ContainsSubstring("thebodycalledSKIP,sonothingwasjudged:callSKIPbeforetheassertion"));
    CHECK_THAT(e.out, ContainsSubstring("went on"));
    CHECK_THAT(e.out, ContainsSubstring("test cases: 1 | 1 failed"));
}

TEST_CASE("a body may allocate and free", "[catch2][measuring]") {
    const ended_program e = run_host_program("body allocates");
    INFO(e.text());
    CHECK(e.code == 0);
}

TEST_CASE("a body that crashes is named by its assertion", "[catch2][measuring]") {
    const ended_program e = run_host_program("body crashes");
    INFO(e.text());
    CHECK(e.code == 1000 + SIGSEGV);
    CHECK_THAT(e.out, ContainsSubstring("while measuring PERF_CHECK( latency([] { std::raise(SIGSEGV); }) < 3ms )"));
}

TEST_CASE("an exception while a claim is built fails its assertion, and the test case continues",
          "[catch2][measuring]") {
    const ended_program e = run_host_program("building throws");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(
        e.out,
        ContainsSubstring(
            "PERF_CHECK( latency(no_model()) < 3ms )\ndue to unexpected exception with message:\n  no such model"));
    CHECK_THAT(e.out, ContainsSubstring("went on"));
}

}  // namespace perfspec
