// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

record judged(const std::string& key, verdict v, bool failed) {
    record r = stored_result(key, 1e6, v, 2);
    r.failed = failed;
    r.bound = v == verdict::undecided ? 1e6 : 9e5;
    return r;
}

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
    const auto end = tool.run({"merge", "1.jsonl", "2.jsonl", "--shards", "2", "-o", "all.jsonl"});
    CHECK(end.code == 0);
    CHECK(end.out == "1 result of 2 files, complete\n");
    CHECK(tool.files.text("all.jsonl") == tool.files.text("1.jsonl"));
    const auto none = tool.run({"merge", "2.jsonl", "-o", "none.jsonl"});
    CHECK(none.code == 4);
    CHECK(
        none.out ==
        "no results in any shard: see whether the tests ran, and with PERFSPEC_OUTPUT\n0 results of 1 file, not complete\n");
}

TEST_CASE("merge wants each file once, also where it is empty", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("0.jsonl", {});
    tool.put_results("1.jsonl", {line_of(stored_result("a", 1e6, verdict::holds, 2))});
    const auto twice = tool.run({"merge", "0.jsonl", "0.jsonl", "1.jsonl", "--shards", "3", "-o", "all.jsonl"});
    CHECK(twice.code == 4);
    CHECK_THAT(twice.out, ContainsSubstring("0.jsonl: given twice"));
}

TEST_CASE("merge puts complete shards together, byte for byte", "[ci][unit]") {
    scripted_tool tool;
    const record a = stored_result("a", 1e6, verdict::holds, 2);
    tool.put_results("1.jsonl", {to_started_line(a), line_of(a)});
    tool.put_results("2.jsonl", {time_of("b", 1e6)});
    const auto end = tool.run({"merge", "1.jsonl", "2.jsonl", "--shards", "2", "-o", "all.jsonl"});
    CHECK(end.code == 0);
    CHECK(end.out == "2 results of 2 files, complete\n");
    CHECK(tool.files.text("all.jsonl") == tool.files.text("1.jsonl") + tool.files.text("2.jsonl"));
}

TEST_CASE("merge makes a result of a measurement that did not end", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("1.jsonl", {time_of("b", 1e6), to_started_line(stored_result("a", 1e6, verdict::holds, 2))});
    const auto end = tool.run({"merge", "1.jsonl", "-o", "all.jsonl"});
    CHECK(end.code == 4);
    CHECK(end.out == "1.jsonl:2: a: started and has no result\n1 result of 1 file, not complete\n");
    const std::string text = tool.files.text("all.jsonl");
    CHECK_THAT(text, StartsWith(tool.files.text("1.jsonl")));
    const record r = from_json_line(text.substr(text.rfind("\n{") + 1, text.size() - text.rfind("\n{") - 2));
    CHECK(r.key == "a");
    CHECK(r.verdict == verdict::invalid);
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
    const auto merged = tool.run({"merge", "a.jsonl", "-o", "all.jsonl"});
    CHECK(merged.code == 4);
    CHECK_THAT(
        merged.out,
        StartsWith(
            "a.jsonl:2: a line ends in the middle, as a process that is killed leaves it, or a full disk: its result is "
            "lost\n1 result cut short\n"));
    CHECK(tool.files.text("all.jsonl") == time_of("a", 1e6) + "\n" + time_of("c", 1e6) + "\n");
    const auto end = tool.run({"report", "a.jsonl"});
    CHECK(end.code == 4);
    CHECK_THAT(end.out, ContainsSubstring("a.jsonl:2: a line ends in the middle") && ContainsSubstring("2 hold"));
}

TEST_CASE("merge misses shards, and notices those that are given twice or of another commit", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("1.jsonl", {time_of("a", 1e6)});
    tool.put_results("2.jsonl", {time_of("a", 1e6), time_of("b", 1e6)});
    record other = stored_result("c", 1e6, verdict::holds, 2);
    other.commit = "0000000";
    tool.put_results("3.jsonl", {line_of(other)});
    const auto missing = tool.run({"merge", "1.jsonl", "--shards", "2", "-o", "all.jsonl"});
    CHECK(missing.code == 4);
    CHECK_THAT(
        missing.out,
        StartsWith("1 file given, expected 2 shards: the job of a shard did not run, or its artefact is missing\n"));
    const auto twice = tool.run({"merge", "1.jsonl", "2.jsonl", "-o", "all.jsonl"});
    CHECK(twice.code == 4);
    CHECK_THAT(twice.out, StartsWith("2.jsonl:1: the same result as 1.jsonl:1: a shard is given twice"));
    record again = stored_result("a", 2e6, verdict::holds, 2);
    again.run_id = "17-2";
    tool.put_results("4.jsonl", {line_of(again)});
    const auto attempts = tool.run({"merge", "1.jsonl", "4.jsonl", "-o", "all.jsonl"});
    CHECK(attempts.code == 4);
    const auto reason = [&] {
        tool.put_results("4.jsonl", {line_of(again)});
        return tool.run({"merge", "1.jsonl", "4.jsonl", "-o", "all.jsonl"}).out;
    };
    const std::string twins = "4.jsonl:1: \"a\" has a result at 1.jsonl:1, too: ";
    CHECK_THAT(attempts.out, StartsWith(twins + "two runs, attempts or programs: \"\" and \"17-2\"\n"));
    again.shard = "2 of 3";
    CHECK_THAT(reason(), StartsWith(twins + "two shards ran it: \"\" and \"2 of 3\"\n"));
    again.file = "src/map_test.cpp";
    CHECK_THAT(reason(),
               StartsWith(twins + "two programs are called sorts: \"sort_test.cpp:12\" and \"map_test.cpp:12\"\n"));
    again.hardware_key = "another";
    tool.put_results("4.jsonl", {line_of(again)});
    CHECK(tool.run({"merge", "1.jsonl", "4.jsonl", "-o", "all.jsonl"}).code == 0);
    record earlier = stored_result("b", 2e6, verdict::holds, 3);
    earlier.run_id = "16";
    tool.put_results("5.jsonl", {line_of(earlier)});
    const auto runs = tool.run({"merge", "4.jsonl", "5.jsonl", "-o", "all.jsonl"});
    CHECK(runs.code == 4);
    CHECK_THAT(runs.out, StartsWith("results of more than one run: 16 (5.jsonl:1), 17 (4.jsonl:1)\n"));
    earlier.run_id = "17";  // a first attempt; that of the other file is the second one
    tool.put_results("5.jsonl", {line_of(earlier)});
    CHECK(tool.run({"merge", "4.jsonl", "5.jsonl", "-o", "all.jsonl"}).code == 0);
    again.run_id = "2026-05-02";  // days are no attempts
    earlier.run_id = "2026-05-01";
    tool.put_results("4.jsonl", {line_of(again)});
    tool.put_results("5.jsonl", {line_of(earlier)});
    CHECK(tool.run({"merge", "4.jsonl", "5.jsonl", "-o", "all.jsonl"}).code == 4);
    const auto mixed = tool.run({"merge", "1.jsonl", "3.jsonl", "-o", "all.jsonl"});
    CHECK(mixed.code == 4);
    CHECK_THAT(mixed.out, StartsWith("results of more than one commit: 0000000 (3.jsonl:1), 9a8b7c6 (1.jsonl:1)\n"));
}

TEST_CASE("report exits with what the claims add up to", "[ci][unit]") {
    const record holds = judged("a", verdict::holds, false);
    const record violated = judged("b", verdict::violated, true);
    const record invalid = judged("c", verdict::invalid, true);
    const record undecided = judged("d", verdict::undecided, false);
    CHECK(report_of({holds}) == 0);
    CHECK(report_of({holds, violated}) == 2);
    CHECK(report_of({holds, violated, invalid}) == 4);
    CHECK(report_of({holds, judged("b", verdict::violated, false), judged("c", verdict::invalid, false)}) ==
          0);  // PERF_WARN
    CHECK(report_of({holds, undecided}) == 0);
    CHECK(report_of({holds, undecided}, {"--max-undecided", "50%"}) == 0);
    CHECK(report_of({holds, undecided}, {"--max-undecided", "49%"}) == 3);
    CHECK(report_of({holds, undecided, violated}, {"--max-undecided", "0"}) == 2);
    CHECK(report_of({holds, judged("d", verdict::undecided, true)}) == 3);
    CHECK(report_of({judged("e", verdict::not_judged, false)}, {"--max-undecided", "0%"}) == 0);
}

TEST_CASE("report exits with 3 where more claims are without a verdict than is allowed", "[ci][unit]") {
    const record holds = judged("a", verdict::holds, false);
    record nothing = judged("b", verdict::not_judged, false);
    record kept = judged("c", verdict::not_judged, false);
    kept.baseline->action = baseline_action::recorded;
    record fresh = judged("d", verdict::not_judged, false);
    fresh.baseline->action = baseline_action::is_new;
    record measured = judged("e", verdict::holds, false);  // a PERF_RECORD claims nothing
    measured.macro = "PERF_RECORD";
    measured.bound.reset();
    measured.comparison.clear();
    record in_python = measured;
    in_python.macro = "perf.record";
    const std::vector<record> all{holds, nothing, kept, fresh, measured, in_python};
    CHECK(report_of(all) == 0);
    CHECK(report_of(all, {"--max-not-judged", "50%"}) == 0);
    CHECK(report_of(all, {"--max-not-judged", "49%"}) == 3);
    CHECK(report_of(all, {"--max-not-judged", "1"}) == 4);  // one percent, or all?
    CHECK(report_of(all, {"--max-not-judged", "100%"}) == 0);
    CHECK(report_of(all, {"--max-new", "25%"}) == 0);
    CHECK(report_of(all, {"--max-new", "24%"}) == 3);
    CHECK(report_of({fresh}, {"--max-not-judged", "0%"}) == 0);
    CHECK(report_of({fresh}, {"--max-new", "99%"}) == 3);
    CHECK(report_of({kept, judged("f", verdict::violated, true)}, {"--max-not-judged", "0%"}) == 2);
}

TEST_CASE("report says which share of claims is too large", "[ci][unit]") {
    scripted_tool tool;
    record fresh = judged("d", verdict::not_judged, false);
    fresh.baseline->action = baseline_action::is_new;
    tool.put_results("r.jsonl",
                     {line_of(judged("a", verdict::holds, false)), line_of(judged("b", verdict::undecided, false)),
                      line_of(judged("c", verdict::not_judged, false)), line_of(fresh)});
    const auto end = tool.run(
        {"report", "r.jsonl", "--quiet", "--max-undecided", "10%", "--max-not-judged", "20%", "--max-new", "5%"});
    CHECK(end.code == 3);
    CHECK_THAT(end.out, EndsWith("perfspec: 1 of 2 judged claims undecided, more than the allowed 10 %\n"
                                 "perfspec: 1 of 4 claims not judged, more than the allowed 20 %\n"
                                 "perfspec: 1 of 4 claims new, more than the allowed 5 %\n"));
    tool.put_results("u.jsonl", {line_of(judged("b", verdict::undecided, true))});
    CHECK_THAT(tool.run({"report", "u.jsonl", "--quiet"}).out,
               EndsWith("perfspec: an undecided claim fails its test\n"));
}

TEST_CASE("report shows what failed, and the summary of the run", "[ci][unit]") {
    scripted_tool tool;
    const auto end =
        tool.run_on({judged("a", verdict::holds, false), judged("b", verdict::violated, true)}, {"report"});
    CHECK_THAT(end.out, StartsWith("sort_test.cpp:12: PERF_CHECK( latency(sort) < 1.06 * baseline() )  violated\n") ||
                            StartsWith("sort_test.cpp:12: evaluate( latency(sort) < 1.06 * baseline() )  violated\n"));
    CHECK_THAT(end.out, ContainsSubstring("\nperfspec: 2 assertions: 1 holds, 1 violated; measuring took 0 s\n"));
    CHECK_THAT(tool.run({"report", "r.jsonl", "--quiet"}).out, StartsWith("perfspec: 2 assertions: "));
}

TEST_CASE("report prints annotations on request", "[ci][unit]") {
    scripted_tool tool;
    tool.variables["GITHUB_WORKSPACE"] = "/checkout";
    record r = judged("b", verdict::undecided, false);
    r.file = "/checkout/sort_test.cpp";
    CHECK_THAT(tool.run_on({judged("a", verdict::holds, false), r}, {"report", "--annotations"}).out,
               ContainsSubstring("\n::warning file=sort_test.cpp,line=12,title="));
    CHECK_THAT(tool.run({"report", "r.jsonl"}).out, !ContainsSubstring("::warning"));
}

}  // namespace perfspec
