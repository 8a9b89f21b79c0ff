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
        few.processes.resize(4);
        put_baselines(file_of({entry_about("a / latency(f)", 1e6), few}));
        baseline_entry rate = entry_about("a / throughput(f)", 1e6, "2026-11-20");
        rate.unit = "items/s";
        rate.direction = better::more;
        put_baselines({.hardware = "other-cpu-8c", .variant = "clang", .suite = "sorts", .entries = {rate}});
    }
};

}  // namespace

TEST_CASE("baselines list shows files, keys, processes, day and sight", "[ci][unit]") {
    two_machines tool;
    tool.ends(0, "baselines list");
    CHECK_THAT(tool.run({"baselines", "list", "b / "}).out, EndsWith("1 key in 2 files\n"));
}

TEST_CASE("baselines list of nothing says where it looked", "[ci][unit]") {
    scripted_tool tool;
    tool.files.put_folder("/project/baselines");
    tool.ends(2, "baselines list");
}

TEST_CASE("baselines verify finds no fault in what perfspec wrote", "[ci][unit]") {
    two_machines tool;
    tool.ends(0, "baselines verify");
}

TEST_CASE("baselines verify names each fault", "[ci][unit]") {
    two_machines tool;
    const std::string text = tool.files.text(file_of_sorts);
    SECTION("a file that is none") {
        tool.put_baseline_text("/project/baselines/test-cpu-4c/broken.json", text.substr(0, 200));
        tool.ends(4, "baselines verify", "a file that is none");
    }
    SECTION("a file in another place") {
        tool.put_baseline_text("/project/baselines/third-cpu-2c/sorts.json", text);
        tool.ends(4, "baselines verify", "a file in another place");
    }
    SECTION("keys in another order") {
        std::string swapped = text;
        swapped.replace(swapped.find("a / latency"), 1, "c");
        tool.put_baseline_text("/project/baselines/test-cpu-4c/swapped.json", swapped);
        tool.files.put(file_of_sorts, swapped);
        tool.ends(4, "baselines verify", "keys in another order");
    }
}

TEST_CASE("baselines list takes no perfspec.json for baselines, and verify checks it", "[ci][unit]") {
    two_machines tool;
    tool.files.put("/project/baselines/perfspec.json", "{\"margin\": \"1%\", \"rounds\": 500}");
    tool.ends(0, "baselines list");
    tool.ends(0, "baselines verify");
    tool.files.put("/project/baselines/perfspec.json", "{\"bugdet\": \"1s\"}");
    tool.ends(4, "baselines verify", "no option");
    CHECK(tool.run({"baselines", "list"}).code == 0);
}

TEST_CASE("baselines verify checks a perfspec.json in a folder without baselines", "[ci][unit]") {
    scripted_tool tool;
    tool.files.put("/project/baselines/perfspec.json", "{\"margin\": \"1%\"}");
    tool.ends(0, "baselines verify --baseline-dir /project/baselines");
    tool.files.put("/project/baselines/perfspec.json", "{");
    CHECK(tool.run({"baselines", "verify", "--baseline-dir", "/project/baselines"}).code == 4);
}

TEST_CASE("baselines list says that counts of zero detect nothing", "[ci][unit]") {
    scripted_tool tool;
    baseline_entry count = entry_about("allocations(f)", 1.0);
    count.unit = "count";
    for (stored_process& l : count.processes) l.value = l.q1 = l.q3 = l.p90 = l.p99 = 0.0;
    tool.put_baselines(file_of({count}));
    tool.ends(0, "baselines list");
}

}  // namespace perfspec
