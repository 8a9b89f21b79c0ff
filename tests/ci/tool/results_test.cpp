// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <tool/results/results.hpp>

#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;
using texts = std::vector<tool::input_text>;

const std::string whole = line_of(stored_result("a key", 1e6, verdict::holds, 2));

}  // namespace

TEST_CASE("read_results reads lines of both kinds, and where they stood", "[ci][unit]") {
    const record r = stored_result("a key", 1e6, verdict::holds, 2);
    const texts files{{"a.jsonl", to_started_line(r) + "\r\n\n" + whole + "\n"}, {"b.jsonl", whole}};
    const tool::results found = tool::read_results(files);
    REQUIRE(found.lines.size() == 3);
    CHECK(found.lines[0].kind == json_line_kind::started);
    CHECK(found.lines[1].place() == "a.jsonl:3");
    CHECK(found.lines[1].about.key == "a key");
    CHECK(found.lines[1].raw == whole);
    CHECK(found.lines[2].place() == "b.jsonl:1");
    CHECK(found.finished().size() == 2);
    CHECK(found.notes.empty());
}

TEST_CASE("read_results leaves out a line that ends in the middle, with a note, in any place", "[ci][unit]") {
    const std::size_t length =
        GENERATE(std::size_t{1}, std::size_t{8}, std::size_t{40}, whole.size() / 2, whole.size() - 1);
    const std::string after = GENERATE(as<std::string>(), "", "\n", "\n\n" + whole, "\n" + whole + "\n");
    const texts files{{"a.jsonl", whole + "\n" + whole.substr(0, length) + after}};
    const tool::results found = tool::read_results(files);
    CHECK(found.lines.size() == (after.size() > 2 ? 2 : 1));
    CHECK(found.cut_short == 1);
    CHECK(found.notes == std::vector<std::string>{
                             "a.jsonl:2: the line is cut short, so its result is lost: was the process killed, or the "
                             "disk full?"});
}

TEST_CASE("read_results reads a file of nothing but a line that was cut short", "[ci][unit]") {
    const tool::results found = tool::read_results(texts{{"a.jsonl", "{\"schema\":1,"}});
    CHECK(found.lines.empty());
    CHECK(found.cut_short == 1);
}

TEST_CASE("read_results refuses what is no line of results, by file and line", "[ci][unit]") {
    std::string faults;
    for (const std::string& line : std::vector<std::string>{
             "hello", "hello" + whole, whole + "hello", "{\"sch\":1}", "{\"schema\":2,\"kind\":\"result\"}",
             "{\"kind\":\"result\"}", "{\"schema\":1,\"kind\":\"result\",\"verdict\":\"fine\"}",
             "{\"schema\":1,\"kind\":\"result\",\"baseline\":{\"taken\":[{\"values\":[\"fast\"]}]}}",
             std::string(tool::max_bytes_of_a_line + 1, 'x')}) {
        const texts files{{"a.jsonl", whole + "\n" + line + "\n" + whole + "\n"}};
        faults += message_of<input_error>([&] { static_cast<void>(tool::read_results(files)); }) + "\n";
    }
    CHECK_RECORDED(faults);
}

TEST_CASE("read_results shows a hostile name harmlessly", "[ci][unit]") {
    const texts files{{"a\x1b[31m\nb.jsonl", "hello\n"}};
    CHECK_THROWS_WITH(tool::read_results(files), StartsWith("a\\x1b[31m b.jsonl:1: found"));
}

TEST_CASE("read_results refuses a file without a line", "[ci][unit]") {
    const texts files{{"a.jsonl", GENERATE("", "\n\n")}};
    CHECK_THROWS_WITH(tool::read_results(files),
                      StartsWith("a.jsonl: there are no results in it, expected lines of JSON"));
}

TEST_CASE("unfinished finds the starts that no result followed", "[ci][unit]") {
    const record a = stored_result("a", 1e6, verdict::holds, 2);
    const record b = stored_result("b", 1e6, verdict::holds, 2);
    const texts files{{"a.jsonl", to_started_line(a) + "\n" + to_started_line(b) + "\n" + to_started_line(a) + "\n" +
                                      line_of(a) + "\n"}};
    const tool::results found = tool::read_results(files);
    const auto unfinished = found.unfinished();
    REQUIRE(unfinished.size() == 2);
    CHECK(unfinished[0]->place() == "a.jsonl:2");
    CHECK(unfinished[1]->place() == "a.jsonl:3");  // the same key a second time
}

TEST_CASE("contains_pattern takes * for any text, and everything else for itself", "[ci][unit]") {
    CHECK(tool::contains_pattern("sort / latency(std::sort)", ""));
    CHECK(tool::contains_pattern("sort / latency(std::sort)", "latency(std"));
    CHECK(tool::contains_pattern("sort / latency(std::sort)", "sort*latency*sort"));
    CHECK_FALSE(tool::contains_pattern("sort / latency(std::sort)", "latency*latency"));
    CHECK_FALSE(tool::contains_pattern("sort / latency(std::sort)", "lat.ncy"));
    CHECK(tool::contains_pattern("abc", "***c*"));
}

}  // namespace perfspec
