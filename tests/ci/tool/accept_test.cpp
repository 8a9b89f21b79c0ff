// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

const std::string sorted = "sorting / latency(sort)";

/// The tool, with a folder for baselines.
struct accepting_tool : scripted_tool {
    accepting_tool() { files.put_folder("/project/baselines"); }

    tool::program_end accept(const std::vector<record>& results, std::vector<std::string> options = {}) {
        options.insert(options.begin(), "accept");
        return run_on(results, std::move(options));
    }
};

}  // namespace

TEST_CASE("accept stores the launches of a key that had none", "[ci][unit]") {
    const auto v = GENERATE(verdict::not_judged, verdict::invalid);
    accepting_tool tool;
    const auto end = tool.accept({stored_result(sorted, 1e6, v)});
    CHECK(end.code == 0);
    CHECK(end.out == "/project/baselines/test-cpu-4c/sorts.json\n"
                     "  sorting / latency(sort): recorded: 1.002 ms, detects +10 % or more\n"
                     "    nothing was stored for this key (r.jsonl:1)\n"
                     "1 entry written below /project/baselines; review the diff, and commit it\n");
    const baseline_file file = tool.stored(file_of_sorts);
    REQUIRE(file.entries.size() == 1);
    CHECK(file.entries[0].key == sorted);
    CHECK(file.entries[0].unit == "ns");
    CHECK(file.entries[0].launches.size() == 10);
    CHECK(file.entries[0].launches[0].commit == "3f2c1ab");
}

TEST_CASE("accept stores the operators of a model with its launches, and refuses those that no file may hold",
          "[ci][unit]") {
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about(sorted, 1e6)}));
    record r = stored_result(sorted, 1.2e6, verdict::violated);
    r.baseline->operators = operator_profile{"2 threads", {{"aten::conv2d", 523456, 9}}, 120};
    CHECK(tool.accept({r}).code == 0);
    CHECK(tool.stored(file_of_sorts).find(sorted)->operators ==
          operator_profile{"2 threads", {{"aten::conv2d", 523000, 9}}, 120});

    r.baseline->operators->longest[0].self_ns = -1;
    const auto end = tool.accept({r}, {"--force", "--append"});
    CHECK(end.code == 4);
    CHECK_THAT(end.out, ContainsSubstring("it cannot be stored: the operator \"aten::conv2d\" has \"ns\" -1 and"));
}

TEST_CASE("accept replaces an entry that moved, and leaves the others byte for byte", "[ci][unit]") {
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about("a", 5e5), entry_about(sorted, 1e6), entry_about("z", 7e5)}));
    const std::string before = tool.files.text(file_of_sorts);
    const auto end = tool.accept({stored_result(sorted, 1.2e6, verdict::violated)});
    CHECK(end.code == 0);
    CHECK_THAT(end.out,
               ContainsSubstring("recorded anew: was 1.002 ms, is 1.202 ms (+20 %), detects +10 % or more\n"
                                 "    the median launch moved by +20 %, a third of the headroom is 2 % (r.jsonl:1)\n"));
    const std::string after = tool.files.text(file_of_sorts);
    const auto end_of_first = before.find("\n    \"" + sorted);
    const auto begin_of_last = before.find("\n    \"z\"");
    CHECK(after.substr(0, end_of_first) == before.substr(0, end_of_first));
    CHECK_THAT(after, EndsWith(before.substr(begin_of_last)));
    CHECK(tool.stored(file_of_sorts).find(sorted)->launches.front().value == 1.2e6);
}

TEST_CASE("accept leaves an entry that moved little", "[ci][unit]") {
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about(sorted, 1e6)}));
    const std::string before = tool.files.text(file_of_sorts);
    const auto end = tool.accept({stored_result(sorted, 1.01e6, verdict::violated)});
    CHECK(end.code == 0);
    CHECK_THAT(end.out, ContainsSubstring("kept: stored 1.002 ms, measured 1.012 ms"));
    CHECK_THAT(end.out, EndsWith("nothing was written\n"));
    CHECK(tool.files.text(file_of_sorts) == before);
}

TEST_CASE("accept decides by the smallest headroom of a key's claims", "[ci][unit]") {
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about(sorted, 1e6)}));
    record tight = stored_result(sorted, 1.01e6, verdict::violated);
    tight.baseline->headroom = 0.02;
    CHECK_THAT(tool.accept({stored_result(sorted, 1.01e6, verdict::violated), tight,
                            stored_result(sorted, 1.01e6, verdict::violated)})
                   .out,
               ContainsSubstring("recorded anew"));
}

TEST_CASE("accept takes the newest of several results of a key, in any order of files", "[ci][unit]") {
    accepting_tool tool;
    record newer = stored_result(sorted, 1.3e6, verdict::not_judged);
    newer.baseline->taken = launches_about(1.3e6, 10, "2026-11-20");
    tool.put_results("old.jsonl", {line_of(stored_result(sorted, 1.2e6, verdict::not_judged))});
    tool.put_results("new.jsonl", {line_of(newer)});
    const auto files = GENERATE(std::vector<std::string>{"old.jsonl", "new.jsonl"},
                                std::vector<std::string>{"new.jsonl", "old.jsonl"});
    const auto end = tool.run({"accept", files[0], files[1]});
    CHECK_THAT(end.out, ContainsSubstring("(new.jsonl:1)\n    1 result of this key with older launches, not stored\n"));
    CHECK(tool.stored(file_of_sorts).find(sorted)->launches.front().value == 1.3e6);
}

TEST_CASE("accept refuses results of two programs that have one name", "[ci][unit]") {
    accepting_tool tool;
    record other = stored_result(sorted, 1.2e6, verdict::not_judged);
    other.file = "map_test.cpp";
    const auto end = tool.accept({stored_result(sorted, 1.1e6, verdict::not_judged), other});
    CHECK(end.code == 4);
    CHECK_THAT(end.out,
               ContainsSubstring("map_test.cpp and sort_test.cpp have this key: give one of two programs that are "
                                 "called " +
                                 other.suite + " another name"));
    CHECK_FALSE(tool.files.has(file_of_sorts));
}

TEST_CASE("accept refuses a claim under a key that another file recorded", "[ci][unit]") {
    accepting_tool tool;
    baseline_entry other = entry_about(sorted, 1e6);
    other.source = "map_test.cpp:3";
    tool.put_baselines(file_of({other}));
    const auto end = tool.accept({stored_result(sorted, 1.2e6, verdict::violated)});
    CHECK(end.code == 4);
    CHECK_THAT(end.out, ContainsSubstring("map_test.cpp:3 recorded it, and sort_test.cpp:12 claims it") &&
                            ContainsSubstring("; --force stores them anyway"));
    CHECK(tool.stored(file_of_sorts).find(sorted)->source == "map_test.cpp:3");
    CHECK(tool.accept({stored_result(sorted, 1.2e6, verdict::violated)}, {"--force"}).code == 0);
    CHECK(tool.stored(file_of_sorts).find(sorted)->source == "sort_test.cpp:12");
}

TEST_CASE("accept keeps hardware, variants and suites apart", "[ci][unit]") {
    accepting_tool tool;
    record other = stored_result(sorted, 2e6, verdict::not_judged);
    other.hardware_key = "other-cpu-8c";
    record clang = stored_result(sorted, 3e6, verdict::not_judged);
    clang.build_variant = "clang";
    record suite = stored_result(sorted, 4e6, verdict::not_judged);
    suite.suite = "../evil";
    CHECK(tool.accept({other, clang, suite}).code == 0);
    CHECK(tool.stored("/project/baselines/other-cpu-8c/sorts.json").entries.at(0).launches.at(0).value == 2e6);
    CHECK(tool.stored("/project/baselines/test-cpu-4c/clang/sorts.json").entries.at(0).launches.at(0).value == 3e6);
    CHECK(tool.stored("/project/baselines/test-cpu-4c/%2E.%2Fevil.json").entries.at(0).launches.at(0).value == 4e6);
}

TEST_CASE("accept stores only keys with the pattern", "[ci][unit]") {
    accepting_tool tool;
    CHECK(tool.accept({stored_result("a / latency(f)", 1e6, verdict::not_judged),
                       stored_result("b / latency(f)", 1e6, verdict::not_judged),
                       stored_result("b / latency(g)", 1e6, verdict::not_judged)},
                      {"--filter", "b*(f"})
              .code == 0);
    const baseline_file file = tool.stored(file_of_sorts);
    REQUIRE(file.entries.size() == 1);
    CHECK(file.entries[0].key == "b / latency(f)");
}

TEST_CASE("accept --dry-run prints what it would do, and writes nothing", "[ci][unit]") {
    accepting_tool tool;
    const auto end = tool.accept({stored_result(sorted, 1e6, verdict::not_judged)}, {"--dry-run"});
    CHECK(end.code == 0);
    CHECK_THAT(end.out, ContainsSubstring("recorded: 1.002 ms"));
    CHECK_THAT(end.out, EndsWith("dry run: 1 entry would be written below /project/baselines\n"));
    CHECK(tool.files.done.empty());
}

TEST_CASE("accept refuses launches that were disturbed or are old, unless it is forced", "[ci][unit]") {
    struct row {
        void (*change)(record& r);
        std::string reason;
    };
    const auto example = GENERATE(values<row>({
        {[](record& r) {
             for (std::size_t i = 0; i < 10; i += 2) {
                 stored_launch& l = r.baseline->taken[i];
                 l.value = l.q1 = l.q3 = l.p90 = l.p99 = 2.4e6;
             }
         },
         "the launches vary by"},
        {[](record& r) {
             r.disturbed.cores = 4;
             r.disturbed.runnable = 30;
             r.disturbed.lengthened = 3;
         },
         "other work lengthened 3 of 10 launches: up to 30 threads wanted to run on 4 cores: run it again"},
        {[](record& r) {
             r.disturbed.devices = {{.device = "cuda:0", .text = "cuda:0 slowed down by heat", .slowdown = 2.0}};
             r.disturbed.slowed_device = 3;
         },
         "cuda:0 slowed down by heat, in 3 of 10 launches: run it again when the device is cool"},
        {[](record& r) { r.baseline->taken = launches_about(1.2e6, 10, "2026-11-17"); },
         "the stored launches of 2026-11-18T10:00:09Z are newer than these of 2026-11-17T10:00:09Z"},
    }));
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about(sorted, 1e6)}));
    record r = stored_result(sorted, 1.2e6, verdict::violated);
    r.evidence.launches = 10;
    example.change(r);
    const auto end = tool.accept({r});
    CHECK(end.code == 4);
    CHECK_THAT(end.out, ContainsSubstring("refused: ") && ContainsSubstring(example.reason) &&
                            ContainsSubstring("; --force stores them") && !ContainsSubstring("--perf-"));
    CHECK(tool.files.done.empty());
    CHECK(tool.accept({r}, {"--force"}).code == 0);
    CHECK(tool.stored(file_of_sorts).find(sorted)->launches.front().value > 1e6);
}

TEST_CASE("accept refuses launches that no baseline file may hold", "[ci][unit]") {
    accepting_tool tool;
    record broken = stored_result(sorted, 1e6, verdict::not_judged);
    broken.baseline->taken[3].value = -1.0;
    const auto end = tool.accept({broken});
    CHECK(end.code == 4);
    CHECK_THAT(end.out, ContainsSubstring("it cannot be stored: \"value\" is -1"));
    CHECK(tool.files.done.empty());
}

TEST_CASE("accept refuses a key that was no UTF-8", "[ci][unit]") {
    accepting_tool tool;
    const auto end = tool.accept({stored_result("latency(\xff)", 1e6, verdict::not_judged)});
    CHECK(end.code == 4);
    CHECK_THAT(end.out, ContainsSubstring("the key holds U+FFFD"));
    CHECK(tool.files.done.empty());
}

TEST_CASE("accept takes what there is of results that were cut short, and does not call that done", "[ci][unit]") {
    accepting_tool tool;
    const std::string whole = line_of(stored_result(sorted, 1e6, verdict::not_judged));
    tool.put_results("r.jsonl", {whole, whole.substr(0, 200)});
    const auto end = tool.run({"accept", "r.jsonl"});
    CHECK(end.code == 4);
    CHECK_THAT(end.out, ContainsSubstring("1 entry written"));
    CHECK(tool.files.has(file_of_sorts));
}

TEST_CASE("accept reports failed claims whose results lack launches", "[ci][unit]") {
    accepting_tool tool;
    const auto end = tool.accept({stored_result(sorted, 1.2e6, verdict::violated, 4)});
    CHECK(end.code == 4);
    CHECK_THAT(
        end.out,
        StartsWith(
            "not accepted: sorting / latency(sort): violated: it carries 4 launches, and a baseline needs 10; run it again "
            "with PERFSPEC_POLICY=ci and without launches=0, or record it by PERFSPEC_UPDATE_BASELINES=1 (r.jsonl:1)\n"));
}

TEST_CASE("accept has nothing to do where every claim holds", "[ci][unit]") {
    accepting_tool tool;
    const auto end = tool.accept({stored_result(sorted, 1e6, verdict::holds, 2)});
    CHECK(end.code == 0);
    CHECK(end.out == "nothing to accept: of 1 result none carries the launches of a baseline\nnothing was written\n");
}

TEST_CASE("accept warns of a working tree with changes, and of a processor without a name", "[ci][unit]") {
    accepting_tool tool;
    record r = stored_result(sorted, 1e6, verdict::not_judged);
    r.dirty = true;
    r.hardware_key = "unknown-cpu-x86_64";
    const auto end = tool.accept({r});
    CHECK(end.code == 0);
    CHECK_THAT(end.out, ContainsSubstring("    warning: measured from a working tree with changes after 9a8b7c6: "));
    CHECK_THAT(end.out, ContainsSubstring("    warning: this processor does not report its model"));
}

TEST_CASE("accept reports what differs from the machine of the stored launches", "[ci][unit]") {
    accepting_tool tool;
    baseline_entry stored = entry_about(sorted, 1e6);
    stored.recorded_on.kernel = "6.1.0";
    tool.put_baselines(file_of({stored}));
    record r = stored_result(sorted, 1.2e6, verdict::violated);
    r.baseline->machine.kernel = "6.8.0";
    CHECK_THAT(tool.accept({r}).out,
               ContainsSubstring("    differs from the stored recording: kernel: was 6.1.0, is 6.8.0\n"));
    CHECK(tool.stored(file_of_sorts).find(sorted)->recorded_on.kernel == "6.8.0");
}

TEST_CASE("accept writes nothing where one baseline file is broken", "[ci][unit]") {
    accepting_tool tool;
    tool.put_baseline_text(file_of_sorts, "{\"schema_version\": 3}");
    record other = stored_result(sorted, 2e6, verdict::not_judged);
    other.hardware_key = "a-cpu-8c";
    const auto end = tool.accept({other, stored_result(sorted, 1e6, verdict::not_judged)});
    CHECK(end.code == 4);
    CHECK_THAT(
        end.err,
        StartsWith("perfspec: /project/baselines/test-cpu-4c/sorts.json:1: schema version 3 is from a newer perfspec"));
    CHECK(tool.files.done.empty());
}

TEST_CASE("accept creates a folder that is named, and none on its own", "[ci][unit]") {
    scripted_tool tool;
    const auto end = tool.run_on({stored_result(sorted, 1e6, verdict::not_judged)}, {"accept"});
    CHECK(end.code == 4);
    CHECK(
        end.err ==
        "perfspec: no folder called \"baselines\" from /project upwards, expected one; name it by --baseline-dir baselines, which "
        "creates it\n");
    CHECK(tool.run({"accept", "r.jsonl", "--baseline-dir", "new"}).code == 0);
    CHECK(tool.files.has("new/test-cpu-4c/sorts.json"));
    tool.variables["PERFSPEC_BASELINE_DIR"] = "named";
    CHECK(tool.run({"accept", "r.jsonl"}).code == 0);
    CHECK(tool.files.has("named/test-cpu-4c/sorts.json"));
}

TEST_CASE("accept names a folder that cannot be written", "[ci][unit]") {
    accepting_tool tool;
    tool.files.refuse_writes_below("/project/baselines");
    const auto end = tool.accept({stored_result(sorted, 1e6, verdict::not_judged)});
    CHECK(end.code == 4);
    CHECK_THAT(end.err, ContainsSubstring("Permission denied") &&
                            ContainsSubstring(
                                "or name another:  --baseline-dir baselines  or  PERFSPEC_BASELINE_DIR=baselines\n"));
}

TEST_CASE("accept reports what it wrote before a file that cannot be written", "[ci][unit]") {
    accepting_tool tool;
    tool.files.refuse_writes_below("/project/baselines/test-cpu-4c");
    record first = stored_result(sorted, 1e6, verdict::not_judged);
    first.hardware_key = "a-cpu-8c";
    const auto end = tool.accept({first, stored_result(sorted, 1e6, verdict::not_judged)});
    CHECK(end.code == 4);
    CHECK(end.out == "/project/baselines/a-cpu-8c/sorts.json\n"
                     "  sorting / latency(sort): recorded: 1.002 ms, detects +10 % or more\n"
                     "    nothing was stored for this key (r.jsonl:1)\n"
                     "1 entry written below /project/baselines; review the diff, and commit it\n");
    CHECK_THAT(end.err, StartsWith("perfspec: cannot update /project/baselines/test-cpu-4c/sorts.json"));
    CHECK(tool.files.has("/project/baselines/a-cpu-8c/sorts.json"));
}

TEST_CASE("accept has nothing to do with what was judged against another build", "[ci][unit]") {
    accepting_tool tool;
    record r = stored_result(sorted, 1.2e6, verdict::violated, 0);
    r.baseline->action = baseline_action::reference_build;
    const auto end = tool.accept({r});
    CHECK(end.code == 0);
    CHECK(end.out == "nothing to accept: 1 claim failed against a reference build, which uses no stored baselines\n"
                     "nothing was written\n");
}

TEST_CASE("accept does not report the launches of an undecided claim as lost", "[ci][unit]") {
    accepting_tool tool;
    record r = stored_result(sorted, 1.05e6, verdict::undecided, 7);
    r.failed = true;  // undecided=fail
    const auto end = tool.accept({r});
    CHECK(end.code == 4);
    CHECK(
        end.out ==
        "not accepted: sorting / latency(sort): undecided: its launches show no move; move the bound, or add launches by "
        "PERFSPEC_UPDATE_BASELINES=append (r.jsonl:1)\n"
        "nothing was written\n");
}

}  // namespace perfspec
