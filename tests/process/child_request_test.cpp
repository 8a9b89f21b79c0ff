// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/process/child_request.hpp>
#include <perfspec/quantity/error.hpp>

#include "support/scripted_environment.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using Catch::Matchers::Message;
using namespace perfspec;
using perfspec::testing::scripted_environment;

namespace {

using variables = std::vector<std::pair<std::string, std::string>>;

std::optional<child_request> read(const std::string& child, const std::string& claim = "key#0") {
    return read_child_request(scripted_environment{{"PERFSPEC_CHILD", child}, {"PERFSPEC_CLAIM", claim}, {"PERFSPEC_PLAN", ""}});
}

}  // namespace

TEST_CASE("claim_address is its key, a '#' and a number", "[process][unit]") {
    struct row {
        claim_address address;
        std::string text;
    };
    const auto r = GENERATE(values<row>({
        {{"suite / sort / latency(sort)", 2}, "suite / sort / latency(sort)#2"},
        {{"k", 0}, "k#0"},
        {{"#", 0}, "##0"},
        {{"issue #12#34", 4294967295U}, "issue #12#34#4294967295"},
        {{"two\nlines\t\x01", 1}, "two\nlines\t\x01#1"},
        {{"🦉 schnell\xff", 1}, "🦉 schnell\xff#1"},
        {{" blanks ", 1}, " blanks #1"},
    }));
    CHECK(to_text(r.address) == r.text);
    CHECK(parse_claim_address(r.text) == r.address);
}

TEST_CASE("claim_address refuses keys that no variable can hold", "[process][unit]") {
    CHECK_THROWS_MATCHES(
        to_text({"", 0}), input_error,
        Message("claim address: found an empty key, expected one such as \"suite / sort / latency(sort)\"; give the claim key(\"…\")"));
    CHECK_THROWS_MATCHES(
        to_text({std::string("a\0b", 3), 0}), input_error,
        Message("claim address: found a NUL in the key \"a\\x00b\", which an environment variable cannot carry; rename the "
                "test, section or subject"));
}

TEST_CASE("parse_claim_address refuses other texts", "[process][unit]") {
    const auto text =
        GENERATE(as<std::string>(), "", "key", "key#", "#0", "key#x", "key#-1", "key#+1", "key# 1", "key#1 ", "key#4294967296");
    CHECK_THROWS_MATCHES(
        parse_claim_address(text), input_error,
        Message("PERFSPEC_CLAIM: found \"" + text +
                "\", expected a key and the number of its evaluation such as \"suite / sort / latency(sort)#0\"; perfspec sets "
                "this variable for its children: unset it to run this program yourself"));
}

TEST_CASE("child_environment adds the request to the variables", "[process][unit]") {
    const child_request request{{"key", 3}, child_task::confirm, 7, "plan text", 3};
    CHECK(child_environment({{"PATH", "/bin"}}, request) == variables{{"PATH", "/bin"},
                                                                      {"PERFSPEC_CLAIM", "key#3"},
                                                                      {"PERFSPEC_PLAN", "plan text"},
                                                                      {"PERFSPEC_CHILD", "version=2 task=confirm seed=7 descriptor=3"}});
}

TEST_CASE("child_environment names the descriptor of requests to a child that serves", "[process][unit]") {
    const child_request request{{"key", 0}, child_task::serve, 7, "", 3};
    CHECK(child_environment({}, request).back() ==
          std::pair<std::string, std::string>{"PERFSPEC_CHILD", "version=2 task=serve seed=7 descriptor=3 requests=4"});
}

TEST_CASE("child_environment replaces an earlier request", "[process][unit]") {
    const child_request request{{"new", 0}, child_task::launch, 8, "", 5};
    CHECK(child_environment({{"PERFSPEC_CHILD", "old"}, {"A", "1"}, {"PERFSPEC_CLAIM", "old#1"}, {"PERFSPEC_CHILD", "older"}}, request) ==
          variables{{"PERFSPEC_CHILD", "version=2 task=launch seed=8 descriptor=5"},
                    {"A", "1"},
                    {"PERFSPEC_CLAIM", "new#0"},
                    {"PERFSPEC_PLAN", ""}});
}

TEST_CASE("child_environment refuses a plan with a NUL", "[process][unit]") {
    CHECK_THROWS_MATCHES(
        child_environment({}, {{"key", 0}, child_task::confirm, 0, std::string("budget\0", 7), 3}), input_error,
        Message("plan of a child: found a NUL in \"budget\\x00\", which an environment variable cannot carry; remove it from "
                "the option"));
}

TEST_CASE("read_child_request reads what child_environment wrote", "[process][unit]") {
    const auto request = GENERATE(values<child_request>({
        {{"suite / a # b\nc 🦉", 4}, child_task::launch, std::numeric_limits<std::uint64_t>::max(), "{\"budget\": 1}\n", 3},
        {{"k", 0}, child_task::confirm, 0, "", 2147483647},
        {{"k", 0}, child_task::serve, 5, "", 3, 9},
    }));
    CHECK(read_child_request(scripted_environment::of(child_environment({}, request))) == request);
}

TEST_CASE("read_child_request finds nothing where nothing is asked", "[process][unit]") {
    CHECK(read_child_request(scripted_environment{{"PERFSPEC_BUDGET", "1s"}}) == std::nullopt);
}

TEST_CASE("read_child_request refuses half a request", "[process][unit]") {
    struct row {
        variables there;
        std::string sentence;
    };
    const auto r = GENERATE(values<row>({
        {{{"PERFSPEC_CLAIM", "k#0"}}, "PERFSPEC_CLAIM without PERFSPEC_CHILD"},
        {{{"PERFSPEC_PLAN", "p"}}, "PERFSPEC_PLAN without PERFSPEC_CHILD"},
        {{{"PERFSPEC_CHILD", "c"}}, "PERFSPEC_CHILD without PERFSPEC_CLAIM"},
        {{{"PERFSPEC_CLAIM", "k#0"}, {"PERFSPEC_PLAN", "p"}}, "PERFSPEC_CLAIM without PERFSPEC_CHILD"},
        {{{"PERFSPEC_CHILD", "c"}, {"PERFSPEC_PLAN", "p"}}, "PERFSPEC_CHILD without PERFSPEC_CLAIM"},
        {{{"PERFSPEC_CHILD", "c"}, {"PERFSPEC_CLAIM", "k#0"}}, "PERFSPEC_CHILD without PERFSPEC_PLAN"},
    }));
    CHECK_THROWS_MATCHES(read_child_request(scripted_environment::of(r.there)), input_error,
                         Message("environment: " + r.sentence +
                                 ", expected PERFSPEC_CLAIM, PERFSPEC_PLAN and PERFSPEC_CHILD or none of them; perfspec sets them for its "
                                 "children: unset them to run this program yourself"));
}

TEST_CASE("read_child_request refuses a malformed request", "[process][unit]") {
    struct row {
        std::string child, what;
    };
    const auto r = GENERATE(values<row>({
        {"", "no version"},
        {"1", "no version"},
        {"version= task=launch seed=1 descriptor=3", "no version"},
        {"version=2", "no task confirm, launch or serve"},
        {"version=2 task=measure seed=1 descriptor=3", "no task confirm, launch or serve"},
        {"version=2 seed=1 task=launch descriptor=3", "no task confirm, launch or serve"},
        {"version=2 task=launch seed=-1 descriptor=3", "no seed"},
        {"version=2 task=launch seed=18446744073709551616 descriptor=3", "no seed"},
        {"version=2 task=launch seed=1", "no descriptor at the end"},
        {"version=2 task=launch seed=1 descriptor=-3", "no descriptor at the end"},
        {"version=2 task=launch seed=1 descriptor=3 more=4", "no descriptor at the end"},
        {"version=2 task=launch seed=1 descriptor=3 requests=4", "no descriptor at the end"},
        {"version=2 task=serve seed=1 descriptor=3", "no descriptor of requests"},
        {"version=2 task=serve seed=1 descriptor=3 requests=x", "no descriptor of requests"},
        {"version=2 task=serve seed=1 descriptor=3 requests=4 more=5", "no descriptor at the end"},
    }));
    CHECK_THROWS_MATCHES(
        read(r.child), input_error,
        Message("PERFSPEC_CHILD: " + r.what + ", found \"" + r.child +
                "\", expected such as \"version=2 task=confirm seed=42 descriptor=3\"; perfspec sets this variable for its "
                "children: unset it to run this program yourself"));
}

TEST_CASE("read_child_request names both versions", "[process][unit]") {
    CHECK_THROWS_MATCHES(
        read("version=9 whatever"), input_error,
        Message("PERFSPEC_CHILD: the program that started this one speaks version 9 and this one version 2; build both with one "
                "version of perfspec"));
}
