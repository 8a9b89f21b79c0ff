// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <support/test.hpp>

#include <fmt/format.h>

namespace perfspec {

using namespace testing;

TEST_CASE("report writes Markdown that no name can break", "[ci][unit]") {
    scripted_tool tool;
    record r = judged("b", verdict::violated, true);
    r.claim = "latency(\"a|b\") < `3ms` <img> @someone\n# head";
    r.reason = "it *is*";
    r.commands = {{"again", "ctest -R '```'"}};
    const auto end = tool.ends_on(1, {judged("a", verdict::holds, false), r}, "report --markdown -");
    CHECK(tool.run({"report", "r.jsonl", "--markdown", "r.md"}).code == 1);
    CHECK(tool.files.text("r.md") == end.out);
}

TEST_CASE("report in Markdown has a hundred rows, and counts the others, so that it fits into a comment",
          "[ci][unit]") {
    scripted_tool tool;
    std::vector<std::string> lines;
    for (int i = 0; i < 103; ++i) {
        record r = judged(fmt::format("k{}", i), verdict::violated, true);
        r.test = fmt::format("test {}", i);
        r.notes = {fmt::format("note {}", i)};
        r.claim = fmt::format("claim {}", i);
        r.commands = {{"again", fmt::format("ctest -R '^test {}$'", i)}};
        lines.push_back(line_of(r));
    }
    tool.put_results("r.jsonl", lines);
    const std::string text = tool.run({"report", "r.jsonl", "--markdown", "-"}).out;
    CHECK_THAT(text, StartsWith("### perfspec: 103 violated\n"));
    CHECK_THAT(text, ContainsSubstring("| `test 99` |") && !ContainsSubstring("| `test 100` |"));
    CHECK_THAT(text, ContainsSubstring("|\n\nand 3 more; --html writes a page with all\n\nNotes:\n"));
    CHECK_THAT(text, ContainsSubstring("- `claim 99`: note 99\n\nand 3 more; --html writes a page with all\n"));
    CHECK_THAT(text, ContainsSubstring("'^test 99$'") && !ContainsSubstring("'^test 100$'"));
    CHECK(text.size() < 65'536);
}

TEST_CASE("report in Markdown shows what was skipped, why, and what to type; and what is new", "[ci][unit]") {
    scripted_tool tool;
    record unknown = judged("a", verdict::skipped, false);
    unknown.estimate.reset();
    unknown.bound.reset();
    unknown.reason = "no baselines for hardware \"x\" are committed";
    unknown.commands = {{"again", "ctest -R sort"},
                        {"from CI", "perfspec accept 'r.jsonl' --baseline-dir 'baselines'"}};
    record fresh = judged("b", verdict::skipped, false);
    fresh.bound.reset();
    fresh.baseline->action = baseline_action::is_new;
    fresh.reason = "the baseline build does not have this claim";
    record kept = judged("c", verdict::skipped, false);
    kept.baseline->action = baseline_action::kept;
    tool.ends_on(0, {fresh, kept, judged("d", verdict::holds, false), judged("e", verdict::holds, false), unknown},
                 "report --markdown -");
}

TEST_CASE("a claim that looks violated has a word of its own in every report, and an exit code", "[ci][unit]") {
    scripted_tool tool;
    record open = judged("a", verdict::undecided, false);
    open.reason = "close";
    open.bound = 9e5;
    tool.put_records("r.jsonl", {open, judged("b", verdict::holds, false)});
    tool.ends(3, "report r.jsonl --markdown r.md --html r.html");
    CHECK_RECORDED(tool.files.text("r.md"));
    CHECK_THAT(tool.files.text("r.html"), ContainsSubstring("\"concern\":\"suspect\",\"word\":\"looks violated\""));
    CHECK(tool.run({"export", "r.jsonl", "--format", "junit", "-o", "r.xml"}).code == 0);
    CHECK_THAT(tool.files.text("r.xml"), ContainsSubstring("<skipped message=\"close\" type=\"looks violated\"/>"));
    record inside = open;
    inside.bound = 2e6;
    CHECK(tool.run_on({inside}, {"report"}).code == 0);
}

TEST_CASE("report in Markdown links a place to its page at the commit", "[ci][unit]") {
    using variables = std::map<std::string, std::string>;
    const variables github{{"GITHUB_SERVER_URL", "https://github.com"},
                           {"GITHUB_REPOSITORY", "owner/project"},
                           {"GITHUB_SHA", "3f2c1ab"},
                           {"GITHUB_WORKSPACE", "/checkout"}};
    variables elsewhere = github;
    elsewhere["GITHUB_WORKSPACE"] = "/elsewhere";
    const variables gitlab{{"CI_PROJECT_URL", "https://gitlab.com/owner/project"},
                           {"CI_COMMIT_SHA", "3f2c1ab"},
                           {"CI_PROJECT_DIR", "/checkout"}};
    record violated = judged("b", verdict::violated, true);
    violated.file = "/checkout/tests/sort test.cpp";
    scripted_tool tool;
    for (const auto& [label, of] : std::map<std::string, variables>{
             {"GitHub", github}, {"GitLab", gitlab}, {"elsewhere", elsewhere}, {"no commit", {*github.rbegin()}}}) {
        tool.variables = of;
        tool.ends_on(1, {violated}, "report --markdown -", label);
    }
}

TEST_CASE("report in Markdown shows gains of 5 % or more on a baseline", "[ci][unit]") {
    scripted_tool tool;
    record gain = judged("a", verdict::holds, false);
    gain.test = "parsing";
    gain.sections = {"large"};
    gain.baseline->median = 1.25e6;
    gain.bound = 1.06 * 1.25e6;
    record same = judged("b", verdict::holds, false);
    same.baseline->median = 1.04e6;
    record loss = judged("c", verdict::holds, false);
    loss.baseline->median = 0.945e6;
    tool.ends_on(0, {gain, same, loss}, "report --markdown -");
}

TEST_CASE("report writes colors on request, and never into Markdown", "[ci][unit]") {
    scripted_tool tool;
    tool.color = console_color::always;
    tool.ends_on(1, {judged("b", verdict::violated, true)}, "report");
    tool.ends(1, "report r.jsonl --markdown -");
}

TEST_CASE("report in Markdown begins with what failed, and ends with what is new", "[ci][unit]") {
    scripted_tool tool;
    record fresh = judged("f", verdict::skipped, false);
    fresh.baseline->action = baseline_action::is_new;
    const std::string text =
        tool.run_on({fresh, judged("n", verdict::skipped, false), judged("u", verdict::undecided, false),
                     judged("i", verdict::error, true), judged("v", verdict::violated, true)},
                    {"report", "--markdown", "-"})
            .out;
    std::size_t before = 0;
    for (const char* const word : {"**violated**", "**error**", "**undecided**", "**skipped**", "**new**"}) {
        CAPTURE(word);
        const std::size_t at = text.find(word);
        REQUIRE(at != std::string::npos);
        CHECK(at > before);
        before = at;
    }
}

TEST_CASE("report in Markdown lists each note of a claim once, of claims that hold, too", "[ci][unit]") {
    scripted_tool tool;
    record r = judged("a", verdict::holds, false);
    r.claim = "latency(sort) < 3ms";
    r.notes = {"the first call of \"sort\" took 3 ms"};
    record repeated = r;
    repeated.key = "b";
    CHECK_RECORDED(tool.run_on({r, repeated}, {"report", "--markdown", "-"}).out);
}

TEST_CASE("report does not mix annotations into the Markdown that it prints", "[ci][unit]") {
    scripted_tool tool;
    tool.ends_on(2, {judged("b", verdict::violated, true)}, "report --markdown - --annotations");
    CHECK(tool.run({"report", "r.jsonl", "--markdown", "r.md", "--annotations"}).code == 1);
}

}  // namespace perfspec
