// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/json_lines.hpp>

#include <recorded/recorded.hpp>
#include <report/example_records.hpp>

#include <support/recorded.hpp>
#include <support/test.hpp>

namespace perfspec::testing {

TEST_CASE("neutralized marks what differs between two runs", "[recorded][unit]") {
    const auto [output, neutral] = GENERATE(table<const char*, const char*>({
        {"0.9214 (0.9102 .. 0.9318, 99 %)", "# (# .. #, #)"},
        {"a, b\n             c\n               d", "a, b c d"},
        {"speedup 0.9066,\n  at least 0.9500 needed", "speedup #, at least # needed"},
        {")  holds\n  0.5 (0.4 .. 0.6),\n  7 rounds\n  note: x", ")  holds # (# .. #), # rounds\n  note: x"},
        {"1.002 M items/s, 12.5 GB/s, 3 GFLOP/s", "#, #, #"},
        {"34 rounds, repeated by 21 in a fresh process, 412 ms of a budget of 1 s; seed 4022487048",
         "# rounds, repeated by # in a fresh process, # of a budget of #; seed #"},
        {"about 140 more blocks would decide it", "about # more blocks would decide it"},
        {"recorded 2026-11-18T09:00:00Z at 3f2c1ab", "recorded <date> at 3f2c1ab"},
        {"/some/where/build/sort_test.cpp:12: PERF_CHECK", "<path>/sort_test.cpp:12: PERF_CHECK"},
        {"../../tests/sort_test.cpp:12: PERF_CHECK", "<path>/sort_test.cpp:12: PERF_CHECK"},
        {"a\n  disturbed  load 1.8 on 2 cores\nb", "a\nb"},
        {"-7.1 %  key", "#  key"},
        {"  holds   0.5 (0.4 .. 0.6), 7 process pairs, 210 rounds", "  holds   # (# .. #), # process pairs, # rounds"},
        {"  holds   0.5 (0.4 .. 0.6, 95 %), 9 process pairs, 270 rounds",
         "  holds   # (# .. #), # process pairs, # rounds"},
        {"a\nperfspec: latency(fill) takes up to 2.4 s\nb", "a\nb"},
        {"a\nperfspec: waiting for another measurement to end: process 7 (x) holds y\nb", "a\nb"},
        {"from 1 session; other processes used 1.6 of 2 cores, so its value may be off by up to 35 %; in b",
         "from 1 session; in b"},
        {"    disturbed  1 page faults;\n               2 stolen\nb", "b"},
        {"(0.908 ..1.092, 95 %)", "(# .. #, #)"},
        {"Randomness seeded to: 3894441056", "Randomness seeded to: #"},
        {"a is a Catch2 v3.7.1 host application.", "a is a Catch2 v# host application."},
        {"again:   ctest --test-dir '/some where/else' -R 'a test$'", "again:   ctest --test-dir <build> -R 'a test$'"},
    }));
    CHECK(neutralized(output) == neutral);
}

TEST_CASE("unbroken joins the lines that Catch2 broke", "[recorded][unit]") {
    CHECK(
        unbroken(
            "with expansion:\n  violated\n    bound   4.3\n  % beyond\n    key\n\nperfspec: room\n  5 %  a\n  6 %  b\n") ==
        "with expansion:\n  violated\n    bound   4.3 % beyond\n    key\n\nperfspec: room\n  5 %  a\n  6 %  b\n");
    CHECK(unbroken("  skipped   can see +\n  1.4 %; in <path>/a-\n  b.json\n") ==
          "  skipped   can see +1.4 %; in <path>/a-b.json\n");
    CHECK(unbroken("  recorded   it; in /a/\n  recorded/b.json\n") == "  recorded   it; in /a/recorded/b.json\n");
    CHECK(unbroken("with expansion:\n  1\n  ==\n  1\n\n") == "with expansion:\n  1\n  ==\n  1\n\n");
}

TEST_CASE("unbroken and neutralized give one text wherever the lines were broken", "[recorded][unit]") {
    const std::string head = "  holds   ";
    const std::string words[] = {"0.9996", "(0.9891", "..", "1.024,", "95", "%),", "12", "rounds,", "3.67", "ms"};
    const auto at = GENERATE(range(1, 10));
    std::string broken = head;
    for (int i = 0; i < 10; ++i) broken += (i == 0 ? "" : i == at ? "\n  " : " ") + words[i];
    CHECK(without_blanks(neutralized(unbroken(broken))) == "holds#(#..#,#),#rounds,#\n");
}

TEST_CASE("neutralized leaves alone what must not change", "[recorded][unit]") {
    const auto* text = GENERATE("sort_test.cpp:31: PERF_CHECK( speedup(standard, ours) > 2 )  violated",
                                "3 claims: 1 holds, 2 violated", "throughput(parse) in items/s", "std::sort / n=8");
    CHECK(neutralized(text) == text);
}

TEST_CASE("compare_recorded names the first line that differs", "[recorded][unit]") {
    if (std::getenv("PERFSPEC_TEST_RECORD") != nullptr) SKIP("recording");
    const std::string path = (std::filesystem::temp_directory_path() / "perfspec-compare-recorded.txt").string();
    std::ofstream(path) << "one\ntwo\n";
    CHECK(compare_recorded(path, "one\ntwo\n").same);
    const comparison_result other = compare_recorded(path, "one\nthree\n");
    CHECK_FALSE(other.same);
    CHECK(other.difference.starts_with(path + ":2:\n  kept: two\n  now:  three\n"));
    CHECK(compare_recorded(path, "one\n").difference.starts_with(path + ":2:\n  kept: two\n  now:  (the end)\n"));
    CHECK_FALSE(compare_recorded(path, "o ne\ntwo\n").same);
    CHECK(compare_recorded(path, "o ne\ntwo\n", blanks::ignored).same);
    CHECK_FALSE(compare_recorded(path, "o ne\nt wos\n", blanks::ignored).same);
    CHECK(compare_recorded(path, "o ne\nthree\n", blanks::ignored)
              .difference.starts_with(path + ":2:\n  kept: two\n  now:  three\n"));
    std::filesystem::remove(path);
    CHECK(compare_recorded(path, "").difference.starts_with(path + ": no such recording"));
}

TEST_CASE("compare_recorded_part finds a part that differs, and one that is missing", "[recorded][unit]") {
    if (std::getenv("PERFSPEC_TEST_RECORD") != nullptr) SKIP("recording");
    const std::string path = (std::filesystem::temp_directory_path() / "perfspec-compare-part.txt").string();
    std::ofstream(path) << "=== a: 1\none\n\n=== a: 2\ntwo\n=== b: 1\n\n";
    CHECK(compare_recorded_part(path, "a: 1", "one\n").same);
    CHECK(compare_recorded_part(path, "a: 2", "two").same);
    CHECK(compare_recorded_part(path, "b: 1", "").same);
    CHECK_FALSE(compare_recorded_part(path, "a: 2", "two\n").same);
    CHECK(compare_recorded_part(path, "a: 2", "three")
              .difference.starts_with(path + ":5:\n  kept: two\n  now:  three\n"));
    CHECK(compare_recorded_part(path, "a", "").difference.starts_with(path + ": no part \"a\""));
    std::filesystem::remove(path);
    CHECK_FALSE(compare_recorded_part(path, "a: 1", "one\n").same);
}

TEST_CASE("check_recorded fails where a text differs", "[recorded][unit][!shouldfail]") {
    const bool recording = std::getenv("PERFSPEC_TEST_RECORD") != nullptr;
    check_recorded("kept", recording ? "text" : "other");
    if (recording) FAIL("expected");
}

TEST_CASE("check_recorded fails where there is no text", "[recorded][unit][!shouldfail]") {
    if (std::getenv("PERFSPEC_TEST_RECORD") != nullptr) SKIP("recording");
    check_recorded("missing", "");
}

TEST_CASE("check_recorded finds the text beside the test", "[recorded][unit]") { check_recorded("kept", "text\n"); }

namespace {

void check(const std::string& name, const std::string& text) {
    const comparison_result result = compare_recorded(PERFSPEC_TEST_SOURCE_DIR "/" + name, text);
    INFO(result.difference);
    CHECK(result.same);
}

std::vector<record> examples() {
    return {stored_ratio(), violated_ratio(), holding_ratio(), violated_time(), undecided_rate(),
            error_body(),   error_output(),   skipped_build(), recorded_time(), same_outputs()};
}

}  // namespace

TEST_CASE("console messages read as they were approved", "[recorded]") {
    std::string text;
    for (const record& r : examples()) text += render_console(r, {}) + "\n\n";
    check("console.txt", text);
}

TEST_CASE("the verbose console reads as it was approved", "[recorded]") {
    check("console_verbose.txt", render_console(every_field(), {.verbosity = console_verbosity::verbose}) + "\n");
}

TEST_CASE("the summary reads as it was approved", "[recorded]") {
    check("summary.txt", render_summary(examples(), {}) + "\n");
}

TEST_CASE("JSON lines are what they were", "[recorded]") {
    record broken = every_field();
    broken.bound = std::numeric_limits<double>::quiet_NaN();
    broken.estimate->high = std::numeric_limits<double>::infinity();
    broken.evidence.log_e_violated = -std::numeric_limits<double>::infinity();
    broken.claim = "a\nb \"c\" \xff";
    std::string lines =
        to_started_line(every_field()) + "\n" + to_json_line(every_field()) + "\n" + to_json_line(broken) + "\n";
    for (const record& r : {error_body(), error_output(), record{}}) lines += to_json_line(r) + "\n";
    check("results.jsonl", lines);
}

}  // namespace perfspec::testing
