// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "host_program.hpp"

namespace perfspec {
namespace {

using namespace testing;

/// Nothing is stored for this machine, and nothing may be recorded: not judged. The root is a folder without baselines.
const std::map<std::string, std::string> unknown_hardware{
    {"CI", "1"}, {"PERFSPEC_LAUNCHES", "0"}, {"PERFSPEC_BASELINE_DIR", "/"}};

}  // namespace

TEST_CASE("the exit code is what Catch2 makes of the test cases", "[catch2][measuring]") {
    const auto [test_case, code] = GENERATE(table<const char*, int>({
        {"no performance", 0},
        {"holds", 0},
        {"violated check", 42},
        {"invalid", 42},
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

TEST_CASE("the exit code is 77 when every performance assertion was not judged and nothing failed",
          "[catch2][measuring]") {
    const ended_program e = run_host_program("stored", {}, unknown_hardware);
    INFO(e.text());
    CHECK(e.code == 77);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: skipped, because no performance assertion was judged\n"));
}

TEST_CASE("a failure is never hidden by what was not judged", "[catch2][measuring]") {
    const ended_program e = run_host_program("stored,four failures", {}, unknown_hardware);
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
    CHECK(run_host_program("holds", {}, {{name, value}, {"CI", "true"}, {"PERFSPEC_POLICY", "local"}}).code == 0);
}

TEST_CASE("a folder of baselines that is named and not there stops the run", "[catch2][measuring]") {
    const ended_program e =
        run_host_program("holds", {}, {{"CI", "true"}, {"PERFSPEC_BASELINE_DIR", "/mistyped/baselines"}});
    INFO(e.text());
    CHECK(e.code == 2);
    CHECK_THAT(e.err, ContainsSubstring("names the folder of baselines /mistyped/baselines, which is not there"));
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

}  // namespace perfspec
