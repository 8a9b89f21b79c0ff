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

TEST_CASE("claim_address is its key, a '#' and a number", "[process][unit]") {
    const auto [address, text] = GENERATE(table<claim_address, std::string>({
        {{"suite / sort / latency(sort)", 2}, "suite / sort / latency(sort)#2"},
        {{"k", 0}, "k#0"},
        {{"#", 0}, "##0"},
        {{"issue #12#34", 4294967295U}, "issue #12#34#4294967295"},
        {{"two\nlines\t\x01", 1}, "two\nlines\t\x01#1"},
        {{"🦉 schnell\xff", 1}, "🦉 schnell\xff#1"},
        {{" blanks ", 1}, " blanks #1"},
    }));
    CHECK(to_text(address) == text);
    CHECK(parse_claim_address(text) == address);
}

TEST_CASE("parse_claim_address refuses other texts", "[process][unit]") {
    const auto text = GENERATE(as<std::string>(), "", "key", "key#", "#0", "key#x", "key#-1", "key#+1", "key# 1",
                               "key#1 ", "key#4294967296");
    CHECK_THROWS_MATCHES(
        parse_claim_address(text), input_error,
        Message(
            "PERFSPEC_CHILD: found the claim \"" + text +
            "\", expected a key and the number of its evaluation such as \"suite / sort / latency(sort)#0\"; perfspec sets "
            "this variable for its children: unset it to run this program yourself"));
}

TEST_CASE("child_environment adds the whole request in one variable", "[process][unit]") {
    const child_request request{{"a key", 3}, child_task::confirm, 7, "plan text", 3};
    CHECK(child_environment({{"PATH", "/bin"}}, request) ==
          variables{{"PATH", "/bin"},
                    {"PERFSPEC_CHILD", "version=3 confirm claim=a%20key#3 seed=7 descriptor=3 plan=plan%20text"}});
}

TEST_CASE("child_environment has the variables of only some children", "[process][unit]") {
    child_request request{{"key", 0}, child_task::serve, 7, "", 3};
    const auto text = [&] { return child_environment({}, request).back().second; };
    CHECK(text() == "version=3 serve claim=key#0 seed=7 descriptor=3 requests=4 plan=");
    request.task = child_task::launch;
    request.side = compared_side::second;
    CHECK(text() == "version=3 launch claim=key#0 seed=7 descriptor=3 side=second plan=");
    request = {{"key", 0}, child_task::confirm, 7, "", 3};
    request.end = tolerance_end::loss;
    request.abandoned_claims = {{"a 100 %", 1}, {"b", 0}};
    CHECK(text() == "version=3 confirm claim=key#0 seed=7 descriptor=3 end=loss left=a%20100%20%25#1 left=b#0 plan=");
}

TEST_CASE("child_environment replaces an earlier request", "[process][unit]") {
    const child_request request{{"new", 0}, child_task::launch, 8, "", 5};
    CHECK(child_environment({{"PERFSPEC_CHILD", "old"}, {"A", "1"}, {"PERFSPEC_CHILD", "older"}}, request) ==
          variables{{"A", "1"}, {"PERFSPEC_CHILD", "version=3 launch claim=new#0 seed=8 descriptor=5 plan="}});
}

TEST_CASE("read_child_request reads what child_environment wrote", "[process][unit]") {
    child_request told_all{{"k", 0}, child_task::confirm, 5, "", 3};
    told_all.side = compared_side::second;
    told_all.end = tolerance_end::gain;
    told_all.abandoned_claims = {{"a#1 / 3:b", 2}, {"line\nend", 0}};
    const auto request = GENERATE_COPY(values<child_request>({
        {{"suite / a # b\nc 🦉", 4},
         child_task::launch,
         std::numeric_limits<std::uint64_t>::max(),
         std::string("{\"budget\": 1}\n\0", 15),
         3},
        {{"k", 0}, child_task::confirm, 0, "", 2147483647},
        {{"k", 0}, child_task::serve, 5, "", 3, 9},
        told_all,
    }));
    CHECK(read_child_request(scripted_environment::of(child_environment({}, request))) == request);
}

TEST_CASE("read_child_request returns nothing without a request", "[process][unit]") {
    CHECK(read_child_request(scripted_environment{{"PERFSPEC_BUDGET", "1s"}}) == std::nullopt);
}

TEST_CASE("read_child_request refuses a malformed request", "[process][unit]") {
    const auto [child, what] = GENERATE(table<std::string, std::string>({
        {"", "no version"},
        {"1", "no version"},
        {"version= launch claim=k#0 seed=1 descriptor=3 plan=", "no version"},
        {"version=3", "no task confirm, launch, serve or launch_later"},
        {"version=3 measure claim=k#0 seed=1 descriptor=3 plan=", "no task confirm, launch, serve or launch_later"},
        {"version=3 claim=k#0 launch seed=1 descriptor=3 plan=", "no task confirm, launch, serve or launch_later"},
        {"version=3 launch claim=k#0 seed=1 descriptor=3 plan=%4", "no task confirm, launch, serve or launch_later"},
        {"version=3 launch seed=1 descriptor=3 plan=", "no claim"},
        {"version=3 launch claim=k#0 descriptor=3 plan=", "no seed"},
        {"version=3 launch claim=k#0 seed=-1 descriptor=3 plan=", "no seed"},
        {"version=3 launch claim=k#0 seed=18446744073709551616 descriptor=3 plan=", "no seed"},
        {"version=3 launch claim=k#0 seed=1 plan=", "no descriptor"},
        {"version=3 launch claim=k#0 seed=1 descriptor=-3 plan=", "no descriptor"},
        {"version=3 launch claim=k#0 seed=1 descriptor=3", "no plan"},
        {"version=3 launch claim=k#0 seed=1 descriptor=3 plan= more=4", "an unknown field \"more\""},
        {"version=3 launch claim=k#0 seed=1 descriptor=3 side=third plan=", "no side first or second"},
        {"version=3 confirm claim=k#0 seed=1 descriptor=3 end=middle plan=", "no end loss or gain"},
        {"version=3 serve claim=k#0 seed=1 descriptor=3 plan=", "no descriptor of requests"},
        {"version=3 serve claim=k#0 seed=1 descriptor=3 requests=x plan=", "no descriptor of requests"},
    }));
    CHECK_THROWS_MATCHES(
        read(child), input_error,
        Message(
            "PERFSPEC_CHILD: " + what + ", found \"" + child +
            "\", expected such as \"version=3 confirm claim=sort#0 seed=42 descriptor=3 plan=\"; perfspec sets this variable for its "
            "children: unset it to run this program yourself"));
}

TEST_CASE("read_child_request shows unprintable bytes as numbers", "[process][unit]") {
    CHECK_THROWS_MATCHES(read("version=3 launch claim=k#0 seed=1 descriptor=3 plan= \x1b=4"), input_error,
                         MessageMatches(ContainsSubstring("an unknown field \"\\x1b\", found")));
}

TEST_CASE("read_child_request names both versions", "[process][unit]") {
    CHECK_THROWS_RECORDED(input_error, read("version=9 whatever"));
}

using perfspec::testing::answered;

namespace {

std::string fault_of(const std::string& result) {
    const auto answer = parse_answer({child_outcome::exited, 0, result, {}, 0});
    return answer.payload ? "accepted: " + *answer.payload : answer.fault;
}

}  // namespace

TEST_CASE("frame_answer states version, length and checksum",
          "[process][unit]") {  // FNV-1a test vectors of its authors (64 bits)
    CHECK(frame_answer("") == "perfspec-answer 3 0 cbf29ce484222325\n\n");
    CHECK(frame_answer("a") == "perfspec-answer 3 1 af63dc4c8601ec8c\na\n");
    CHECK(frame_answer("foobar") == "perfspec-answer 3 6 85944171f73967e8\nfoobar\n");
}

TEST_CASE("parse_answer gives back any payload", "[process][unit]") {
    const auto payload =
        GENERATE(as<std::string>(), "", "{\"median\":1.5}", "line\nend\n", "perfspec-answer 3 0 cbf29ce484222325\n\n",
                 std::string("\0\xff\x01", 3), std::string(100000, 'p'));
    const auto answer = parse_answer(answered(payload));
    CHECK(answer.payload == payload);
    CHECK(answer.fault.empty());
}

TEST_CASE("parse_answer refuses everything but one whole answer", "[process][unit]") {
    const auto whole = frame_answer("foobar");
    const std::string no_answer = " instead of an answer: code under test writes to a descriptor that it did not open";
    const std::string in_pipe = "the child's result pipe holds ";
    std::string faults;
    for (const std::string& result : std::vector<std::string>{
             "hello", "hello\n" + whole, "perfspec-answer 3 6", "perfspec-answer 3 6\nfoobar\n",
             "perfspec-answer 3 -6 85944171f73967e8\nfoobar\n", "perfspec-answer 3 6 xyz\nfoobar\n",
             "perfspec-answer 4 6 85944171f73967e8\nfoobar\n", whole.substr(0, whole.size() - 1),
             whole.substr(0, whole.size() - 3), "perfspec-answer 3 6 85944171f73967e8\nfooBar\n",
             "perfspec-answer 3 6 85944171f73967e8\nfoobarX",
             "perfspec-answer 3 18446744073709551615 85944171f73967e8\nfoobar\n", whole + "bye"})
        faults += fault_of(result) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("take_answer takes one answer after the other from what arrives", "[process][unit]") {
    const std::string first = frame_answer("hello key=a");
    std::string arriving;
    for (const char byte : first.substr(0, first.size() - 1)) {
        arriving += byte;
        REQUIRE_FALSE(take_answer(arriving));
    }
    arriving += "\n" + frame_answer("") + "perfspec-ans";
    CHECK(take_answer(arriving).value().payload == "hello key=a");
    CHECK(take_answer(arriving).value().payload == "");
    CHECK_FALSE(take_answer(arriving));
    CHECK(arriving == "perfspec-ans");
}

TEST_CASE("take_answer finds a fault as soon as bytes can become no answer", "[process][unit]") {
    std::string faults;
    for (std::string arriving : std::vector<std::string>{
             "perfspec-x", std::string("perfspec-answer ") + std::string(64, '2'),
             std::string("perfspec-answer ") + std::string(64, '0') + "3 6 85944171f73967e8\n",
             "perfspec-answer 4 6 85944171f73967e8\n", "perfspec-answer 3 67108865 85944171f73967e8\n",
             "perfspec-answer 3 6 85944171f73967e8\nfooBar\n"}) {
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
         "there is no answer: the child was ended by signal 9 (Killed), as by a system that is out of memory; it printed nothing"},
        {child_outcome::timed_out, 0,
         "there is no answer: the child took too long and was stopped after 1.5 s; it printed nothing"},
    }));
    const auto answer = parse_answer({how, code, frame_answer("evidence"), {}, 1.5});
    CHECK_FALSE(answer.payload);
    CHECK(answer.fault == fault);
}

TEST_CASE("describe shows last words as text", "[process][unit]") {
    CHECK_RECORDED(describe({child_outcome::exited, 1, {}, "\n first\n\x1b[31mred\xff ünï 🦉\r\n", 0}));
}
