// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The commands on files of golden outputs, beside those of baselines.

#include "scripted_tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

const std::string same = "sorting / same_output(eager, inductor)";

/// A baseline and golden outputs of one suite.
struct both_kinds : scripted_tool {
    both_kinds() {
        put_baselines(file_of({entry_about("sorting / latency(f)", 1e6)}));
        put_golden(
            golden_of({outputs_of(same, "01"), outputs_of("b / same_output(x, y)", "02", "2026-11-20T01:00:00Z")}));
    }
};

}  // namespace

TEST_CASE("accept keeps the golden outputs of results where there were none, or others", "[ci][unit]") {
    scripted_tool tool;
    tool.files.put_folder("/project/baselines");
    tool.put_results("r.jsonl", {line_of(golden_result(same, "02", verdict::not_judged)),
                                 line_of(stored_result("a", 1e6, verdict::invalid))});
    const auto first = tool.run({"accept", "r.jsonl"});
    CHECK(first.code == 0);
    CHECK(first.out == "/project/baselines/test-cpu-4c/sorts.json\n"
                       "  a: recorded: 1.002 ms, detects +10 % or more\n"
                       "    nothing was stored for this key (r.jsonl:2)\n"
                       "/project/baselines/test-cpu-4c/sorts.golden\n"
                       "  sorting / same_output(eager, inductor): recorded: 1 output by LibTorch 2.13.0, 2 threads\n"
                       "    no outputs were stored for this key (r.jsonl:1)\n"
                       "2 entries written below /project/baselines; review the diff, and commit it\n");
    golden_outputs kept = outputs_of(same, "02", "2026-11-19T10:00:00Z");
    kept.commit = "9a8b7c6";
    CHECK(tool.golden(golden_of_sorts) == golden_of({kept}));

    record other = golden_result(same, "03", verdict::violated);
    other.time = "2026-11-20T10:00:00Z";
    other.dirty = true;
    tool.put_results("r.jsonl", {line_of(other)});
    const auto again = tool.run({"accept", "r.jsonl"});
    CHECK(again.code == 0);
    CHECK_THAT(
        again.out,
        ContainsSubstring("recorded anew: 1 output by LibTorch 2.13.0, 2 threads\n"
                          "    output 1, float32[4]: 03, stored was output 1, float32[4]: 02 on 2026-11-19 of commit "
                          "9a8b7c6 by LibTorch 2.13.0, 2 threads (r.jsonl:1)\n"
                          "    warning: measured from a working tree with changes after 9a8b7c6: no commit stands for "
                          "these outputs\n"));
    CHECK(tool.golden(golden_of_sorts).entries.front().outputs == outputs_of(same, "03").outputs);
}

TEST_CASE("accept leaves golden outputs alone that hold, are the same, are filtered out, or in a dry run",
          "[ci][unit]") {
    both_kinds tool;
    const std::string before = tool.files.text(golden_of_sorts);
    tool.put_results("r.jsonl", {line_of(golden_result(same, "01", verdict::holds))});
    CHECK(
        tool.run({"accept", "r.jsonl"}).out ==
        "nothing to accept: of 1 result none carries the launches of a baseline, or golden outputs\nnothing was written\n");
    tool.put_results("r.jsonl", {line_of(golden_result(same, "01", verdict::not_judged))});
    CHECK_THAT(
        tool.run({"accept", "r.jsonl"}).out,
        ContainsSubstring(
            "kept: 1 output by LibTorch 2.13.0, 2 threads\n    the same bits are stored already (r.jsonl:1)\nnothing was written"));
    tool.put_results("r.jsonl", {line_of(golden_result(same, "05", verdict::violated))});
    CHECK_THAT(tool.run({"accept", "r.jsonl", "--filter", "latency"}).out, StartsWith("nothing to accept"));
    CHECK_THAT(tool.run({"accept", "r.jsonl", "--dry-run"}).out,
               EndsWith("dry run: 1 entry would be written below /project/baselines\n"));
    CHECK(tool.files.text(golden_of_sorts) == before);
}

TEST_CASE("accept takes the newest golden outputs of a key, and refuses those that are older than the stored ones",
          "[ci][unit]") {
    both_kinds tool;
    record newer = golden_result(same, "07", verdict::violated);
    newer.time = "2026-11-20T10:00:00Z";
    tool.put_results("new.jsonl", {line_of(newer)});
    tool.put_results("old.jsonl", {line_of(golden_result(same, "06", verdict::violated))});
    const auto files = GENERATE(std::vector<std::string>{"old.jsonl", "new.jsonl"},
                                std::vector<std::string>{"new.jsonl", "old.jsonl"});
    const auto end = tool.run({"accept", files[0], files[1]});
    CHECK_THAT(end.out, ContainsSubstring("(new.jsonl:1)\n    1 result of this key with other outputs, not stored\n"));
    CHECK(tool.golden(golden_of_sorts).find(same)->outputs == outputs_of(same, "07").outputs);
    const auto refused = tool.run({"accept", "old.jsonl"});
    CHECK(refused.code == 4);
    CHECK_THAT(refused.out, ContainsSubstring("refused: 1 output") &&
                                ContainsSubstring("are newer than these of 2026-11-19T10:00:00Z; --force"));
    CHECK(tool.run({"accept", "old.jsonl", "--force"}).code == 0);
    CHECK(tool.golden(golden_of_sorts).find(same)->outputs == outputs_of(same, "06").outputs);
}

TEST_CASE("accept writes nothing where a file of golden outputs is broken, and none for a key that was not UTF-8",
          "[ci][unit]") {
    both_kinds tool;
    tool.put_results("r.jsonl", {line_of(golden_result("\xff", "01", verdict::not_judged))});
    const auto lost = tool.run({"accept", "r.jsonl"});
    CHECK(lost.code == 4);
    CHECK_THAT(lost.out, ContainsSubstring("refused") && ContainsSubstring("U+FFFD"));
    tool.files.put(golden_of_sorts, "no JSON");
    tool.put_results("r.jsonl", {line_of(golden_result(same, "02", verdict::not_judged)),
                                 line_of(stored_result("new", 1e6, verdict::invalid))});
    const std::string before = tool.files.text(file_of_sorts);
    const auto broken = tool.run({"accept", "r.jsonl"});
    CHECK(broken.code == 4);
    CHECK_THAT(broken.err, StartsWith("perfspec: " + golden_of_sorts + ":1: "));
    CHECK(tool.files.text(file_of_sorts) == before);
}

TEST_CASE("accept leaves golden outputs alone that hold again in the newest results", "[ci][unit]") {
    both_kinds tool;
    const std::string before = tool.files.text(golden_of_sorts);
    tool.put_results("monday.jsonl", {line_of(golden_result(same, "06", verdict::violated))});
    record tuesday = golden_result(same, "01", verdict::holds);
    tuesday.time = "2026-11-20T10:00:00Z";
    tool.put_results("tuesday.jsonl", {line_of(tuesday)});
    const auto end = tool.run({"accept", "monday.jsonl", "tuesday.jsonl"});
    CHECK(end.code == 0);
    CHECK_THAT(
        end.out,
        ContainsSubstring(
            "the same bits are stored already (tuesday.jsonl:1)\n    1 result of this key with other outputs, not stored\n"));
    CHECK(tool.files.text(golden_of_sorts) == before);
}

TEST_CASE("baselines list shows golden outputs after launches", "[ci][unit]") {
    both_kinds tool;
    CHECK(tool.run({"baselines", "list", "same_output"}).out ==
          "/project/baselines/test-cpu-4c/sorts.golden\n"
          "  sorts on test-cpu-4c\n"
          "  key                                     golden outputs  made by                     age\n"
          "  b / same_output(x, y)                   1               LibTorch 2.13.0, 2 threads  today\n"
          "  sorting / same_output(eager, inductor)  1               LibTorch 2.13.0, 2 threads  2 days\n"
          "2 keys in 2 files\n");
    CHECK_THAT(tool.run({"baselines", "list"}).out, EndsWith("3 keys in 2 files\n"));
}

TEST_CASE("baselines verify reads golden outputs, too", "[ci][unit]") {
    both_kinds tool;
    CHECK(tool.run({"baselines", "verify"}).out == "2 files, 3 keys: no faults\n");
    const std::string text = tool.files.text(golden_of_sorts);
    SECTION("a file that is none") {
        tool.put_baseline_text("/project/baselines/test-cpu-4c/broken.golden", text.substr(0, 200));
        CHECK_THAT(tool.run({"baselines", "verify"}).out, ContainsSubstring("broken.golden:") && EndsWith("1 fault\n"));
    }
    SECTION("a file of another place") {
        tool.put_baseline_text("/project/baselines/test-cpu-4c/other.golden", text);
        CHECK_THAT(
            tool.run({"baselines", "verify"}).out,
            ContainsSubstring("other.golden: it says that it is sorts on test-cpu-4c, expected at " + golden_of_sorts));
    }
    SECTION("a file that perfspec did not write so") {
        tool.files.put(golden_of_sorts, text + "\n");
        const auto end = tool.run({"baselines", "verify"});
        CHECK(end.code == 4);
        CHECK_THAT(end.out, ContainsSubstring("sorts.golden: not in the form that perfspec writes"));
    }
}

}  // namespace perfspec
