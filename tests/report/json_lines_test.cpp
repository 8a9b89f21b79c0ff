// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/damaged_text.hpp"

#include <perfspec/quantity/text.hpp>
#include <perfspec/report/json_lines.hpp>

#include <report/example_records.hpp>
#include <support/scripted_file_system.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("to_json_line and from_json_line keep every number exactly", "[report][unit]") {
    const double value = GENERATE(0.1 + 0.2, 1.0 / 3.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -1e-7,
                                  123456789012345680.0, 0.0, std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity());
    record r = testing::violated_ratio();
    r.estimate->value = value;
    r.bound = value;
    r.subjects[1].strip = {value, 1.0};
    const record back = from_json_line(to_json_line(r));
    CHECK(back.estimate->value == value);
    CHECK(back.bound == value);
    CHECK(back.subjects[1].strip == r.subjects[1].strip);
}

TEST_CASE("to_json_line writes what JSON has no number for as a word", "[report][unit]") {
    record r;
    r.bound = std::numeric_limits<double>::quiet_NaN();
    r.evidence.log_e_holds = std::numeric_limits<double>::infinity();
    r.evidence.log_e_violated = -std::numeric_limits<double>::infinity();
    const std::string line = to_json_line(r);
    CHECK_RECORDED(line);
    CHECK(std::isnan(from_json_line(line).bound.value()));
}

TEST_CASE("to_json_line keeps counts beyond what a double holds", "[report][unit]") {
    record r;
    r.evidence.seed = 18446744073709551615u;
    r.disturbed.page_faults = 9007199254740993u;
    const record back = from_json_line(to_json_line(r));
    CHECK(back.evidence.seed == 18446744073709551615u);
    CHECK(back.disturbed.page_faults == 9007199254740993u);
}

TEST_CASE("to_json_line keeps any text on one line", "[report][unit]") {
    record r;
    r.claim = "a \"b\"\\ \n\t\r\x01 \xc3\xa9 {} }";
    const std::string line = to_json_line(r);
    CHECK(line.find('\n') == std::string::npos);
    CHECK(from_json_line(line).claim == r.claim);
}

TEST_CASE("to_started_line identifies a measurement and has no result", "[report][unit]") {
    const std::string line = to_started_line(testing::every_field());
    CHECK(read_json_line(line).kind == json_line_kind::started);
    CHECK(read_json_line(to_json_line(testing::every_field())).kind == json_line_kind::result);
    const record back = from_json_line(line);
    CHECK(back.key == testing::every_field().key);
    CHECK(back.shard == "2 of 4");
    CHECK(back.run_id == "77-1");
    CHECK(back.started_by == "4711 1834512");
    CHECK(back.axes == testing::every_field().axes);
    CHECK_FALSE(back.estimate.has_value());
    for (const char* field : {"\"verdict\"", "\"measured\"", "\"evidence\"", "\"subjects\"", "\"baseline\"",
                              "\"metrics\"", "\"verification_code\""}) {
        CHECK_THAT(line, !ContainsSubstring(field));
    }
}

TEST_CASE("a JSON line names what became of processes in words without blanks", "[report][unit]") {
    struct row {
        baseline_action action;
        const char* word;
    };
    const auto expected = GENERATE(values<row>({
        {baseline_action::compared, R"("action":"compared")"},
        {baseline_action::recorded, R"("action":"recorded")"},
        {baseline_action::updated, R"("action":"updated")"},
        {baseline_action::appended, R"("action":"appended")"},
        {baseline_action::kept, R"("action":"kept")"},
        {baseline_action::refused, R"("action":"refused")"},
        {baseline_action::would_be_recorded, R"("action":"would_be_recorded")"},
    }));
    record r = testing::stored_ratio();
    r.baseline->action = expected.action;
    CHECK_THAT(to_json_line(r), ContainsSubstring(expected.word));
    CHECK(from_json_line(to_json_line(r)).baseline.value().action == expected.action);
}

TEST_CASE("from_json_line names an unknown action on a baseline", "[report][unit]") {
    CHECK_THROWS_RECORDED(std::exception,
                          from_json_line(R"({"schema":1,"kind":"result","baseline":{"action":"would be recorded"}})"));
}

TEST_CASE("from_json_line refuses processes of one session in two places", "[report][unit]") {
    const std::string line =
        R"({"schema":1,"kind":"result","time":"","key":"","verdict":"holds","failed":false,"baseline":{"taken":[)";
    const auto read = [&](const char* sessions) {
        return from_json_line(line + sessions + "]}}").baseline.value().taken;
    };
    CHECK(read(R"({"values":[1,2],"session":"a"},{"values":[3],"session":"b"})").size() == 3);
    CHECK_THROWS_WITH(read(R"({"values":[1],"session":"a"},{"values":[2],"session":"a"})"),
                      ContainsSubstring("a \"session\" appears twice"));
}

TEST_CASE("from_json_line keeps defaults for what a line does not have, and ignores what it has besides",
          "[report][unit]") {
    const record r =
        from_json_line(R"({"schema":1,"kind":"result","time":"","key":"","verdict":"skipped","failed":false,"line":7,)"
                       R"("color":{"of":["the","future"]},"evidence":{"rounds":3,"more":1}})");
    CHECK(r.line == 7);
    CHECK(r.evidence.rounds == 3);
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.claim.empty());
}

TEST_CASE("from_json_line says what is wrong with a line", "[report][unit]") {
    std::string faults;
    for (const std::string line :
         {"",
          R"({"schema":1,"kind":"resu)",
          R"({"kind":"result"})",
          R"({"schema":2,"kind":"result"})",
          R"({"schema":"one","kind":"result"})",
          R"({"schema":1})",
          R"({"schema":1,"kind":"finished"})",
          R"({"schema":1,"kind":"result","evidence":{"seed":-1}})",
          R"({"schema":1,"kind":"result","line":99999999999})",
          R"({"schema":1,"kind":"result","bound":"fast"})",
          R"({"schema":1,"kind":"result","failed":1})",
          R"({"schema":1,"kind":"result","claim":[]})",
          R"({"schema":1,"kind":"result","advice":{}})",
          R"({"schema":1,"kind":"result","axes":{"batch":8}})",
          R"({"schema":1,"kind":"result","subjects":[{},{"strip":[1,"x"]}]})",
          R"({"schema":1,"kind":"result","verdict":"fine"})",
          R"({"schema":1,"kind":"result"})",
          R"({"schema":1,"kind":"result","time":"2026-11-19T10:20:30Z","key":"k","failed":false})",
          R"({"schema":1,"kind":"result","time":"2026-11-19T10:20:30Z","key":"k","verdict":"holds","failed":true})",
          R"({"schema":1,"kind":"result","time":"2026-11-19T10:20:30Z","key":"k","verdict":"skipped","failed":true})"})
        faults += line + "\n  " + message_of<input_error>([&] { static_cast<void>(from_json_line(line)); }) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("from_json_line refuses a line that is cut anywhere", "[report][unit]") {
    const std::string line = to_json_line(testing::violated_ratio());
    for (std::size_t length = 0; length < line.size(); length += 7)
        CHECK_THROWS_AS(from_json_line(line.substr(0, length)), input_error);
}

TEST_CASE("from_json_line reads each verdict, unit and code back", "[report][unit]") {
    record r;
    r.verdict = GENERATE(verdict::holds, verdict::violated, verdict::undecided, verdict::error, verdict::skipped);
    r.unit = GENERATE(dimension::time, dimension::ratio, dimension::count, dimension::bytes, dimension::item_rate,
                      dimension::byte_rate, dimension::flop_rate);
    r.verified = verification{
        GENERATE(verification_code::pass, verification_code::eager_failed, verification_code::verifier_didnt_run),
        {},
        {}};
    const record back = from_json_line(to_json_line(r));
    CHECK(back.verdict == r.verdict);
    CHECK(back.unit == r.unit);
    CHECK(back.verified->code == r.verified->code);
}

TEST_CASE("from_json_line reports where JSON itself is broken", "[report][unit]") {
    record r = testing::violated_ratio();
    r.margin = 0.005;
    const std::string line = replaced(to_json_line(r), "\"margin\":", "\"margin\"");
    CHECK_THROWS_MATCHES(from_json_line(line), input_error,
                         Catch::Matchers::MessageMatches(ContainsSubstring("0.005")));
}

TEST_CASE("a damaged line of results is read or refused, never half read", "[report][unit]") {
    const auto report = testing::parse_damaged(to_json_line(testing::violated_ratio()), [](const std::string& line) {
        return to_json_line(from_json_line(line));
    });
    CHECK(report.fault == "");
    CHECK(report.refused > 1000);
    CHECK(report.accepted > 100);
}

TEST_CASE("append_result names the file that it cannot write, and a remedy", "[report][unit]") {
    scripted_file_system files;
    append_result(files, "out/results.jsonl", to_started_line(testing::violated_ratio()));
    append_result(files, "out/results.jsonl", to_json_line(testing::violated_ratio()));
    CHECK(files.text("out/results.jsonl") ==
          to_started_line(testing::violated_ratio()) + "\n" + to_json_line(testing::violated_ratio()) + "\n");
    files.refuse_writes_below("/readonly");
    CHECK_THROWS_MATCHES(
        append_result(files, "/readonly/results.jsonl", "{}"), input_error,
        Catch::Matchers::MessageMatches(
            Catch::Matchers::StartsWith("/readonly/results.jsonl: ") &&
            Catch::Matchers::EndsWith("; name a file that can be written, such as --perf-output=results.jsonl")));
}

}  // namespace perfspec
