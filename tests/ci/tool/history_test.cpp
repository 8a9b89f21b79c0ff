// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <perfspec/quantity/json_tree.hpp>

#include <support/test.hpp>

#include <fmt/format.h>

namespace perfspec {
namespace {

using namespace testing;

/// A result of the n-th run; there is one a day.
record of_run(int run, const std::string& key, double value, verdict v = verdict::holds) {
    record r = stored_result(key, value, v, 0);
    r.time = fmt::format("2026-10-{:02}T10:00:00Z", run);
    r.run_id = fmt::format("run-{}", run);
    r.commit = fmt::format("c{}", run);
    r.branch = "main";
    r.bound = 1.06e6;
    r.comparison = "<";
    return r;
}

struct tool_with : scripted_tool {
    explicit tool_with(const std::vector<record>& records) { put_records("r.jsonl", records); }
    [[nodiscard]] tool::program_end history(std::vector<std::string> options = {}) {
        options.insert(options.begin(), {"history", "r.jsonl"});
        return run(options);
    }
    void tells(int code, const std::string& options = {}, const std::string& label = {}) {
        ends(code, "history r.jsonl" + options, label, __FILE__);
    }
};

/// The data of the page that `--html` wrote.
detail::json_value data_of(const std::string& page) {
    constexpr std::string_view begin = R"(id="data">)";
    const std::size_t from = page.find(begin) + begin.size();
    return detail::read_json(page.substr(from, page.find("</script>", from) - from), {.values = 20'000'000});
}

}  // namespace

TEST_CASE("history fails where a key is violated in both of its last two runs", "[ci][unit]") {
    tool_with tool(
        {of_run(1, "a", 1e6), of_run(2, "a", 1.2e6, verdict::violated), of_run(3, "a", 1.3e6, verdict::violated)});
    tool.tells(1);
}

TEST_CASE("history does not fail for one violated run, nor where the newest holds", "[ci][unit]") {
    const auto [before, last] =
        GENERATE(table<verdict, verdict>({{verdict::holds, verdict::violated}, {verdict::violated, verdict::holds}}));
    CHECK(tool_with({of_run(1, "a", 1e6, before), of_run(2, "a", 1e6, last)}).history().code == 0);
}

TEST_CASE("history fails for claims under PERF_WARN too, whose tests pass", "[ci][unit]") {
    record first = of_run(1, "a", 1.2e6, verdict::violated);
    record second = of_run(2, "a", 1.2e6, verdict::violated);
    first.failed = second.failed = false;
    CHECK(tool_with({first, second}).history().code == 1);
}

TEST_CASE("history does not fail for violations that are waived", "[ci][unit]") {
    record first = of_run(1, "a", 1.2e6, verdict::violated);
    record second = of_run(2, "a", 1.2e6, verdict::violated);
    second.failed = false;
    second.waiver = applied_waiver{waiver_effect::waived, "20%", "2027-01-31", "known", "#1", "b/perfspec.json:2"};
    CHECK(tool_with({first, second}).history().code == 0);
}

TEST_CASE("history takes the most urgent claim of a run, in any place", "[ci][unit]") {
    const bool violated_first = GENERATE(true, false);
    std::vector<record> records;
    for (int run = 1; run <= 2; ++run) {
        record bad = of_run(run, "a", 1.2e6, verdict::violated);
        bad.bound = 1.1e6;
        const record good = of_run(run, "a", 1.2e6);
        records.insert(records.end(), {violated_first ? bad : good, violated_first ? good : bad});
    }
    const auto end = tool_with(records).history();
    CHECK(end.code == 1);
    CHECK_THAT(end.out, ContainsSubstring("1.200 ms  1.100 ms"));
}

TEST_CASE("history orders runs by time, in any order of files and lines", "[ci][unit]") {
    tool_with tool({of_run(3, "a", 1.3e6, verdict::violated), of_run(1, "a", 1e6)});
    tool.put_results("s.jsonl", {line_of(of_run(2, "a", 1.2e6, verdict::violated))});
    CHECK(tool.run({"history", "r.jsonl", "s.jsonl"}).code == 1);
    tool.put_results("s.jsonl", {line_of(of_run(4, "a", 1e6))});
    CHECK(tool.run({"history", "s.jsonl", "r.jsonl"}).code == 0);
}

TEST_CASE("history distinguishes runs by their id, or by their file", "[ci][unit]") {
    std::vector<record> records{of_run(1, "a", 1e6), of_run(2, "a", 1e6)};
    CHECK_THAT(tool_with(records).history().out, StartsWith("2 runs from"));
    for (record& r : records) r.run_id.clear();
    tool_with tool(records);
    tool.tells(0);
    tool.put_results("s.jsonl", {line_of(records[1])});
    tool.ends(0, "history r.jsonl s.jsonl");
}

TEST_CASE("history names the keys that the newest run of their machine lacks", "[ci][unit]") {
    record elsewhere = of_run(1, "c", 1e6);
    elsewhere.hardware_key = "other-cpu";
    tool_with tool({of_run(1, "a", 1e6), of_run(1, "b", 1e6), elsewhere, of_run(2, "a", 1e6)});
    tool.tells(0);
}

TEST_CASE("history begins where --since says, and refuses to say nothing", "[ci][unit]") {
    tool_with tool({of_run(1, "a", 1e6), of_run(2, "a", 1e6), of_run(3, "b", 1e6)});
    tool.tells(0, " --since 2026-10-02");
    tool.tells(2, " --since 2026-11-02");
    tool.tells(2, " --since October");
}

TEST_CASE("history counts a measurement that never ended as error", "[ci][unit]") {
    tool_with tool({});
    tool.put_results("r.jsonl", {line_of(of_run(1, "a", 1e6)), to_started_line(of_run(2, "a", 1e6)),
                                 to_started_line(of_run(3, "a", 1e6)), line_of(of_run(3, "a", 1e6))});
    tool.tells(0, " --html h.html");
    const detail::json_value data = data_of(tool.files.text("h.html"));
    const auto& points = data.member("keys")->items.front().member("points")->items;
    REQUIRE(points.size() == 3);
    CHECK(points[1].items.back().text == "error");
    CHECK(points[2].items.back().text == "holds");
}

TEST_CASE("history refuses a line with a fault in what it shows, and names it", "[ci][unit]") {
    tool_with tool({});
    std::string line = line_of(of_run(1, "a", 1e6));
    const std::size_t verdict = line.find(R"("verdict":"holds")");
    REQUIRE(verdict != std::string::npos);
    tool.put_results("r.jsonl", {line.replace(verdict, 17, R"("verdict":"held!")")});
    tool.tells(2);
}

TEST_CASE("history leaves out a line that was cut short, with a note", "[ci][unit]") {
    tool_with tool({});
    const std::string line = line_of(of_run(1, "a", 1e6));
    tool.put_results("r.jsonl", {line, line.substr(0, 100)});
    tool.tells(0);
}

TEST_CASE("the page of a history has every run, every key and every value, and nothing ends its script", "[ci][unit]") {
    record hostile = of_run(1, "</script><b>a", 1e6);
    hostile.estimate->high = INFINITY;
    tool_with tool({hostile, of_run(2, "</script><b>a", 1.2e6, verdict::violated), of_run(2, "b", 2e6)});
    REQUIRE(tool.history({"--html", "h.html"}).code == 0);
    const std::string page = tool.files.text("h.html");
    CHECK(page.find("</script><b>") == std::string::npos);
    const detail::json_value data = data_of(page);
    CHECK(data.member("title")->text == "perfspec: 2 runs from 2026-10-01 to 2026-10-02, 2 keys on 1 machine");
    CHECK(data.member("runs")->items[1].member("commit")->text == "c2");
    const auto& keys = data.member("keys")->items;
    REQUIRE(keys.size() == 2);
    CHECK(keys[0].member("key")->text == "</script><b>a");
    CHECK(keys[0].member("newest")->text == "1.200 ms, +20 % since 2026-10-01");
    const auto& points = keys[0].member("points")->items;
    CHECK(points[0].items[1].number == 1e6);
    CHECK(points[0].items[3].kind == detail::json_kind::null);
    CHECK(points[1].items[4].number == 1.06e6);
    CHECK(points[1].items[5].text == "violated");
}

}  // namespace perfspec
