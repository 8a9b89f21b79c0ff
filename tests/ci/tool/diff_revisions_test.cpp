// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <tuple>
#include <vector>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

child_end prints(const std::string& text) {
    return {.how = child_outcome::exited, .code = 0, .result = text, .last_words = {}, .seconds = 0.01};
}
child_end fails(int code, const std::string& words) {
    return {.how = child_outcome::exited, .code = code, .result = {}, .last_words = words, .seconds = 0.01};
}

/// A checkout in /project with `main`, where a was 1 ms, and `topic`, where it was 2 ms; a row of no baseline stands
/// among each.
struct checkout : scripted_tool {
    std::vector<std::string> asked;
    std::string prefix;                    ///< of the working directory in the repository
    std::string top_folder = "baselines";  ///< that git is to be asked for

    checkout() {
        files.put_folder("/project/baselines");
        git = [this](const std::vector<std::string>& arguments) {
            asked.push_back(fmt::format("{}", fmt::join(arguments, " ")));
            return answer(asked.back());
        };
    }

private:
    [[nodiscard]] child_end answer(const std::string& question) const {
        if (question == "rev-parse --show-prefix") return prints(prefix + "\n");
        for (const auto& [name, hash, value] : {std::tuple{"main", "aaaa", 1e6}, {"topic", "bbbb", 2e6}}) {
            if (question == fmt::format("rev-parse --verify --end-of-options {}^{{commit}}", name))
                return prints(std::string(hash) + "\n");
            if (question == fmt::format("ls-tree -r -z --full-tree {} {}/", hash, top_folder))
                return prints(fmt::format(
                    "100644 blob {0}1\t{1}/test-cpu-4c/sorts.json{2}120000 blob {0}2\t{1}/test-cpu-4c/link.json{2}"
                    "100644 blob {0}3\t{1}/schema.json{2}100644 blob {0}4\t{1}/test-cpu-4c/.hidden.json{2}",
                    hash, top_folder, '\0'));
            if (question == fmt::format("cat-file blob {}1", hash))
                return prints(render_baseline_file(file_of({entry_about("a", value)})));
        }
        return fails(1, {});
    }
};

}  // namespace

TEST_CASE("baselines diff compares two revisions", "[ci][unit]") {
    checkout tool;
    const auto end = tool.run({"baselines", "diff", "main", "topic"});
    CHECK(end.err == "");
    CHECK(end.code == 0);
    CHECK(end.out == "sorts on test-cpu-4c\n"
                     "  changed  a: 1.002 ms (10 launches) -> 2.004 ms (10 launches), +100 %\n"
                     "0 added, 0 removed, 1 changed, 0 as before\n");
    const child_command& command = tool.launcher.commands().at(0);
    CHECK(command.working_directory == "/project");
    CHECK(command.environment.size() == 1);
}

TEST_CASE("baselines diff of one version compares it with the working tree", "[ci][unit]") {
    checkout tool;
    tool.put_baselines(file_of({entry_about("a", 1e6), entry_about("b", 1e6)}));
    CHECK_THAT(tool.run({"baselines", "diff", "main"}).out,
               ContainsSubstring("1 added, 0 removed, 0 changed, 1 as before\n"));
    tool.put_baselines(file_of({entry_about("a", 1e6)}), "/elsewhere");
    CHECK_THAT(tool.run({"baselines", "diff", "/elsewhere"}).out,
               ContainsSubstring("1 added, 0 removed, 0 changed, 1 as before\n"));
}

TEST_CASE("baselines diff takes what is there for a folder, though a branch has its name", "[ci][unit]") {
    checkout tool;
    tool.put_baselines(file_of({entry_about("a", 3e6)}), "main");
    CHECK_THAT(tool.run({"baselines", "diff", "main", "topic"}).out,
               ContainsSubstring("a: 3.006 ms (10 launches) -> 2.004 ms"));
}

TEST_CASE("baselines diff finds the folder in a revision from below the top of the repository", "[ci][unit]") {
    struct row {
        std::string prefix, folder, in_git;
    };
    const auto given = GENERATE(values<row>({{"", "", "baselines"},
                                             {"sub/", "", "sub/baselines"},
                                             {"sub/", "../perf/baselines", "perf/baselines"},
                                             {"", "perf/", "perf"},
                                             {"sub/", "/project/deep/b", "sub/deep/b"}}));
    checkout tool;
    tool.prefix = given.prefix;
    tool.top_folder = given.in_git;
    const auto end = tool.run(
        {"baselines", "diff", "main", "topic", "--baseline-dir", given.folder.empty() ? "baselines" : given.folder});
    CHECK(end.err == "");
    CHECK_THAT(end.out, ContainsSubstring("1 changed"));
}

TEST_CASE("baselines diff says what is wrong with a version", "[ci][unit]") {
    struct row {
        std::string question;
        child_end answer;
        std::string error;
    };
    const std::string no_commit = "rev-parse --verify --end-of-options main^{commit}";
    const auto given = GENERATE_COPY(values<row>({
        {no_commit, fails(128, "fatal: not a git repository (or any of the parent directories): .git\n"),
         "perfspec: \"main\" is not a file or folder here, and not a revision of a Git repository around /project (fatal: not a git "
         "repository (or any of the parent directories): .git), expected one, such as main, HEAD~1 or baselines; if it is a remote "
         "branch, fetch it first:  git fetch origin\n"},
        {"ls-tree -r -z --full-tree aaaa baselines/", fails(128, "fatal: broken\n"),
         "perfspec: git cannot say what \"main\" holds: fatal: broken\n"},
        {"cat-file blob aaaa1", fails(128, "fatal: broken\n"),
         "perfspec: git cannot say what main:baselines/test-cpu-4c/sorts.json holds: fatal: broken\n"},
        {"cat-file blob aaaa1", prints("{"), "perfspec: main:baselines/test-cpu-4c/sorts.json:"},
        {"rev-parse --show-prefix", prints("../\n"),
         "perfspec: /project/baselines is outside the repository, expected a baseline folder"},
    }));
    checkout tool;
    tool.git = [usual = tool.git, given](const std::vector<std::string>& arguments) {
        return fmt::format("{}", fmt::join(arguments, " ")) == given.question ? given.answer : usual(arguments);
    };
    const auto end = tool.run({"baselines", "diff", "main", "topic"});
    CHECK(end.code == 4);
    CHECK(end.out.empty());
    CHECK_THAT(end.err, StartsWith(given.error));
}

TEST_CASE("baselines diff of two versions without baselines is an error, not no difference", "[ci][unit]") {
    checkout tool;
    tool.git = [usual = tool.git](const std::vector<std::string>& arguments) {
        return arguments.front() == "ls-tree" ? prints("") : usual(arguments);
    };
    const auto end = tool.run({"baselines", "diff", "main", "topic"});
    CHECK(end.code == 4);
    CHECK_THAT(end.err, StartsWith("perfspec: no baselines in main and none in topic, expected files such as"));
}

}  // namespace perfspec
