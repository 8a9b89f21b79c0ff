// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// Two keys of one suite, and one of a suite on another machine.
struct two_machines : scripted_tool {
    two_machines() {
        baseline_entry few = entry_about("b / latency(f)", 2e6, "2026-11-19");
        few.launches.resize(4);
        put_baselines(file_of({entry_about("a / latency(f)", 1e6), few}));
        baseline_entry rate = entry_about("a / throughput(f)", 1e6, "2026-11-20");
        rate.unit = "items/s";
        rate.polarity = better::more;
        put_baselines({.hardware = "other-cpu-8c", .variant = "clang", .suite = "sorts", .entries = {rate}});
    }
};

}  // namespace

TEST_CASE("baselines list shows files, keys, launches, day and sight", "[ci][unit]") {
    two_machines tool;
    const auto end = tool.run({"baselines", "list"});
    CHECK(end.code == 0);
    CHECK(end.out == "/project/baselines/test-cpu-4c/sorts.json\n"
                     "  sorts on test-cpu-4c\n"
                     "  key             median    launches     sessions  newest      detects\n"
                     "  a / latency(f)  1.002 ms  10           1         2026-11-18  +10 %\n"
                     "  b / latency(f)  2.003 ms  4 (too few)  1         2026-11-19  -\n"
                     "/project/baselines/other-cpu-8c/clang/sorts.json\n"
                     "  sorts on other-cpu-8c, variant clang\n"
                     "  key                median           launches  sessions  newest      detects\n"
                     "  a / throughput(f)  1.002 M items/s  10        1         2026-11-20  -9.5 %\n"
                     "3 keys in 2 files\n");
    CHECK_THAT(tool.run({"baselines", "list", "b / "}).out, EndsWith("1 key in 2 files\n"));
}

TEST_CASE("baselines list of nothing says where it looked", "[ci][unit]") {
    scripted_tool tool;
    tool.files.put_folder("/project/baselines");
    const auto end = tool.run({"baselines", "list"});
    CHECK(end.code == 4);
    CHECK_THAT(end.err, StartsWith("perfspec: /project/baselines: no baselines in it, expected files such as "));
}

TEST_CASE("baselines verify finds no fault in what perfspec wrote", "[ci][unit]") {
    two_machines tool;
    const auto end = tool.run({"baselines", "verify"});
    CHECK(end.code == 0);
    CHECK(end.out == "2 files, 3 keys: no faults\n");
}

TEST_CASE("baselines verify names each fault", "[ci][unit]") {
    two_machines tool;
    const std::string text = tool.files.text(file_of_sorts);
    SECTION("a file that is none") {
        tool.put_baseline_text("/project/baselines/test-cpu-4c/broken.json", text.substr(0, 200));
        CHECK_THAT(tool.run({"baselines", "verify"}).out, StartsWith("/project/baselines/test-cpu-4c/broken.json:"));
    }
    SECTION("a file in another place") {
        tool.put_baseline_text("/project/baselines/third-cpu-2c/sorts.json", text);
        CHECK_THAT(
            tool.run({"baselines", "verify"}).out,
            StartsWith(
                "/project/baselines/third-cpu-2c/sorts.json: it says that it is sorts on test-cpu-4c, expected at "
                "/project/baselines/test-cpu-4c/sorts.json\n"));
    }
    SECTION("keys in another order") {
        std::string swapped = text;
        swapped.replace(swapped.find("a / latency"), 1, "c");
        tool.put_baseline_text("/project/baselines/test-cpu-4c/swapped.json", swapped);
        tool.files.put(file_of_sorts, swapped);
        CHECK_THAT(tool.run({"baselines", "verify"}).out,
                   ContainsSubstring("sorts.json: not in the form that perfspec writes"));
    }
    CHECK(tool.run({"baselines", "verify"}).code == 4);
    CHECK_THAT(tool.run({"baselines", "verify"}).out, ContainsSubstring(" fault"));
}

TEST_CASE("baselines list takes no perfspec.json for baselines, and verify checks it", "[ci][unit]") {
    two_machines tool;
    tool.files.put("/project/baselines/perfspec.json", "{\"margin\": \"1%\", \"rounds\": 500}");
    CHECK_THAT(tool.run({"baselines", "list"}).out, EndsWith("3 keys in 2 files\n"));
    const auto fine = tool.run({"baselines", "verify"});
    CHECK(fine.code == 0);
    CHECK_THAT(fine.out, ContainsSubstring("no faults\nperfspec.json: 2 options\n"));
    tool.files.put("/project/baselines/perfspec.json", "{\"bugdet\": \"1s\"}");
    const auto wrong = tool.run({"baselines", "verify"});
    CHECK(wrong.code == 4);
    CHECK_THAT(
        wrong.out,
        ContainsSubstring(
            "/project/baselines/perfspec.json:1: \"bugdet\" is not an option of perfspec; did you mean \"budget\": "));
    CHECK(tool.run({"baselines", "list"}).code == 0);
}

TEST_CASE("baselines verify checks a perfspec.json in a folder without baselines", "[ci][unit]") {
    scripted_tool tool;
    tool.files.put("/project/baselines/perfspec.json", "{\"margin\": \"1%\"}");
    const auto fine = tool.run({"baselines", "verify", "--baseline-dir", "/project/baselines"});
    CHECK(fine.code == 0);
    CHECK_THAT(fine.out, ContainsSubstring("0 files, 0 keys: no faults\nperfspec.json: 1 option\n"));
    tool.files.put("/project/baselines/perfspec.json", "{");
    CHECK(tool.run({"baselines", "verify", "--baseline-dir", "/project/baselines"}).code == 4);
}

TEST_CASE("baselines list says that counts of zero detect nothing", "[ci][unit]") {
    scripted_tool tool;
    baseline_entry count = entry_about("allocations(f)", 1.0);
    count.unit = "count";
    for (stored_launch& l : count.launches) l.value = l.q1 = l.q3 = l.p90 = l.p99 = 0.0;
    tool.put_baselines(file_of({count}));
    CHECK_THAT(tool.run({"baselines", "list"}).out,
               ContainsSubstring("allocations(f)  0       10        1         2026-11-18  -\n"));
}

}  // namespace perfspec
