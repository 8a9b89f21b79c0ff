// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/process/child_request.hpp>
#include <perfspec/quantity/error.hpp>

#include "support/scripted_environment.hpp"

#include <support/test.hpp>

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

TEST_CASE("claim_address refuses keys that no variable can hold", "[process][unit]") {
    CHECK_THROWS_MATCHES(
        to_text({"", 0}), input_error,
        Message(
            "claim address: found an empty key, expected one such as \"suite / sort / latency(sort)\"; give the claim key(\"…\")"));
    CHECK_THROWS_MATCHES(
        to_text({std::string("a\0b", 3), 0}), input_error,
        Message(
            "claim address: found a NUL in the key \"a\\x00b\", which an environment variable cannot carry; rename the "
            "test, section or subject"));
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

TEST_CASE("child_environment names what only some children are told", "[process][unit]") {
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
          variables{{"PERFSPEC_CHILD", "version=3 launch claim=new#0 seed=8 descriptor=5 plan="}, {"A", "1"}});
}

TEST_CASE("child_environment refuses a plan with a NUL", "[process][unit]") {
    CHECK_THROWS_MATCHES(
        child_environment({}, {{"key", 0}, child_task::confirm, 0, std::string("budget\0", 7), 3}), input_error,
        Message(
            "plan of a child: found a NUL in \"budget\\x00\", which an environment variable cannot carry; remove it from "
            "the option"));
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
         "{\"budget\": 1}\n",
         3},
        {{"k", 0}, child_task::confirm, 0, "", 2147483647},
        {{"k", 0}, child_task::serve, 5, "", 3, 9},
        told_all,
    }));
    CHECK(read_child_request(scripted_environment::of(child_environment({}, request))) == request);
}

TEST_CASE("read_child_request finds nothing where nothing is asked", "[process][unit]") {
    CHECK(read_child_request(scripted_environment{{"PERFSPEC_BUDGET", "1s"}}) == std::nullopt);
}

TEST_CASE("read_child_request reads nothing but PERFSPEC_CHILD", "[process][unit]") {
    const child_request request{{"key", 0}, child_task::launch, 7, "", 3};
    const variables inherited{
        {"PERFSPEC_SIDE", "1"}, {"PERFSPEC_END", "gain"}, {"PERFSPEC_LEFT", "1:k#0"}, {"PERFSPEC_CLAIM", "other#1"}};
    CHECK(read_child_request(scripted_environment::of(inherited)) == std::nullopt);
    CHECK(read_child_request(scripted_environment::of(child_environment(inherited, request))) == request);
}

TEST_CASE("read_child_request refuses a malformed request", "[process][unit]") {
    const auto [child, what] = GENERATE(table<std::string, std::string>({
        {"", "no version"},
        {"1", "no version"},
        {"version= launch claim=k#0 seed=1 descriptor=3 plan=", "no version"},
        {"version=3", "no task confirm, launch or serve"},
        {"version=3 measure claim=k#0 seed=1 descriptor=3 plan=", "no task confirm, launch or serve"},
        {"version=3 claim=k#0 launch seed=1 descriptor=3 plan=", "no task confirm, launch or serve"},
        {"version=3 launch claim=k#0 seed=1 descriptor=3 plan=%4", "no task confirm, launch or serve"},
        {"version=3 launch seed=1 descriptor=3 plan=", "no claim"},
        {"version=3 launch claim=k#0 descriptor=3 plan=", "no seed"},
        {"version=3 launch claim=k#0 seed=-1 descriptor=3 plan=", "no seed"},
        {"version=3 launch claim=k#0 seed=18446744073709551616 descriptor=3 plan=", "no seed"},
        {"version=3 launch claim=k#0 seed=1 plan=", "no descriptor"},
        {"version=3 launch claim=k#0 seed=1 descriptor=-3 plan=", "no descriptor"},
        {"version=3 launch claim=k#0 seed=1 descriptor=3", "no plan"},
        {"version=3 launch claim=k#0 seed=1 descriptor=3 plan= more=4", "an unknown field \"more\""},
        {"version=3 launch claim=k#0 seed=1 seed=2 descriptor=3 plan=", "seed twice"},
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

TEST_CASE("read_child_request names both versions", "[process][unit]") {
    CHECK_THROWS_MATCHES(
        read("version=9 whatever"), input_error,
        Message(
            "PERFSPEC_CHILD: the program that started this one speaks version 9 and this one version 3; build both with one "
            "version of perfspec"));
}
