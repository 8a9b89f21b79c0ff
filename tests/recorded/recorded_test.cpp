// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/json_lines.hpp>

#include <recorded/recorded.hpp>
#include <report/example_records.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace perfspec::testing {

TEST_CASE("neutralised leaves alone what must not change", "[recorded][unit]") {
    const auto* text = GENERATE("sort_test.cpp:31: PERF_CHECK( speedup(standard, ours) > 2 )  violated",
                                "3 assertions: 1 holds, 2 violated", "throughput(parse) in items/s", "std::sort / n=8");
    CHECK(neutralised(text) == text);
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

namespace {

void check(const std::string& name, const std::string& text) {
    const comparison_result result = compare_recorded(PERFSPEC_TEST_SOURCE_DIR "/" + name, text);
    INFO(result.difference);
    CHECK(result.same);
}

std::vector<record> examples() {
    return {stored_ratio(), violated_ratio(), holding_ratio(),    violated_time(), undecided_rate(),
            invalid_body(), invalid_output(), not_judged_build(), recorded_time(), same_outputs()};
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
    for (const record& r : {invalid_body(), invalid_output(), record{}}) lines += to_json_line(r) + "\n";
    check("results.jsonl", lines);
}

}  // namespace perfspec::testing
