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
    void accepts(int code, const std::vector<record>& results, const std::string& options = {},
                 const std::string& label = {}, const char* test_file = __builtin_FILE()) {
        ends_on(code, results, "accept" + (options.empty() ? "" : " " + options), label, test_file);
    }
};

}  // namespace

TEST_CASE("accept stores the processes of a key that had none", "[ci][unit]") {
    const auto v = GENERATE(verdict::skipped, verdict::error);
    accepting_tool tool;
    tool.accepts(0, {stored_result(sorted, 1e6, v)});
    const baseline_file file = tool.stored(file_of_sorts);
    REQUIRE(file.entries.size() == 1);
    CHECK(file.entries[0].key == sorted);
    CHECK(file.entries[0].unit == "ns");
    CHECK(file.entries[0].processes.size() == 10);
    CHECK(file.entries[0].processes[0].commit == "3f2c1ab");
}

TEST_CASE("accept stores the operators of a model with its processes, and refuses those that no file may hold",
          "[ci][unit]") {
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about(sorted, 1e6)}));
    record r = stored_result(sorted, 1.2e6, verdict::violated);
    r.baseline->profile = part_profile{"2 threads", {{"aten::conv2d", 523456, 9}}, 120};
    CHECK(tool.accept({r}).code == 0);
    CHECK(tool.stored(file_of_sorts).find(sorted)->profile ==
          part_profile{"2 threads", {{"aten::conv2d", 523000, 9}}, 120});

    r.baseline->profile->longest[0].self_ns = -1;
    tool.accepts(4, {r}, "--record-anyway --append");
}

TEST_CASE("accept replaces an entry that moved, and leaves the others byte for byte", "[ci][unit]") {
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about("a", 5e5), entry_about(sorted, 1e6), entry_about("z", 7e5)}));
    const std::string before = tool.files.text(file_of_sorts);
    tool.accepts(0, {stored_result(sorted, 1.2e6, verdict::violated)});
    const std::string after = tool.files.text(file_of_sorts);
    const auto end_of_first = before.find("\n    \"" + sorted);
    const auto begin_of_last = before.find("\n    \"z\"");
    CHECK(after.substr(0, end_of_first) == before.substr(0, end_of_first));
    CHECK_THAT(after, EndsWith(before.substr(begin_of_last)));
    CHECK(tool.stored(file_of_sorts).find(sorted)->processes.front().value == 1.2e6);
}

TEST_CASE("accept leaves an entry that moved little", "[ci][unit]") {
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about(sorted, 1e6)}));
    const std::string before = tool.files.text(file_of_sorts);
    tool.accepts(0, {stored_result(sorted, 1.01e6, verdict::violated)});
    CHECK(tool.files.text(file_of_sorts) == before);
}

TEST_CASE("accept decides by the smallest headroom of a key's claims", "[ci][unit]") {
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about(sorted, 1e6)}));
    record tight = stored_result(sorted, 1.01e6, verdict::violated);
    tight.baseline->headroom = 0.02;
    tool.accepts(
        0, {stored_result(sorted, 1.01e6, verdict::violated), tight, stored_result(sorted, 1.01e6, verdict::violated)});
}

TEST_CASE("accept takes the newest of several results of a key, in any order of files", "[ci][unit]") {
    accepting_tool tool;
    record newer = stored_result(sorted, 1.3e6, verdict::skipped);
    newer.baseline->taken = processes_about(1.3e6, 10, "2026-11-20");
    tool.put_results("old.jsonl", {line_of(stored_result(sorted, 1.2e6, verdict::skipped))});
    tool.put_results("new.jsonl", {line_of(newer)});
    const auto files = GENERATE(std::vector<std::string>{"old.jsonl", "new.jsonl"},
                                std::vector<std::string>{"new.jsonl", "old.jsonl"});
    tool.ends(0, "accept " + files[0] + " " + files[1]);
    CHECK(tool.stored(file_of_sorts).find(sorted)->processes.front().value == 1.3e6);
}

TEST_CASE("accept refuses results of two programs that have one name", "[ci][unit]") {
    accepting_tool tool;
    record other = stored_result(sorted, 1.2e6, verdict::skipped);
    other.file = "map_test.cpp";
    tool.accepts(4, {stored_result(sorted, 1.1e6, verdict::skipped), other});
    CHECK_FALSE(tool.files.has(file_of_sorts));
}

TEST_CASE("accept refuses a claim under a key that another file recorded", "[ci][unit]") {
    accepting_tool tool;
    baseline_entry other = entry_about(sorted, 1e6);
    other.source = "map_test.cpp:3";
    tool.put_baselines(file_of({other}));
    tool.accepts(4, {stored_result(sorted, 1.2e6, verdict::violated)});
    CHECK(tool.stored(file_of_sorts).find(sorted)->source == "map_test.cpp:3");
    CHECK(tool.accept({stored_result(sorted, 1.2e6, verdict::violated)}, {"--record-anyway"}).code == 0);
    CHECK(tool.stored(file_of_sorts).find(sorted)->source == "sort_test.cpp:12");
}

TEST_CASE("accept keeps hardware, variants and suites apart", "[ci][unit]") {
    accepting_tool tool;
    record other = stored_result(sorted, 2e6, verdict::skipped);
    other.hardware_key = "other-cpu-8c";
    record clang = stored_result(sorted, 3e6, verdict::skipped);
    clang.build_variant = "clang";
    record suite = stored_result(sorted, 4e6, verdict::skipped);
    suite.suite = "../evil";
    CHECK(tool.accept({other, clang, suite}).code == 0);
    CHECK(tool.stored("/project/baselines/other-cpu-8c/sorts.json").entries.at(0).processes.at(0).value == 2e6);
    CHECK(tool.stored("/project/baselines/test-cpu-4c/clang/sorts.json").entries.at(0).processes.at(0).value == 3e6);
    CHECK(tool.stored("/project/baselines/test-cpu-4c/%2E.%2Fevil.json").entries.at(0).processes.at(0).value == 4e6);
}

TEST_CASE("accept stores only keys with the pattern", "[ci][unit]") {
    accepting_tool tool;
    CHECK(tool.accept({stored_result("a / latency(f)", 1e6, verdict::skipped),
                       stored_result("b / latency(f)", 1e6, verdict::skipped),
                       stored_result("b / latency(g)", 1e6, verdict::skipped)},
                      {"--filter", "b*(f"})
              .code == 0);
    const baseline_file file = tool.stored(file_of_sorts);
    REQUIRE(file.entries.size() == 1);
    CHECK(file.entries[0].key == "b / latency(f)");
}

TEST_CASE("accept --dry-run prints what it would do, and writes nothing", "[ci][unit]") {
    accepting_tool tool;
    tool.accepts(0, {stored_result(sorted, 1e6, verdict::skipped)}, "--dry-run");
    CHECK(tool.files.done.empty());
}

TEST_CASE("accept refuses processes that were disturbed or are old, unless it is forced", "[ci][unit]") {
    struct row {
        std::string reason;
        void (*change)(record& r);
    };
    const auto example = GENERATE(values<row>({
        {"values vary",
         [](record& r) {
             for (std::size_t i = 0; i < 10; i += 2) {
                 stored_process& l = r.baseline->taken[i];
                 l.value = l.q1 = l.q3 = l.p90 = l.p99 = 2.4e6;
             }
         }},
        {"other work",
         [](record& r) {
             r.disturbed.cores = 4;
             r.disturbed.runnable = 30;
             r.disturbed.lengthened = 3;
         }},
        {"heat",
         [](record& r) {
             r.disturbed.devices = {{.device = "cuda:0", .text = "cuda:0 slowed down by heat", .slowdown = 2.0}};
             r.disturbed.slowed_device = 3;
         }},
        {"old", [](record& r) { r.baseline->taken = processes_about(1.2e6, 10, "2026-11-17"); }},
    }));
    accepting_tool tool;
    tool.put_baselines(file_of({entry_about(sorted, 1e6)}));
    record r = stored_result(sorted, 1.2e6, verdict::violated);
    r.evidence.processes = 10;
    example.change(r);
    tool.accepts(4, {r}, {}, example.reason);
    CHECK(tool.files.done.empty());
    CHECK(tool.accept({r}, {"--record-anyway"}).code == 0);
    CHECK(tool.stored(file_of_sorts).find(sorted)->processes.front().value > 1e6);
}

TEST_CASE("accept refuses processes that no baseline file may hold", "[ci][unit]") {
    accepting_tool tool;
    record broken = stored_result(sorted, 1e6, verdict::skipped);
    broken.baseline->taken[3].value = -1.0;
    tool.accepts(4, {broken});
    CHECK(tool.files.done.empty());
}

TEST_CASE("accept refuses a key that was no UTF-8", "[ci][unit]") {
    accepting_tool tool;
    tool.accepts(4, {stored_result("latency(\xff)", 1e6, verdict::skipped)});
    CHECK(tool.files.done.empty());
}

TEST_CASE("accept takes what there is of results that were cut short, and does not call that done", "[ci][unit]") {
    accepting_tool tool;
    const std::string whole = line_of(stored_result(sorted, 1e6, verdict::skipped));
    tool.put_results("r.jsonl", {whole, whole.substr(0, 200)});
    tool.ends(4, "accept r.jsonl");
    CHECK(tool.files.has(file_of_sorts));
}

TEST_CASE("accept reports failed claims whose results lack processes", "[ci][unit]") {
    accepting_tool tool;
    tool.accepts(4, {stored_result(sorted, 1.2e6, verdict::violated, 4)});
}

TEST_CASE("accept has nothing to do where every claim holds", "[ci][unit]") {
    accepting_tool tool;
    tool.accepts(0, {stored_result(sorted, 1e6, verdict::holds, 2)});
}

TEST_CASE("accept warns of a working tree with changes, and of a processor without a name", "[ci][unit]") {
    accepting_tool tool;
    record r = stored_result(sorted, 1e6, verdict::skipped);
    r.dirty = true;
    r.hardware_key = "unknown-cpu-x86_64";
    tool.accepts(0, {r});
}

TEST_CASE("accept reports what differs from the machine of the stored processes", "[ci][unit]") {
    accepting_tool tool;
    baseline_entry stored = entry_about(sorted, 1e6);
    stored.recorded_on.kernel = "6.1.0";
    tool.put_baselines(file_of({stored}));
    record r = stored_result(sorted, 1.2e6, verdict::violated);
    r.baseline->machine.kernel = "6.8.0";
    tool.accepts(0, {r});
    CHECK(tool.stored(file_of_sorts).find(sorted)->recorded_on.kernel == "6.8.0");
}

TEST_CASE("accept writes nothing where one baseline file is broken", "[ci][unit]") {
    accepting_tool tool;
    tool.put_baseline_text(file_of_sorts, "{\"schema_version\": 3}");
    record other = stored_result(sorted, 2e6, verdict::skipped);
    other.hardware_key = "a-cpu-8c";
    tool.accepts(2, {other, stored_result(sorted, 1e6, verdict::skipped)});
    CHECK(tool.files.done.empty());
}

TEST_CASE("accept creates a folder that is named, and none on its own", "[ci][unit]") {
    scripted_tool tool;
    tool.ends_on(2, {stored_result(sorted, 1e6, verdict::skipped)}, "accept");
    CHECK(tool.run({"accept", "r.jsonl", "--baseline-dir", "new"}).code == 0);
    CHECK(tool.files.has("new/test-cpu-4c/sorts.json"));
    tool.variables["PERFSPEC_BASELINE_DIR"] = "named";
    CHECK(tool.run({"accept", "r.jsonl"}).code == 0);
    CHECK(tool.files.has("named/test-cpu-4c/sorts.json"));
}

TEST_CASE("accept names a folder that cannot be written", "[ci][unit]") {
    accepting_tool tool;
    tool.files.refuse_writes_below("/project/baselines");
    tool.accepts(4, {stored_result(sorted, 1e6, verdict::skipped)});
}

TEST_CASE("accept reports what it wrote before a file that cannot be written", "[ci][unit]") {
    accepting_tool tool;
    tool.files.refuse_writes_below("/project/baselines/test-cpu-4c");
    record first = stored_result(sorted, 1e6, verdict::skipped);
    first.hardware_key = "a-cpu-8c";
    tool.accepts(4, {first, stored_result(sorted, 1e6, verdict::skipped)});
    CHECK(tool.files.has("/project/baselines/a-cpu-8c/sorts.json"));
}

TEST_CASE("accept has nothing to do with what was judged against another build", "[ci][unit]") {
    accepting_tool tool;
    record r = stored_result(sorted, 1.2e6, verdict::violated, 0);
    r.baseline->action = baseline_action::baseline_build;
    tool.accepts(0, {r});
}

TEST_CASE("accept does not report the processes of an undecided claim as lost", "[ci][unit]") {
    accepting_tool tool;
    record r = stored_result(sorted, 1.05e6, verdict::undecided, 7);
    r.failed = true;  // undecided=fail
    tool.accepts(4, {r});
}

}  // namespace perfspec
