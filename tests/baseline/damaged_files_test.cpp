// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Whatever a file holds, its reader reads it or says what is wrong with it, and writes what it read in one way only.
#include "support/damaged_text.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>
#include <perfspec/baseline/json_tree.hpp>
#include <perfspec/baseline/project_file.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/quantity/text.hpp>

#include "entries.hpp"

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

TEST_CASE("a damaged baseline file is read or refused, never half read", "[baseline][unit]") {
    baseline_entry entry = entry_of("sort / latency(f)", {1.5e6, 1.6e6, 1.7e6});
    entry.operators = operator_profile{"2 threads", {{"aten::conv2d", 523000, 9}, {"aten::relu", 12.5, 4}}, 1200};
    const baseline_file good{"epyc-4c", "gcc-12", "sorting", {entry}};
    const damage_report seen = parse_damaged(render_baseline_file(good), [](const std::string& text) {
        return render_baseline_file(parse_baseline_file(text, "sorting.json"));
    });
    CHECK(seen.fault == "");
    CHECK(seen.refused > 1000);
    CHECK(seen.accepted > 20);
}

TEST_CASE("a damaged file of golden outputs is read or refused, never half read", "[baseline][unit]") {
    const golden_file good{
        "epyc-4c",
        "",
        "vision",
        {{"alexnet / same_output(a, b)", "LibTorch 2.13.0", "2026-11-18T09:12:44Z", "3f2c1ab", {"output 1: 01"}}}};
    const damage_report seen = parse_damaged(render_golden_file(good), [](const std::string& text) {
        return render_golden_file(parse_golden_file(text, "vision.golden"));
    });
    CHECK(seen.fault == "");
    CHECK(seen.refused > 1000);
    CHECK(seen.accepted > 20);
}

TEST_CASE("a damaged project file is read or refused", "[baseline][unit]") {
    const std::string good = R"({"margin": "1%", "rounds": 500, "undecided": "fail", "budget": "2s"})";
    const damage_report seen = parse_damaged(good, [&](const std::string& text) {
        static_cast<void>(parse_project_file(text, "perfspec.json"));
        return good;
    });
    CHECK(seen.fault == "");
    CHECK(seen.refused > 1000);
    CHECK(seen.accepted > 20);
}

TEST_CASE("a reader that throws anything else, or writes another text again, would be found", "[baseline][unit]") {
    const auto number = [](const std::string& text) { return std::to_string(std::stoi(text)); };
    CHECK(parse_damaged("rounds", number).fault.starts_with("stoi, of: "));
    CHECK(parse_damaged("a", [](const std::string& text) {
              return text + "a";
          }).fault.starts_with("not the same when read again: "));
}

}  // namespace

namespace {

const std::string version_1 = R"json({
  "schema_version": 1,
  "hardware": "h",
  "build_variant": "",
  "suite": "s",
  "entries": {
    "k": {
      "unit": "ns",
      "better": "less",
      "recorded_on": {"os": "Debian GNU/Linux 12 (bookworm)"},
      "launches": [
        {"value": 30, "q1": 29, "q3": 31, "p90": 32, "p99": 33, "samples": 300, "iterations": 2, "when": "2026-11-18T09:12:44Z", "commit": "a", "sitting": "one"},
        {"value": 10, "q1": 9, "q3": 11, "p90": 12, "p99": 13, "samples": 100, "iterations": 1, "when": "2026-11-18T09:12:46Z", "commit": "b", "run": "7", "sitting": "one"},
        {"value": 20, "q1": 19, "q3": 21, "p90": 22, "p99": 23, "samples": 200, "iterations": 3, "when": "2026-11-18T09:12:45Z", "commit": "c", "sitting": "one"},
        {"value": 40, "q1": 40, "q3": 40, "p90": 40, "p99": 40, "samples": 1, "iterations": 1, "when": "2026-11-20T09:12:45Z"}
      ]
    }
  }
}
)json";

std::string replaced(std::string text, const std::string& found, const std::string& instead) {
    const auto at = text.find(found);
    REQUIRE(at != std::string::npos);
    return text.replace(at, found.size(), instead);
}

}  // namespace

TEST_CASE("launches of version 1 become recording sessions", "[baseline][unit]") {
    const baseline_file file = parse_baseline_file(version_1, "x");
    REQUIRE(file.entries.size() == 1);
    const auto sessions = sessions_of(file.entries[0].launches);
    REQUIRE(sessions.size() == 2);
    const recording_session one{.mark = "one",
                                .when = "2026-11-18T09:12:46Z",  // of the newest launch
                                .commit = "b",
                                .run = "7",
                                .moved_by_load = {},
                                .q1 = 19,  // of the median launch
                                .q3 = 21,
                                .p90 = 22,
                                .p99 = 23,
                                .samples = 200,
                                .iterations = 3,
                                .values = {30, 10, 20}};
    CHECK(sessions[0] == one);
    CHECK(sessions[1].mark.empty());
    CHECK(sessions[1].values == std::vector<double>{40});
    CHECK(parse_baseline_file(render_baseline_file(file), "x") == file);
    CHECK_THAT(render_baseline_file(file), ContainsSubstring("\"schema_version\": 2"));
}

TEST_CASE("of more sittings than an entry holds sessions the oldest become one", "[baseline][unit]") {
    const std::string launch =
        R"({"value": 1, "q1": 1, "q3": 1, "p90": 1, "p99": 1, "samples": 1, "iterations": 1, "when": "2026-11-)";
    std::string launches;
    for (int day = 10; day < 22; ++day)
        launches += (day == 10 ? "" : ", ") + launch + std::to_string(day) + R"(T09:12:44Z", "sitting": ")" +
                    std::to_string(day) + "\"}";
    const auto from = version_1.find("        {\"value\": 30");
    const auto to = version_1.find("      ]");
    const auto entry =
        parse_baseline_file(version_1.substr(0, from) + launches + version_1.substr(to), "x").entries.at(0);
    const auto sessions = sessions_of(entry.launches);
    REQUIRE(sessions.size() == 10);
    CHECK(sessions.front().values.size() == 3);
    CHECK(sessions.front().mark == "12");
    CHECK(entry.launches.size() == 12);
}

TEST_CASE("what is wrong with a file of version 1 is told with its line", "[baseline][unit]") {
    const auto error_of = [](const std::string& text) -> std::string {
        try {
            (void)parse_baseline_file(text, "x");
        } catch (const input_error& wrong) { return wrong.what(); }
        return "no error";
    };
    CHECK_THAT(error_of(replaced(version_1, "\"value\": 10", "\"value\": -10")),
               ContainsSubstring("x:13: \"values\" holds -10"));
    CHECK_THAT(error_of(replaced(version_1, "\"q1\": 19", "\"q1\": 0")), ContainsSubstring("x:14: \"q1\" is 0"));
    CHECK_THAT(error_of(replaced(version_1, "\"launches\": [", "\"launches\": [1, ")),
               ContainsSubstring("x:11: a launch is not an object"));
    CHECK_THAT(error_of(replaced(version_1, "\"value\": 10", "\"vlaue\": 10")),
               ContainsSubstring("x:13: \"value\" of a launch is missing"));
    CHECK_THAT(error_of(replaced(version_1, "\"value\": 10", "\"value\": 10, \"x\": 1")),
               ContainsSubstring("x:13: \"x\" of a launch is unknown here"));
    CHECK_THAT(error_of(replaced(version_1, "\"launches\"", "\"lunches\"")),
               ContainsSubstring("\"lunches\" is unknown here"));
}

TEST_CASE("upgrade runs the steps from an older version one by one", "[baseline][unit]") {
    using detail::json_value;
    // Version 1 called the suite "binary"; version 2 had no build variant.
    const detail::schema_upgrade steps[] = {
        {2,
         [](json_value& root) { root.items.push_back({.kind = detail::json_kind::string, .name = "build_variant"}); }},
        {1, [](json_value& root) { const_cast<json_value*>(root.member("binary"))->name = "suite"; }},
    };
    auto root = detail::read_json(R"({"schema_version": 1, "binary": "x"})");
    detail::upgrade(root, steps, 3);
    CHECK(root.member("suite")->text == "x");
    CHECK(root.member("build_variant") != nullptr);

    auto newer = detail::read_json(R"({"schema_version": 4})");
    CHECK_THROWS_WITH(detail::upgrade(newer, steps, 3),
                      ContainsSubstring("schema version 4 is from a newer perfspec, expected at most 3"));
    auto unknown = detail::read_json(R"({"schema_version": 0})");
    CHECK_THROWS_WITH(detail::upgrade(unknown, steps, 3), ContainsSubstring("schema version 0 was never written"));
}

}  // namespace perfspec
