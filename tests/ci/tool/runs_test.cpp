// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <tool/results/results.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

const std::string yesterday = "2026-11-18T10:00:00Z";
const std::string today = "2026-11-19T10:00:00Z";

/// A result of a run.
record of_run(const std::string& run, const std::string& time, const std::string& key, verdict v = verdict::holds) {
    record r = stored_result(key, 1e6, v, 2);
    r.time = time;
    r.host = "desk";
    r.started_by = run;
    return r;
}

/// The tool, with these results in r.jsonl.
struct tool_with : scripted_tool {
    explicit tool_with(const std::vector<record>& records) { put_records("r.jsonl", records); }
};

}  // namespace

TEST_CASE("report judges the newest run of each key, and says what is older", "[ci][unit]") {
    tool_with tool({of_run("1", yesterday, "a", verdict::violated), of_run("1", yesterday, "b"),
                    of_run("2", today, "a"), of_run("2", today, "b")});
    tool.ends(0, "report r.jsonl");
}

TEST_CASE("report hides no failure of the newest run behind another result of its key", "[ci][unit]") {
    // a loop, two generator values, a test that ctest repeats: in one process or in two, the older result first or last
    const auto [first, second] =
        GENERATE(table<verdict, verdict>({{verdict::violated, verdict::holds}, {verdict::holds, verdict::violated}}));
    record later = of_run("2", "2026-11-19T10:00:05Z", "a", second);
    CHECK(tool_with({of_run("1", yesterday, "a"), of_run("2", today, "a", first), later})
              .run({"report", "r.jsonl"})
              .code == 1);
}

TEST_CASE("report counts what is only in an older run", "[ci][unit]") {
    tool_with tool(
        {of_run("1", yesterday, "a"), of_run("1", yesterday, "b", verdict::violated), of_run("2", today, "a")});
    tool.ends(1, "report r.jsonl");
}

TEST_CASE("in CI nothing without the id of a run is an older run, however programs were started", "[ci][unit]") {
    tool_with tool({of_run("1", yesterday, "a", verdict::violated), of_run("2", today, "a")});
    CHECK(tool.run({"report", "r.jsonl"}).code == 0);
    tool.variables["CI"] = "true";
    tool.ends(1, "report r.jsonl");
}

TEST_CASE("a result without a time is of no older run", "[ci][unit]") {
    tool_with tool({of_run("7", today, "a"), of_run("", "", "b")});
    tool.ends(0, "report r.jsonl");
}

TEST_CASE("runs are distinguished by CI's id, else by the process that started them on a machine", "[ci][unit]") {
    const auto count = [](record first, record second) {
        tool_with tool({first, second});
        return tool.run({"report", "r.jsonl", "--quiet"}).out;
    };
    record a = of_run("1", yesterday, "a");
    record b = of_run("2", today, "a");
    CHECK_THAT(count(a, b), ContainsSubstring("1 claim: "));
    a.host = "other desk";
    CHECK_THAT(count(a, b), StartsWith("perfspec: 2 claims: "));
    a.run_id = b.run_id = "77";
    CHECK_THAT(count(a, b), StartsWith("perfspec: 2 claims: "));
    b.run_id = "78";
    CHECK_THAT(count(a, b), ContainsSubstring("1 claim: "));
    b.hardware_key = "other-cpu-8c";
    CHECK_THAT(count(a, b), ContainsSubstring("2 claims: "));
}

TEST_CASE("a measurement of the newest run that has no result is no older one's", "[ci][unit]") {
    const auto report = [](const std::vector<std::string>& lines) {
        scripted_tool tool;
        tool.put_results("r.jsonl", lines);
        return tool.run({"report", "r.jsonl"}).code;
    };
    const record old_one = of_run("1", yesterday, "a");
    const record cut = of_run("2", today, "a");
    CHECK(report({line_of(old_one), to_started_line(cut)}) == 4);
    CHECK(report({to_started_line(old_one), line_of(cut)}) == 0);  // cut yesterday
}

TEST_CASE("accept and compare take the newest run", "[ci][unit]") {
    record before = of_run("1", yesterday, "a");
    before.estimate->value = 5e6;
    tool_with tool({of_run("2", today, "a"), before});  // in whichever order they stand
    tool.put_results("now.jsonl", {line_of(of_run("3", today, "a"))});
    tool.ends(0, "compare r.jsonl now.jsonl");
    tool.ends(0, "accept r.jsonl --baseline-dir baselines --dry-run");
}

}  // namespace perfspec
