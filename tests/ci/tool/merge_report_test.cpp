// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

int report_of(const std::vector<record>& records, const std::vector<std::string>& more = {}) {
    scripted_tool tool;
    tool.put_records("r.jsonl", records);
    std::vector<std::string> arguments{"report", "r.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tool.run(arguments).code;
}

}  // namespace

TEST_CASE("merge takes an empty file for a shard without performance tests", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("1.jsonl", {time_of("a", 1e6)});
    tool.files.put("2.jsonl", GENERATE("", "\n"));
    tool.ends(0, "merge 1.jsonl 2.jsonl --shards 2 -o all.jsonl");
    CHECK(tool.files.text("all.jsonl") == tool.files.text("1.jsonl"));
    tool.ends(4, "merge 2.jsonl -o none.jsonl");
}

TEST_CASE("merge wants each file once, also where it is empty", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("0.jsonl", {});
    tool.put_results("1.jsonl", {line_of(stored_result("a", 1e6, verdict::holds, 2))});
    tool.ends(4, "merge 0.jsonl 0.jsonl 1.jsonl --shards 3 -o all.jsonl");
}

TEST_CASE("merge puts complete shards together, byte for byte", "[ci][unit]") {
    scripted_tool tool;
    const record a = stored_result("a", 1e6, verdict::holds, 2);
    tool.put_results("1.jsonl", {to_started_line(a), line_of(a)});
    tool.put_results("2.jsonl", {time_of("b", 1e6)});
    tool.ends(0, "merge 1.jsonl 2.jsonl --shards 2 -o all.jsonl");
    CHECK(tool.files.text("all.jsonl") == tool.files.text("1.jsonl") + tool.files.text("2.jsonl"));
}

TEST_CASE("merge makes a result of a measurement that did not end", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("1.jsonl", {time_of("b", 1e6), to_started_line(stored_result("a", 1e6, verdict::holds, 2))});
    tool.ends(4, "merge 1.jsonl -o all.jsonl");
    const std::string text = tool.files.text("all.jsonl");
    CHECK_THAT(text, StartsWith(tool.files.text("1.jsonl")));
    const record r = from_json_line(text.substr(text.rfind("\n{") + 1, text.size() - text.rfind("\n{") - 2));
    CHECK(r.key == "a");
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    CHECK_THAT(r.reason, StartsWith("the measurement started and has no result"));
    CHECK(r.failure == failure_kind::unfinished);
    CHECK(r.verified->code == verification_code::verifier_didnt_run);
    tool.put_results("again.jsonl", {});
    tool.files.put("again.jsonl", text);
    CHECK(tool.run({"report", "again.jsonl"}).code == 4);
}

TEST_CASE("merge and report say that a result was cut short, and use the others", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("a.jsonl", {time_of("a", 1e6), time_of("b", 1e6).substr(0, 99), time_of("c", 1e6)});
    tool.ends(4, "merge a.jsonl -o all.jsonl");
    CHECK(tool.files.text("all.jsonl") == time_of("a", 1e6) + "\n" + time_of("c", 1e6) + "\n");
    tool.ends(4, "report a.jsonl");
}

TEST_CASE("merge misses shards, and notices those that are given twice or of another commit", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("1.jsonl", {time_of("a", 1e6)});
    tool.put_results("2.jsonl", {time_of("a", 1e6), time_of("b", 1e6)});
    record other = stored_result("c", 1e6, verdict::holds, 2);
    other.commit = "0000000";
    tool.put_results("3.jsonl", {line_of(other)});
    tool.ends(4, "merge 1.jsonl --shards 2 -o all.jsonl");
    tool.ends(4, "merge 1.jsonl 2.jsonl -o all.jsonl");
    record again = stored_result("a", 2e6, verdict::holds, 2);
    again.run_id = "17-2";
    tool.put_results("4.jsonl", {line_of(again)});
    tool.ends(4, "merge 1.jsonl 4.jsonl -o all.jsonl", "another attempt");
    again.shard = "2 of 3";
    tool.put_results("4.jsonl", {line_of(again)});
    tool.ends(4, "merge 1.jsonl 4.jsonl -o all.jsonl", "another shard");
    again.file = "src/map_test.cpp";
    tool.put_results("4.jsonl", {line_of(again)});
    tool.ends(4, "merge 1.jsonl 4.jsonl -o all.jsonl", "another file");
    again.hardware_key = "another";
    tool.put_results("4.jsonl", {line_of(again)});
    CHECK(tool.run({"merge", "1.jsonl", "4.jsonl", "-o", "all.jsonl"}).code == 0);
    record earlier = stored_result("b", 2e6, verdict::holds, 3);
    earlier.run_id = "16";
    tool.put_results("5.jsonl", {line_of(earlier)});
    tool.ends(4, "merge 4.jsonl 5.jsonl -o all.jsonl");
    earlier.run_id = "17";  // a first attempt; that of the other file is the second one
    tool.put_results("5.jsonl", {line_of(earlier)});
    CHECK(tool.run({"merge", "4.jsonl", "5.jsonl", "-o", "all.jsonl"}).code == 0);
    again.run_id = "2026-05-02";  // days are no attempts
    earlier.run_id = "2026-05-01";
    tool.put_results("4.jsonl", {line_of(again)});
    tool.put_results("5.jsonl", {line_of(earlier)});
    CHECK(tool.run({"merge", "4.jsonl", "5.jsonl", "-o", "all.jsonl"}).code == 4);
    tool.ends(4, "merge 1.jsonl 3.jsonl -o all.jsonl");
}

TEST_CASE("report exits with what the claims add up to", "[ci][unit]") {
    const record holds = judged("a", verdict::holds, false);
    const record violated = judged("b", verdict::violated, true);
    const record error = judged("c", verdict::error, true);
    const record undecided = judged("d", verdict::undecided, false);
    CHECK(report_of({holds}) == 0);
    CHECK(report_of({holds, violated}) == 1);
    CHECK(report_of({holds, violated, error}) == 4);
    CHECK(report_of({holds, judged("b", verdict::violated, false), judged("c", verdict::error, false)}) ==
          0);  // PERF_WARN
    CHECK(report_of({holds, undecided}) == 0);
    CHECK(report_of({holds, undecided}, {"--max-undecided", "50%"}) == 0);
    CHECK(report_of({holds, undecided}, {"--max-undecided", "49%"}) == 3);
    CHECK(report_of({holds, undecided, violated}, {"--max-undecided", "0"}) == 1);
    CHECK(report_of({holds, judged("d", verdict::undecided, true)}) == 3);
    CHECK(report_of({judged("e", verdict::skipped, false)}, {"--max-undecided", "0%"}) == 0);
}

TEST_CASE("report exits with 3 where more claims are without a verdict than is allowed", "[ci][unit]") {
    const record holds = judged("a", verdict::holds, false);
    record nothing = judged("b", verdict::skipped, false);
    record kept = judged("c", verdict::skipped, false);
    kept.baseline->action = baseline_action::recorded;
    record fresh = judged("d", verdict::skipped, false);
    fresh.baseline->action = baseline_action::is_new;
    record measured = judged("e", verdict::holds, false);  // a PERF_MEASURE claims nothing
    measured.macro = "PERF_MEASURE";
    measured.bound.reset();
    measured.comparison.clear();
    record in_python = measured;
    in_python.macro = "perf.measure";
    const std::vector<record> all{holds, nothing, kept, fresh, measured, in_python};
    CHECK(report_of(all) == 0);
    CHECK(report_of(all, {"--max-skipped", "50%"}) == 0);
    CHECK(report_of(all, {"--max-skipped", "49%"}) == 3);
    CHECK(report_of(all, {"--max-skipped", "1"}) == 2);  // one percent, or all?
    CHECK(report_of(all, {"--max-skipped", "100%"}) == 0);
    CHECK(report_of(all, {"--max-new", "25%"}) == 0);
    CHECK(report_of(all, {"--max-new", "24%"}) == 3);
    CHECK(report_of({fresh}, {"--max-skipped", "0%"}) == 0);
    CHECK(report_of({fresh}, {"--max-new", "99%"}) == 3);
    CHECK(report_of({kept, judged("f", verdict::violated, true)}, {"--max-skipped", "0%"}) == 1);
}

TEST_CASE("report says which share of claims is too large", "[ci][unit]") {
    scripted_tool tool;
    record fresh = judged("d", verdict::skipped, false);
    fresh.baseline->action = baseline_action::is_new;
    tool.put_results("r.jsonl",
                     {line_of(judged("a", verdict::holds, false)), line_of(judged("b", verdict::undecided, false)),
                      line_of(judged("c", verdict::skipped, false)), line_of(fresh)});
    tool.ends(3, "report r.jsonl --quiet --max-undecided 10% --max-skipped 20% --max-new 5%");
    tool.put_results("u.jsonl", {line_of(judged("b", verdict::undecided, true))});
    tool.ends(3, "report u.jsonl --quiet");
}

TEST_CASE("report shows what failed, and the summary of the run", "[ci][unit]") {
    scripted_tool tool;
    tool.ends_on(1, {judged("a", verdict::holds, false), judged("b", verdict::violated, true)}, "report");
    tool.ends(1, "report r.jsonl --quiet");
}

TEST_CASE("report prints annotations on request", "[ci][unit]") {
    scripted_tool tool;
    tool.variables["GITHUB_WORKSPACE"] = "/checkout";
    record r = judged("b", verdict::undecided, false);
    r.file = "/checkout/sort_test.cpp";
    tool.ends_on(0, {judged("a", verdict::holds, false), r}, "report --annotations");
    tool.ends(0, "report r.jsonl");
}

}  // namespace perfspec
