// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "entries.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/quantity/json_tree.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

#include <cstring>
#include <random>

namespace perfspec {
namespace {

using namespace testing;

baseline_file two_entries() {
    baseline_file file{"amd-epyc-7763-4c", "gcc-13", "vision_test", {}};
    auto times = entry_of("resnet50 inference / latency(inductor)", {3214000, 3198000.5});
    times.recorded_on.libraries = {{"libtorch", "2.13.0"}};
    times.source = "vision_test.cpp:31";
    for (stored_process& l : times.processes) {
        l.q1 = l.q3 = l.p90 = 3214000;
        l.p99 = 4127000;
        l.processor_ns = 3.1e6;
    }
    auto ratio = entry_of("naming \"quotes\" / \\ and \n / speedup(a, b)", {1.42});
    ratio.unit = "ratio";
    ratio.direction = better::more;
    ratio.recorded_on = {};
    ratio.processes[0].run = "17";
    file.insert_or_replace(times);
    file.insert_or_replace(ratio);
    return file;
}

std::string rendered() { return render_baseline_file(two_entries()); }

/// The rendered text with one part of it replaced.
std::string with(const std::string& found, const std::string& instead) {
    auto text = rendered();
    const auto at = text.find(found);
    REQUIRE(at != std::string::npos);
    return text.replace(at, found.size(), instead);
}

std::string error_of(const std::string& text) {
    try {
        (void)parse_baseline_file(text, "b/x.json");
    } catch (const input_error& error) { return error.what(); }
    return "no error";
}

const std::string remedy =
    "\n  restore it from version control, or remove it and record again:  PERFSPEC_UPDATE_BASELINES=missing ctest";

TEST_CASE("baseline_file renders one session a line, entries sorted by key", "[baseline][unit]") {
    CHECK_RECORDED(rendered());
    CHECK_RECORDED(render_baseline_file({"h", "", "s", {}}));
}

TEST_CASE("baseline_file reads what it renders, and renders it again byte for byte", "[baseline][unit]") {
    CHECK(parse_baseline_file(rendered(), "b/x.json") == two_entries());
    CHECK(render_baseline_file(parse_baseline_file(rendered(), "b/x.json")) == rendered());
}

TEST_CASE("baseline_file keeps any double and any key through a file", "[baseline][unit]") {
    std::mt19937_64 random{42};
    baseline_file file{"h", "v", "s", {}};
    for (int i = 0; i < 300; ++i) {
        std::vector<double> values;
        while (values.size() < 40) {
            const auto bits = random();
            double value = 0;
            static_assert(sizeof bits == sizeof value);
            std::memcpy(&value, &bits, sizeof value);
            if (std::isfinite(value) && value > 0) values.push_back(value);
        }
        std::string key;
        for (int c = 0; c < 8; ++c) key += static_cast<char>(random() % 0x80);
        baseline_entry entry = entry_of(key + std::to_string(i) + "\U0001F680", values);
        for (stored_process& l : entry.processes)
            l.q1 = l.q3 = l.p90 = l.p99 = values.front();  // a session has them once
        file.insert_or_replace(entry);
    }
    const auto text = render_baseline_file(file);
    CHECK(parse_baseline_file(text, "x") == file);
    CHECK(render_baseline_file(parse_baseline_file(text, "x")) == text);
}

TEST_CASE("baseline_file changes no other byte when one entry changes", "[baseline][unit]") {
    auto file = two_entries();
    auto changed = file.entries[0];
    changed.processes[0].value = 1.5;
    file.insert_or_replace(changed);
    CHECK(render_baseline_file(file) == with("\"values\": [1.42]", "\"values\": [1.5]"));
}

TEST_CASE("baseline_file reads entries in any order and sorts them", "[baseline][unit]") {
    const auto text =
        R"({"entries": {"b": ENTRY, "a": ENTRY}, "suite": "s", "build_variant": "", "hardware": "h", "schema_version": 2})";
    const std::string entry =
        R"({"sessions": [{"time": "2026-11-18T09:12:44Z", "iterations": 1, "samples": 30, "p99": 4, "p90": 3, "q3": 2, "q1": 1, "values": [1.5]}],
                                  "recorded_on": {}, "better": "less", "unit": "ns"})";
    std::string whole = text;
    for (auto at = whole.find("ENTRY"); at != std::string::npos; at = whole.find("ENTRY")) whole.replace(at, 5, entry);
    const auto file = parse_baseline_file(whole, "x");
    CHECK(file.entries.size() == 2);
    CHECK(file.entries[0].key == "a");
    CHECK(file.find("b")->processes[0].p99 == 4);
    CHECK(file.find("c") == nullptr);
}

TEST_CASE("baseline_file reads sessions in any order and sorts them", "[baseline][unit]") {
    const std::string older = R"({"values": [7], "q1": 7, "q3": 7, "p90": 7, "p99": 7, "samples": 1, "iterations": 1, )"
                              R"("time": "2026-11-17T09:12:44Z", "session": "older"})";
    const baseline_file sorted =
        parse_baseline_file(with("        {\"values\": [1.42]", older + ", {\"values\": [1.42]"), "x");
    CHECK(sorted.entries.front().processes.front().value == 7);
    CHECK(parse_baseline_file(with("12:40Z\"}\n      ]\n    },", "12:40Z\"}, " + older + "]},"), "x") == sorted);
}

TEST_CASE("baseline_file inserts in order and replaces", "[baseline][unit]") {
    baseline_file file{"h", "", "s", {}};
    for (const char* key : {"b", "c", "a", "b"}) file.insert_or_replace(entry_of(key));
    CHECK(file.entries.size() == 3);
    CHECK(file.entries[1].key == "b");
}

TEST_CASE("baseline_file names line, finding, legal value and remedy of what it refuses", "[baseline][unit]") {
    const std::string in_first = "\n  in the entry \"naming \\\"quotes\\\" / \\\\ and \\n / speedup(a, b)\"";
    const std::vector<std::pair<std::string, std::string>> changes{
        {"[1.42]", "[\"fast\"]"},
        {"[1.42]", "[0]"},
        {"[1.42]", "[-1.42]"},
        {"[1.42]", "[1e-400]"},
        {"[1.42]", "[null]"},
        {"[1.42]", "[true]"},
        {"[1.42]", "[[1.42]]"},
        {"[1.42]", "[]"},
        {"[1.42]", "1.42"},
        {"[1.42]", "[{}]"},
        {"\"values\"", "\"vaules\""},
        {"\"values\": [1.42], ", ""},
        {"\"q1\": 1.42", "\"q1\": 0"},
        {"\"values\": [1.42]", "\"values\": [1.42], \"values\": [1.5]"},
        {"[1.42]", "[NaN]"},
        {"[1.42]", "[Infinity]"},
        {"[1.42]", "[1e400]"},
        {"[1.42]", "[1" + std::string(400, '0') + "]"},
        {"[1.42]", "[0x10]"},
        {"[1.42]", "[1.42 /* better */]"},
        {"\"samples\": 300", "\"samples\": 0"},
        {"\"samples\": 300", "\"samples\": -1"},
        {"\"samples\": 300", "\"samples\": 1.5"},
        {"\"samples\": 300", "\"samples\": 1e300"},
        {"\"iterations\": 1", "\"iterations\": \"1\""},
        {"2026-11-18T09:12:44Z", "today"},
        {"\"commit\": \"3f2c1ab\"", "\"commit\": 3"},
        {"\"q1\": 1.42", "\"q1\": 2"},
        {"\"better\": \"more\"", "\"better\": \"faster\""},
        {"\"unit\": \"ratio\"", "\"unit\": \"\""},
        {"\"unit\": \"ratio\"", "\"unit\": 1"},
        {"\"recorded_on\": {}", "\"recorded_on\": {\"so\": \"Debian\"}"},
        {"\"recorded_on\": {}", "\"recorded_on\": {\"os\": 12}"},
        {"\"recorded_on\": {}", "\"recorded_on\": {\"libraries\": {\"x\": 2}}"},
        {"\"recorded_on\": {}", "\"recorded_on\": []"}};
    std::string faults;
    for (const auto& [found, instead] : changes) faults += error_of(with(found, instead)) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("baseline_file names the entry of a wrong line", "[baseline][unit]") {
    CHECK(
        error_of(with("3198000.5]", "null]")) ==
        "b/x.json:21: \"sessions[0].values[1]\" is null, expected a number such as 1.5, or \"inf\", \"-inf\", \"nan\"\n  in the entry \"resnet50 inference / "
        "latency(inductor)\"" +
            remedy);
}

TEST_CASE("baseline_file refuses what frames the entries", "[baseline][unit]") {
    const auto session = [](int nth) {
        return R"({"values": [1.42], "q1": 1, "q3": 1, "p90": 1, "p99": 1, "samples": 1, "iterations": 1, "time": "2026-11-18T09:12:44Z", "session": ")" +
               std::to_string(nth) + R"("},)";
    };
    std::string ten;
    for (int i = 0; i < 10; ++i) ten += session(i);
    std::string forty = "[1";
    for (int i = 0; i < 40; ++i) forty += ", 1";
    std::string faults;
    for (const std::string& text :
         std::vector<std::string>{"",
                                  "\n\n",
                                  "{",
                                  "[]",
                                  "42",
                                  "hello",
                                  "\x7f"
                                  "ELF\x02\x01",
                                  "{}",
                                  with("2,\n", "\"1\",\n"),
                                  with("2,\n", "-1,\n"),
                                  with("2,\n", "1.5,\n"),
                                  with("2,\n", "0,\n"),
                                  with("2,\n", "3,\n"),
                                  with("\"suite\": \"vision_test\",", ""),
                                  with("\"suite\": \"vision_test\"", "\"suite\": 1"),
                                  with("\"hardware\"", "\"hardwear\""),
                                  with("\"entries\": {", "\"entries\": 1, \"x\": {"),
                                  with("\"resnet50 inference / latency(inductor)\"",
                                       "\"naming \\\"quotes\\\" / \\\\ and \\n / speedup(a, b)\""),
                                  with("      \"sessions\": [", "      \"sessions\": {}, \"sessions\": ["),
                                  with("      \"unit\"", "<<<<<<< HEAD\n      \"unit\""),
                                  with("    },\n", "    },\n=======\n"),
                                  rendered() + "x",
                                  with("        {\"values\": [1.42]", ten + "{\"values\": [1.42]"),
                                  with("[1.42", forty),
                                  with("        {\"values\": [1.42]", session(1) + session(1) + "{\"values\": [1.42]"),
                                  with("vision_test", "caf\xe9"),
                                  "{\"a\": 1,, \"b\": 2}",
                                  "{]"})
        faults += error_of(text) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("baseline_file refuses an entry without processes", "[baseline][unit]") {
    const auto from = rendered().find("        {\"values\"");
    auto text = rendered();
    text.erase(from, text.find('\n', from) + 1 - from);
    CHECK_THAT(error_of(text),
               StartsWith("b/x.json:7: the entry has no measurements, expected a session with 1 to 40 values"));
}

TEST_CASE("baseline_file cut anywhere is refused", "[baseline][unit]") {
    const std::string whole = rendered();
    for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
        const auto message = error_of(whole.substr(0, size));
        if (message.starts_with("b/x.json:")) continue;
        FAIL("cut at " << size << ": " << message);
    }
}

TEST_CASE("baseline_file refuses hostile nesting and size without a deep stack or much memory", "[baseline][unit]") {
    CHECK_RECORDED(error_of(std::string(5'000'000, '[')));
    std::string objects;
    for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
    CHECK_THAT(error_of(objects), StartsWith("b/x.json:1: more than 16 levels of nesting"));
    std::string many = "[0";
    for (int i = 0; i < 3'000'000; ++i) many += ",0";
    CHECK_THAT(error_of(many + ']'), StartsWith("b/x.json:1: more than 3000000 values"));
}

TEST_CASE("baseline_file reads its entries with the version in any place", "[baseline][unit]") {
    baseline_file many{"cpu", "", "suite", {}};
    for (int i = 0; i < 3; ++i) many.insert_or_replace(entry_of("k" + std::to_string(i)));
    const std::string text = render_baseline_file(many);
    const std::string version = "\"schema_version\": 2";
    auto late = text;
    late.erase(late.find(version + ",\n"), version.size() + 2);
    late.replace(late.rfind("\n}"), 2, ", " + version + "}");
    CHECK(parse_baseline_file(late, "b/x.json") == many);

    auto twins = text;
    for (auto at = twins.find("\"k1\""); at != std::string::npos; at = twins.find("\"k1\""))
        twins.replace(at, 4, "\"k0\"");
    CHECK_THAT(error_of(twins), ContainsSubstring("\"k0\" appears twice"));
}

TEST_CASE("baseline_file shows what it found on one short line", "[baseline][unit]") {
    const std::string strange = "\"\\u001b[31m" + std::string(100'000, 'x') + '"';
    const auto message = GENERATE_COPY(error_of(with("\"better\": \"more\"", "\"better\": " + strange)),
                                       error_of(with("\"2026-11-18T09:12:44Z\"", strange)));
    CHECK(message.size() < 600);
    CHECK(message.find('\x1b') == std::string::npos);
}

TEST_CASE("baseline_file renders no entry that it would not read", "[baseline][unit]") {
    auto file = two_entries();
    file.entries[0].processes[0].value = 0;
    CHECK_THROWS_RECORDED(std::exception, render_baseline_file(file));
    file = two_entries();
    file.suite = "\xff";
    CHECK_THROWS_WITH(render_baseline_file(file), ContainsSubstring("is not UTF-8") && ContainsSubstring("rename it"));
}

}  // namespace

}  // namespace perfspec
