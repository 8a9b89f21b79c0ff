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

TEST_CASE("worker_message is a word and named fields on one line", "[process][unit]") {
    worker_message message{"ran"};
    message.add("iterations", std::uint64_t{5});
    message.add("elapsed_ns", 100123.25);
    message.add("note", std::string("50 % of\na \x7f ünï=x"));
    message.add("empty", std::string());
    const std::string line = "ran iterations=5 elapsed_ns=100123.25 note=50%20%25%20of%0Aa%20%7F%20ünï=x empty=";
    CHECK(to_text(message) == line);
    CHECK(parse_worker_message(line) == message);
    CHECK(parse_worker_message("finish") == worker_message{"finish"});
}

TEST_CASE("worker_message gives numbers only for texts that are numbers", "[process][unit]") {
    const auto message =
        parse_worker_message("m a=1.5 b=-1 c=x d= e=1e999 f=nan g=18446744073709551615 h=3 a=2").value();
    CHECK(message.number("a") == 1.5);
    CHECK_FALSE(message.whole("a"));
    for (const char* name : {"b", "c", "d", "e", "f", "none"}) {
        CHECK_FALSE(message.number(name));
        CHECK_FALSE(message.whole(name));
    }
    CHECK(message.whole("g") == std::numeric_limits<std::uint64_t>::max());
    CHECK(message.number("h") == 3.0);
    CHECK(message.text("d") == "");
    CHECK_FALSE(message.text("none"));
}

TEST_CASE("worker_message carries any number exactly", "[process][unit]") {
    const double value = GENERATE(0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 0.0);
    worker_message message{"m"};
    message.add("x", value);
    CHECK(parse_worker_message(to_text(message)).value().number("x") == value);
}

TEST_CASE("parse_worker_message takes no other line", "[process][unit]") {
    const std::string line = GENERATE("", " run", "a=b", "run x", "run =5", "run  x=1", "run x=%", "run x=%2",
                                      "run x=%zz", "run x=1 ", "run\n", "run x=1\n", "run x\n=1");
    CHECK_FALSE(parse_worker_message(line));
}

namespace perfspec {
namespace {

using testing::parse_damaged;
using testing::scripted_environment;

std::string text_of(const child_request& request) { return child_environment({}, request).back().second; }

TEST_CASE("a damaged request of a child is read or refused", "[process][unit]") {
    child_request good{.address = {"sort / latency(x)", 2}, .seed = 42, .plan = "budget=1s;cap=2s"};
    good.abandoned_claims = {{"sort / speedup(a, b)", 0}};
    const auto report = parse_damaged(text_of(good), [](const std::string& text) {
        return text_of(read_child_request(scripted_environment{{"PERFSPEC_CHILD", text}}).value());
    });
    CHECK(report.fault == "");
    CHECK(report.refused > 1000);
    CHECK(report.accepted > 20);
}

TEST_CASE("a damaged message of a worker is a message or none", "[process][unit]") {
    const std::string good = "prepared call=1500 untimed=20 iterations=8 note=a%20b%25";
    const auto report = parse_damaged(good, [&](const std::string& line) {
        const auto message = parse_worker_message(line);
        return message ? to_text(*message) : good;
    });
    CHECK(report.fault == "");
    CHECK(report.accepted == 3000);
}

TEST_CASE("a damaged answer of a child is rejected, or equal", "[process][unit]") {
    const std::string payload = R"({"schema_version":1,"type":"result","key":"a"})";
    const std::string good = frame_answer(payload);
    const auto answer_in = [](const std::string& bytes) {
        return parse_answer({.how = child_outcome::exited, .result = bytes}).payload;
    };
    CHECK(answer_in(good) == payload);
    std::size_t wrong = 0;
    const auto report = parse_damaged(good, [&](const std::string& bytes) {
        wrong += answer_in(bytes).value_or(payload) != payload ? 1 : 0;
        return good;
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
