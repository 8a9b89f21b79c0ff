// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

}  // namespace

TEST_CASE("the tool's help teaches with examples, for each command", "[ci][unit]") {
    const auto command = GENERATE(values<std::vector<std::string>>(
        {{}, {"accept"}, {"baselines", "list"}, {"baselines", "verify"}, {"compare"}, {"merge"}, {"report"}}));
    auto arguments = command;
    arguments.emplace_back("--help");
    scripted_tool tool;
    const auto end = tool.run(arguments);
    INFO(end.out);
    CHECK(end.code == 0);
    CHECK(end.err.empty());
    CHECK_THAT(end.out, ContainsSubstring("\nExamples:\n"));
    if (!command.empty()) CHECK_THAT(end.out, ContainsSubstring("perfspec " + command[0]));
}

TEST_CASE("the tool tells its version", "[ci][unit]") {
    scripted_tool tool;
    const auto end = tool.run({"--version"});
    CHECK(end.code == 0);
    CHECK_THAT(end.out, StartsWith("perfspec 0.") || StartsWith("perfspec 1."));
}

TEST_CASE("a command line that is wrong exits with 4, and says what is legal", "[ci][unit]") {
    struct row {
        std::vector<std::string> arguments;
        const char* error;
    };
    const auto given = GENERATE(values<row>({
        {{}, "perfspec: A subcommand is required"},
        {{"acept"}, "perfspec: "},
        {{"accept"}, "perfspec: RESULTS is required"},
        {{"accept", "r.jsonl", "--fliter", "x"}, "perfspec: "},
        {{"accept", "none.jsonl"}, "perfspec: none.jsonl: no such file, expected a file that can be read"},
        {{"baselines"}, "perfspec: A subcommand is required"},
        {{"merge", "r.jsonl"}, "perfspec: --output is required"},
        {{"merge", "r.jsonl", "-o", "x", "--shards", "0"}, "perfspec: --shards"},
        {{"report", "r.jsonl", "--max-undecided", "110%"},
         "perfspec: --max-undecided is \"110%\", expected 0% to 100%, such as 10% or 0.1"},
        {{"compare", "r.jsonl", "r.jsonl", "--change", "much"}, "perfspec: --change is \"much\", expected 0% to 100%"},
    }));
    scripted_tool tool;
    tool.files.put_folder("/project/baselines");
    tool.put_results("r.jsonl", {line_of(stored_result("a", 1e6, verdict::holds, 2))});
    const auto end = tool.run(given.arguments);
    CHECK(end.code == 4);
    CHECK(end.out.empty());
    CHECK_THAT(end.err, StartsWith(given.error));
}

}  // namespace perfspec
