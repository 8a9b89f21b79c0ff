// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/damaged_text.hpp"

#include "support/scripted_environment.hpp"

#include <perfspec/process/child.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/version.hpp>

#include <support/test.hpp>

using namespace perfspec;

using detail::message_line;
using detail::read_message_as;

TEST_CASE("a message is one line of JSON without what is not set", "[process][unit]") {
    CHECK(message_line(served_request{"finish"}) == R"({"request":"finish"})");
    CHECK(message_line(served_request{"run", 5, false, 3}) ==
          R"({"request":"run","iterations":5,"warm":false,"core":3})");
    const std::string line = R"({"answer":"hello","reason":"50 % of\na \u007f ünï=x","protocol":4,"work":100123.25})";
    const auto read = read_message_as<served_answer>(line);
    CHECK(read.reason == "50 % of\na \x7f ünï=x");
    CHECK(read.work == 100123.25);
    CHECK(read_message_as<served_answer>(message_line(read)).reason == read.reason);
    CHECK(message_line(read).find('\n') == std::string::npos);
    // A reader skips fields that it does not know.
    CHECK(read_message_as<served_request>(R"({"more":{"a":[1]},"request":"run","iterations":2})").iterations == 2U);
}

TEST_CASE("a message gives numbers only for what is a number", "[process][unit]") {
    const auto read = [](const std::string& value) {
        return read_message_as<served_answer>(R"({"answer":"m","elapsed_ns":)" + value + "}").elapsed_ns;
    };
    for (const char* const other : {"1.5", "-1", "x", "", "1e999", "nan", "18446744073709551616", "\"3\"", "true"})
        CHECK_THROWS_AS(read(other), detail::json_fault);
    CHECK(read("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
    CHECK(read("3") == 3U);
    CHECK(read("null") == std::nullopt);
    CHECK_FALSE(detail::is_time(std::numeric_limits<std::uint64_t>::max()));
    CHECK(detail::is_time(0));
    CHECK_FALSE(detail::is_time(std::nullopt));
    const auto amount = [](const std::string& value) {
        return detail::is_amount(read_message_as<served_answer>(R"({"call_ns":)" + value + "}").call_ns);
    };
    CHECK(amount("1.5"));
    CHECK(amount("0"));
    for (const char* const other : {"-1", "\"nan\"", "\"inf\"", "null"}) CHECK_FALSE(amount(other));
}

TEST_CASE("a message carries any number exactly", "[process][unit]") {
    const double value = GENERATE(0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 0.0);
    CHECK(read_message_as<served_answer>(message_line(served_answer{.answer = "m", .call_ns = value})).call_ns ==
          value);
}

TEST_CASE("a message is no other line", "[process][unit]") {
    const std::string line = GENERATE("", " run", "a=b", "run", "[]", "3", "{", "{}x", R"({"request":5})",
                                      R"({"request":"a","request":"b"})", R"({"iterations":[5]})",
                                      "{\"request\":\"a\nb\"}", "{\"request\":\"\xff\"}");
    CHECK_THROWS_AS(read_message_as<served_request>(line), detail::json_fault);
}

namespace perfspec {
namespace {

using testing::parse_damaged;
using testing::scripted_environment;

std::string text_of(const child_request& request) { return child_environment({}, request).back().second; }

TEST_CASE("a damaged request of a child is read or refused", "[process][unit]") {
    child_request good{.address = {"sort / latency(x)", 2},
                       .seed = 42,
                       .plan = {.set = {{"budget", "1s"}}, .defaults = {{"cap", "2s"}}}};
    good.abandoned_claims = {{"sort / speedup(a, b)", 0}};
    const auto report = parse_damaged(text_of(good), [](const std::string& text) {
        return text_of(read_child_request(scripted_environment{{"PERFSPEC_CHILD", text}}).value());
    });
    CHECK(report.fault == "");
    CHECK(report.refused > 1000);
    CHECK(report.accepted > 20);
}

TEST_CASE("a damaged message of a worker is a message or none", "[process][unit]") {
    const std::string good = R"({"answer":"prepared","reason":"a b%","untimed_ns":20,"call_ns":1500,"iterations":8})";
    const auto report = parse_damaged(good, [&](const std::string& line) {
        try {
            return message_line(read_message_as<served_answer>(line));
        } catch (const detail::json_fault&) { return good; }
    });
    CHECK(report.fault == "");
    CHECK(report.accepted == 3000);
}

TEST_CASE("a damaged answer of a child is one line, or none", "[process][unit]") {
    const std::string payload = R"({"schema_version":1,"type":"result","key":"a"})";
    const auto answer_in = [](const std::string& bytes) {
        return parse_answer({.how = child_outcome::exited, .result = bytes}).payload;
    };
    CHECK(answer_in(payload + "\n") == payload);
    std::size_t wrong = 0;
    const auto report = parse_damaged(payload + "\n", [&](const std::string& bytes) {
        const auto answer = answer_in(bytes);
        wrong += answer && *answer + "\n" != bytes ? 1 : 0;
        return bytes;
    });
    CHECK(report.fault == "");
    CHECK(wrong == 0);
}

}  // namespace

}  // namespace perfspec

using namespace perfspec::detail;

TEST_CASE("printable keeps UTF-8 and shows other bytes as numbers", "[process][unit]") {
    const auto [bytes, text] = GENERATE(table<std::string, std::string>({
        {"", ""},
        {"plain ~\ttext\n", "plain ~\ttext\n"},
        {"ü € 🦉", "ü € 🦉"},
        {std::string("\0\x07\x7f\r", 4), "\\x00\\x07\\x7f\\x0d"},
        {"\x80 \xc3 \xe2\x82 \xf0\x9f\xa6", "\\x80 \\xc3 \\xe2\\x82 \\xf0\\x9f\\xa6"},
        {"\xc0\xaf \xc1 \xf5 \xff", "\\xc0\\xaf \\xc1 \\xf5 \\xff"},
        {"\xc3", "\\xc3"},
    }));
    CHECK(printable(bytes) == text);
}

TEST_CASE("excerpt is one quoted line of at most 120 bytes", "[process][unit]") {
    const std::string maximum(120, 'a');
    CHECK(excerpt("a\tb\nc") == "\"a\\tb\\nc\"");
    CHECK(excerpt(maximum) == '"' + maximum + '"');
    CHECK(excerpt(maximum + "b") == '"' + maximum + "…\"");
    const std::string shown(118, 'a');
    CHECK(excerpt(shown + "🦉") == '"' + shown + "…\"");
}

TEST_CASE("last_bytes begins with a whole character", "[process][unit]") {
    CHECK(last_bytes("abc", 3) == "abc");
    CHECK(last_bytes("abc", 2) == "bc");
    CHECK(last_bytes("🦉ab", 6) == "🦉ab");
    CHECK(last_bytes("🦉ab", 5) == "ab");
    CHECK(last_bytes("🦉ab", 3) == "ab");
    CHECK(last_bytes("\x80\x80\x80\x80\x80", 4) == "\x80");
}

TEST_CASE("PERFSPEC_VERSION is the version of the library as a number", "[process][unit]") {
    const int version = PERFSPEC_VERSION;
    CHECK(std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
              std::to_string(version % 100) ==
          perfspec::library_version);
}
