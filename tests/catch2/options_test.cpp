// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Options of a whole run: the project file, --perf-only and --perf-mode.
#include "host_program.hpp"

namespace perfspec {
namespace {

using namespace testing;

std::string with_project_file(const scratch_folder& folder, const std::string& text) {
    std::ofstream(folder / "perfspec.json") << text;
    return folder / "";
}

}  // namespace

TEST_CASE("a project file reaches the processes that a run starts", "[catch2][measuring]") {
    const scratch_folder folder;
    const std::string baselines = with_project_file(folder, "{\"iterations\": 3}");
    const std::string results = folder / "results.jsonl";
    const ended_program e =
        run_host_program("violated check", {}, {{"PERFSPEC_BASELINE_DIR", baselines}, {"PERFSPEC_OUTPUT", results}});
    INFO(e.text());
    CHECK(e.code == 42);
    const std::string lines = text_of_file(results);
    CHECK_THAT(lines, ContainsSubstring("\"iterations\":3") && ContainsSubstring("perfspec.json:1"));
    CHECK_THAT(squeezed(e.out), ContainsSubstring("inafreshprocess"));
}

TEST_CASE("a project file that is wrong stops the run before any test", "[catch2][measuring]") {
    const scratch_folder folder;
    const std::string baselines = with_project_file(folder, "{\"bugdet\": \"3s\"}");
    const ended_program e = run_host_program("holds", {}, {{"PERFSPEC_BASELINE_DIR", baselines}});
    INFO(e.text());
    CHECK(e.code == 2);
    CHECK(e.out.empty());
    CHECK_THAT(e.err, StartsWith("perfspec: ") && ContainsSubstring("perfspec.json:1: \"bugdet\" is not an option"));
}

TEST_CASE("the option --perf-only leaves out claims and counts them", "[catch2][measuring]") {
    const ended_program e = run_host_program("sweep", {"--perf-only=batch=8,batch=16", "--warn", "NoAssertions"});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 2 claims: 2 hold"));
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 1 claim left out by only=batch=8,batch=16\n"));
    CHECK_THAT(e.out, ContainsSubstring("All tests passed (3 assertions in 1 test case)"));
}

TEST_CASE("the option --perf-only that matches nothing skips the run and says why", "[catch2][measuring]") {
    const ended_program e =
        run_host_program("sweep,no performance", {"--perf-only", "bach=8", "--perf-verbosity=quiet"});
    INFO(e.text());
    CHECK(e.code == 77);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: all 3 claims left out by only=bach=8: nothing was judged\n"
                                        "perfspec: skipped, because no claim was judged\n"));
}

TEST_CASE("options are taken in each spelling of the command line", "[catch2][measuring]") {
    const auto spelled =
        GENERATE(values<std::vector<std::string>>({{"--perf-mode", "off"}, {"--perf-mode=off"}, {"--perf-mode:off"}}));
    const ended_program e = run_host_program("holds", spelled);
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("mode=off: nothing is run"));
}

TEST_CASE("an option that is unknown or does not parse stops the run, and a legal one is named",
          "[catch2][measuring]") {
    const auto [arguments, variables,
                message] = GENERATE(table<std::vector<std::string>, std::map<std::string, std::string>, const char*>({
        {{"--perf-bugdet=3s"},
         {},
         "perfspec: --perf-bugdet=3s: not an option of perfspec; did you mean --perf-budget=10s?"},
        {{"--perf-budget=soon"}, {}, "perfspec: --perf-budget=soon: \"soon\" is not a duration"},
        {{"--perf-budget"}, {}, "perfspec: --perf-budget: the value is missing; write for example --perf-budget=10s"},
        {{},
         {{"PERFSPEC_BUGDET", "3s"}},
         "perfspec: PERFSPEC_BUGDET=3s: not an option of perfspec; did you mean PERFSPEC_BUDGET=10s?"},
        {{}, {{"PERFSPEC_MARGIN", "lots"}}, "perfspec: PERFSPEC_MARGIN=lots: "},
    }));
    const ended_program e = run_host_program("holds", arguments, variables);
    INFO(e.text());
    CHECK(e.code == 2);
    CHECK(e.out.empty());
    CHECK_THAT(e.err, StartsWith(message));
}

TEST_CASE("the option --help shows the options of perfspec beside Catch2's", "[catch2][measuring]") {
    const ended_program e = run_host_program("", {"--help"});
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("--list-tests"));
    CHECK_THAT(e.out, ContainsSubstring("--perf-budget <10s>"));
    CHECK_THAT(e.out, ContainsSubstring("--perf-update-baselines"));
    CHECK_THAT(e.out, ContainsSubstring("--perf-doctor"));
    CHECK_THAT(squeezed(e.out), ContainsSubstring("default:120s") && ContainsSubstring("default:0.5%"));
    CHECK_THAT(e.out, !ContainsSubstring("--perf-key"));  // of a call alone
}

TEST_CASE("listing measures nothing and says what Catch2 says", "[catch2][measuring]") {
    const auto [arguments, first, text] = GENERATE(table<std::vector<std::string>, const char*, const char*>({
        {{"--list-tests"}, "All available test cases:\n  holds\n      [verdict]\n", "36 test cases\n"},
        {{"--list-tests", "--verbosity", "quiet"}, "holds\nviolated check\n", "\nsweep\n"},
        {{"--list-tests", "--reporter", "xml"},
         "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MatchingTests>",
         "<Name>sweep</Name>"},
        {{"--list-tags"}, "All available tags:\n", "[address]"},
        {{"--list-reporters"}, "Available reporters:\n", "junit"},
        {{"--list-listeners"}, "Registered listeners:\n", ""},
    }));
    const ended_program e = run_host_program("", arguments);
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, StartsWith(first));
    CHECK_THAT(e.out, ContainsSubstring(text));
    CHECK_THAT(e.out + e.err, !ContainsSubstring("perfspec:"));
}

TEST_CASE("an empty filter of test cases runs nothing", "[catch2][measuring]") {
    const ended_program e = run_host_program("", {"~*"});
    INFO(e.text());
    CHECK(e.code == 2);
    CHECK_THAT(e.out + e.err, !ContainsSubstring("perfspec:"));
}

TEST_CASE("results go to the file that --perf-output names", "[catch2][measuring]") {
    const scratch_folder folder;
    const ended_program e = run_host_program("holds", {"--perf-output", folder / "results.jsonl"});
    INFO(e.text());
    CHECK(e.code == 0);
    const std::string lines = text_of_file(folder / "results.jsonl");
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 6);
}

}  // namespace perfspec
