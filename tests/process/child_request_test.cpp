// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/scripted_environment.hpp"
#include "support/scripted_launcher.hpp"

#include <perfspec/process/child.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

#include <csignal>

using namespace perfspec::testing;
using namespace perfspec;
using perfspec::testing::scripted_environment;

namespace {

using variables = std::vector<std::pair<std::string, std::string>>;

std::optional<child_request> read(const std::string& child) {
    return read_child_request(scripted_environment{{"PERFSPEC_CHILD", child}});
}

}  // namespace

TEST_CASE("child_environment adds the whole request in one variable", "[process][unit]") {
    const child_request request{{"a key", 3}, child_task::confirm, 7, {.set = {{"key", "plan text"}}}, 3};
    CHECK(child_environment({{"PATH", "/bin"}}, request) ==
          variables{{"PATH", "/bin"},
                    {"PERFSPEC_CHILD",
                     R"({"version":4,"task":"confirm","claim":{"key":"a key","occurrence":3},"seed":7,"answers":3,)"
                     R"("requests":4,"side":"first","plan":{"set":{"key":"plan text"},"defaults":{}}})"}});
}

TEST_CASE("child_environment has the fields of only some children", "[process][unit]") {
    child_request request{{"key", 0}, child_task::measure, 7};
    request.side = compared_side::second;
    CHECK_THAT(child_environment({}, request).back().second, ContainsSubstring(R"("side":"second")"));
    request.end = tolerance_end::loss;
    request.abandoned_claims = {{"a 100 %", 1}, {"b", 0}};
    CHECK_THAT(child_environment({}, request).back().second,
               ContainsSubstring(
                   R"("end":"loss","left":[{"key":"a 100 %","occurrence":1},{"key":"b","occurrence":0}],"plan":)"));
}

TEST_CASE("child_environment replaces an earlier request", "[process][unit]") {
    const child_request request{{"new", 0}, child_task::measure, 8, {}, 5};
    const auto all = child_environment({{"PERFSPEC_CHILD", "old"}, {"A", "1"}, {"PERFSPEC_CHILD", "older"}}, request);
    REQUIRE(all.size() == 2);
    CHECK(all.front() == std::pair<std::string, std::string>{"A", "1"});
    CHECK(read(all.back().second) == request);
}

TEST_CASE("read_child_request reads what child_environment wrote", "[process][unit]") {
    child_request told_all{{"k", 0}, child_task::confirm, 5};
    told_all.side = compared_side::second;
    told_all.end = tolerance_end::gain;
    told_all.abandoned_claims = {{"a#1 / 3:b", 2}, {"line\nend", 0}};
    const auto request = GENERATE_COPY(values<child_request>({
        {{"suite / a # b\nc 🦉", 4},
         child_task::measure,
         std::numeric_limits<std::uint64_t>::max(),
         {.set = {{"budget", std::string("{\"budget\": 1}\n\0", 15)}, {"none", ""}}, .defaults = {{"a\x01", "%"}}},
         3},
        {{"issue #12#34", 4294967295U}, child_task::measure_later},
        {{"two\nlines\t\x01", 1}},
        {{" blanks ", 1}},
        {{"k", 0}, child_task::confirm, 0, {}, 2147483647},
        {{"k", 0}, child_task::serve, 5, {}, 3, 9},
        told_all,
    }));
    CHECK(read_child_request(scripted_environment::of(child_environment({}, request))) == request);
}

TEST_CASE("read_child_request returns nothing without a request", "[process][unit]") {
    CHECK(read_child_request(scripted_environment{{"PERFSPEC_BUDGET", "1s"}}) == std::nullopt);
}

TEST_CASE("read_child_request refuses a malformed request", "[process][unit]") {
    const std::string good =
        R"({"version":4,"task":"confirm","claim":{"key":"k","occurrence":0},"seed":1,"answers":3,"requests":4,)"
        R"("side":"first","plan":{"set":{},"defaults":{}}})";
    REQUIRE(read(good).value().address.key == "k");
    std::string faults;
    const auto add = [&](const std::string& text) {
        faults += message_of<input_error>([&] { static_cast<void>(read(text)); }) + "\n";
    };
    for (const char* const text : {"", "1", "measure", "version=3 process", R"({"version":4)", R"({"version":""})",
                                   R"({"task":"guess"})", R"({"version":4,"task":"guess"})"})
        add(text);
    for (const std::string change :
         {R"("task":"confirm", => )", R"(confirm => measure)", R"({"key":"k","occurrence":0} => "k#0")",
          R"("key":"k", => )", R"("occurrence":0 => "occurrence":-1)", R"("occurrence":0 => "occurrence":4294967296)",
          R"("seed":1, => )", R"("seed":1 => "seed":-1)", R"("seed":1 => "seed":18446744073709551616)",
          R"("answers":3, => )", R"("answers":3 => "answers":-3)", R"("requests":4, => )",
          R"("requests":4 => "requests":"x")", R"("side":"first" => "side":"third")",
          R"("side":"first" => "side":"first","end":"middle")", R"(,"plan":{"set":{},"defaults":{}} => )",
          R"("set":{} => "set":{"budget":1})", R"("seed":1 => "seed":1,"more":4)",
          R"("seed":1 => "seed":1,"seed":1)"}) {
        const auto arrow = change.find(" => ");
        std::string text = good;
        add(text.replace(text.find(change.substr(0, arrow)), arrow, change.substr(arrow + 4)));
    }
    CHECK_RECORDED(faults);
}

TEST_CASE("read_child_request shows unprintable bytes as numbers", "[process][unit]") {
    CHECK_THROWS_MATCHES(read(R"({"version":4,"task":"\u001b"})"), input_error,
                         MessageMatches(ContainsSubstring("\"task\" is \"\\x1b\", expected")));
}

TEST_CASE("read_child_request names both versions", "[process][unit]") {
    CHECK_THROWS_RECORDED(input_error, read(R"({"version":9,"whatever":true})"));
}

using perfspec::testing::answered;

namespace {

std::string fault_of(const std::string& result) {
    const auto answer = parse_answer({child_outcome::exited, 0, result, {}, 0});
    return answer.payload ? "accepted: " + *answer.payload : answer.fault;
}

}  // namespace

TEST_CASE("parse_answer gives back any object on a line", "[process][unit]") {
    const auto payload = GENERATE(as<std::string>(), "{}", "{\"median\":1.5}", "{\"a\":\"}\\n{\"}",
                                  "{\"p\":\"" + std::string(100000, 'p') + "\"}");
    const auto answer = parse_answer(answered(payload));
    CHECK(answer.payload == payload);
    CHECK(answer.fault.empty());
}

TEST_CASE("parse_answer refuses everything but one whole answer", "[process][unit]") {
    const std::string whole = "{\"a\":\"foobar\"}\n";
    std::string faults;
    for (const std::string& result : std::vector<std::string>{
             "hello", "hello\n" + whole, "\n", "\n" + whole, "perfspec-answer 3 6 85944171f73967e8\nfoobar\n",
             whole.substr(0, whole.size() - 1), whole.substr(0, whole.size() - 3), "{\"a\":\"foo\nbar\"}\n",
             "{\"a\":1} \n", whole + "bye", whole + whole, "{" + std::string(largest_child_result, ' ')})
        faults += fault_of(result) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("take_answer takes one answer after the other from what arrives", "[process][unit]") {
    const std::string first = R"({"answer":"hello","key":"a"})";
    std::string arriving;
    for (const char byte : first) {
        arriving += byte;
        REQUIRE_FALSE(take_answer(arriving));
    }
    arriving += "\n{}\n{\"answer";
    CHECK(take_answer(arriving).value().payload == first);
    CHECK(take_answer(arriving).value().payload == "{}");
    CHECK_FALSE(take_answer(arriving));
    CHECK(arriving == "{\"answer");
}

TEST_CASE("take_answer finds a fault as soon as bytes can become no answer", "[process][unit]") {
    std::string faults;
    for (std::string arriving :
         std::vector<std::string>{"p", "perfspec-answer 3 6 85944171f73967e8\n", "[{}", " {}", "\n", "{\"a\":1\n",
                                  "{}}x\n", "{" + std::string(largest_child_result, 'x')}) {
        const auto found = take_answer(arriving);
        REQUIRE(found);
        CHECK_FALSE(found->payload);
        faults += found->fault + "\n";
    }
    CHECK_RECORDED(faults);
}

TEST_CASE("parse_answer takes no answer from a child that did not end well", "[process][unit]") {
    const auto [how, code, fault] = GENERATE(table<child_outcome, int, std::string>({
        {child_outcome::exited, 1, "there is no answer: the child ended with exit code 1; it printed nothing"},
        {child_outcome::signalled, SIGKILL,
         "there is no answer: the child was ended by signal 9 (Killed), which a system sends when memory runs out; it "
         "printed nothing"},
        {child_outcome::timed_out, 0,
         "there is no answer: the child took too long and was stopped after 1.5 s; it printed nothing"},
    }));
    const auto answer = parse_answer({how, code, "{}\n", {}, 1.5});
    CHECK_FALSE(answer.payload);
    CHECK(answer.fault == fault);
}

TEST_CASE("describe shows last words as text", "[process][unit]") {
    CHECK_RECORDED(describe({child_outcome::exited, 1, {}, "\n first\n\x1b[31mred\xff ünï 🦉\r\n", 0}));
}
