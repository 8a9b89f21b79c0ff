// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

/// A record of this query in this test case, without a value, which took two seconds.
record about(const std::string& test, const std::string& query, verdict v = verdict::holds) {
    record r;
    r.suite = "vision";
    r.test = test;
    r.query = query;
    r.key = test + " / " + query;
    r.verdict = v;
    r.failed = v == verdict::violated || v == verdict::invalid;
    r.comparison = ">";
    r.evidence.seconds = 2.0;
    return r;
}

record measured(record r, dimension unit, const estimate& value) {
    r.unit = unit;
    r.estimate = value;
    return r;
}

record speedup_of(const std::string& test, double value, verdict v = verdict::holds) {
    return measured(about(test, "speedup(eager, inductor)", v), dimension::ratio,
                    {value, value, value - 0.1, value + 0.1, 0.95});
}

record outputs_of(const std::string& test) {
    record r = about(test, "same_output(eager, inductor)");
    r.verified = verification{verification_code::pass, "within 0.0001", {}};
    return r;
}

sample_summary median_of(const std::string& subject, double median) {
    sample_summary s;
    s.subject = subject;
    s.median = median;
    return s;
}

record comparison_of(const std::string& test) {
    record r = about(test, "compare(eager, script, inductor)");
    r.comparison.clear();
    r.subjects = {median_of("eager", 30e6), median_of("script", 20e6), median_of("inductor", 15e6)};
    r.compared = {{"script", {1.5, 1.5, 1.4, 1.6, 0.95}}, {"inductor", {2.0, 2.0, 1.9, 2.1, 0.95}}};
    return r;
}

/// What `report --quiet` says beyond its counts.
std::string table_of(const std::vector<record>& records) {
    scripted_tool tool;
    tool.put_records("r.jsonl", records);
    const std::string counts = tool.run({"report", "r.jsonl", "--quiet"}).out;
    const std::string all = tool.run({"report", "r.jsonl", "--quiet", "--table"}).out;
    REQUIRE(all.starts_with(counts + "\n"));
    return all.substr(counts.size());
}

}  // namespace

TEST_CASE("report --table has a row for each test case and a column for each query", "[ci][unit]") {
    const auto start = measured(about("alexnet", "cold_start(inductor)"), dimension::time, {4e8, 4e8, 3e8, 5e8, 0.95});
    CHECK(table_of({outputs_of("alexnet"), speedup_of("alexnet", 1.2), start, outputs_of("resnet50"),
                    speedup_of("resnet50", 2.5)}) ==
          "\n"
          "test case  same_output  speedup                 cold_start  verdicts  measuring\n"
          "           (eager,      (eager,                 (inductor)\n"
          "           inductor)    inductor)\n"
          "alexnet    PASS         1.200 (1.100 .. 1.300)  400.0 ms    3 hold    6 s\n"
          "resnet50   PASS         2.500 (2.400 .. 2.600)              2 hold    4 s\n");
}

TEST_CASE("report --table shows the medians and speedups of a comparison as if each had been asked for", "[ci][unit]") {
    CHECK(
        table_of({speedup_of("alexnet", 1.2), comparison_of("alexnet")}) ==
        "\n"
        "test case  speedup                 latency   latency   latency     speedup                 verdicts             measuring\n"
        "           (eager,                 (eager)   (script)  (inductor)  (eager,\n"
        "           inductor)                                               script)\n"
        "alexnet    1.200 (1.100 .. 1.300)  30.00 ms  20.00 ms  15.00 ms    1.500 (1.400 .. 1.600)  1 holds, 1 recorded  4 s\n");
}

TEST_CASE("report --table sets a verdict that is no success beside the value, or in its place", "[ci][unit]") {
    const auto unknown = about("resnet50", "speedup(eager, inductor)", verdict::invalid);
    const auto text = table_of({speedup_of("alexnet", 1.2, verdict::violated), unknown});
    CHECK_THAT(text, ContainsSubstring("1.200 (1.100 .. 1.300) violated  1 violated"));
    CHECK_THAT(text, ContainsSubstring("resnet50   invalid "));
}

TEST_CASE("report --table takes the first value of a query, and the alarm of any claim on it", "[ci][unit]") {
    const auto text = table_of({about("alexnet", "speedup(eager, inductor)", verdict::not_judged),
                                speedup_of("alexnet", 1.2), speedup_of("alexnet", 1.4, verdict::undecided)});
    CHECK_THAT(text, ContainsSubstring("1.200 (1.100 .. 1.300) undecided  1 undecided, 1 not judged, 1 holds"));
}

TEST_CASE("report --table keeps suites, sections and axes apart", "[ci][unit]") {
    record other = speedup_of("alexnet", 1.5), section = speedup_of("alexnet", 1.6), batch = speedup_of("alexnet", 1.7);
    other.suite = "other";
    section.sections = {"traced"};
    batch.axes = {{"batch", "8"}};
    const auto text = table_of({speedup_of("alexnet", 1.4), other, section, batch});
    CHECK_THAT(text, ContainsSubstring("\nvision / alexnet            1.400"));
    CHECK_THAT(text, ContainsSubstring("\nother / alexnet             1.500"));
    CHECK_THAT(text, ContainsSubstring("\nvision / alexnet / traced   1.600"));
    CHECK_THAT(text, ContainsSubstring("\nvision / alexnet / batch=8  1.700"));
}

TEST_CASE("report --table shows a metric of one's own in its unit", "[ci][unit]") {
    record compilation =
        measured(about("alexnet", "metric(s, compilation)"), dimension::own, {20.53, 20.53, 20.53, 20.53, 0.95});
    compilation.own_unit = "s";
    CHECK_THAT(table_of({speedup_of("alexnet", 1.2), compilation}), EndsWith("  20.53 s       2 hold    4 s\n"));
}

TEST_CASE("report --table shows how long a model was compiled before its cold start", "[ci][unit]") {
    record start = measured(about("alexnet", "cold_start(inductor)"), dimension::time, {4e8, 4e8, 3e8, 5e8, 0.95});
    start.subjects = {median_of("inductor", 4e8)};
    start.parts = {
        {detail::compilation_part, "cold start", dimension::time, {2.05e10, 2.05e10, 2.05e10, 2.05e10, 0.0}, 0.0, {}}};
    CHECK(table_of({start}) == "\n"
                               "test case  compilation  cold_start  verdicts  measuring\n"
                               "           (inductor)   (inductor)\n"
                               "alexnet    20.50 s      400.0 ms    1 holds   2 s\n");
}

TEST_CASE("report --table shows under the compiled subject of a speedup how long it was compiled", "[ci][unit]") {
    record speedup = speedup_of("alexnet", 1.2);
    speedup.subjects = {median_of("eager", 5e8), median_of("inductor", 4e8)};
    speedup.parts = {
        {detail::compilation_part, "compilation", dimension::time, {2.05e10, 2.05e10, 2.05e10, 2.05e10, 0.0}, 0.0, {}}};
    CHECK_THAT(table_of({speedup}), StartsWith("\ntest case  compilation  speedup                 verdicts  measuring\n"
                                               "           (inductor)   (eager,\n"));
}

TEST_CASE("report --table goes into the Markdown too", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("r.jsonl", {line_of(outputs_of("a|b")), line_of(speedup_of("a|b", 1.2))});
    const auto markdown = tool.run({"report", "r.jsonl", "--markdown", "-", "--table"}).out;
    CHECK_THAT(markdown, EndsWith("|---|---|---|---|---|\n"
                                  "| a\\|b | PASS | 1.200 (1.100 .. 1.300) | 2 hold | 4 s |\n"));
}

}  // namespace perfspec
