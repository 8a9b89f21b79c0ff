// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// A fresh process that repeats a violated claim must find the same claim. One of another section, generator value or
// loop pass would not agree, and make the verdict undecided or an error.
#include "host_program.hpp"

namespace perfspec {
namespace {

using namespace testing;

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
    return n;
}

}  // namespace

TEST_CASE("a claim is repeated at the same generator value and section", "[catch2][measuring]") {
    const ended_program e = run_host_program("generator");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 6 claims: 5 hold, 1 violated"));
}

TEST_CASE("a claim is repeated after a test case was left early, in any section, and in the same pass of a loop",
          "[catch2][measuring]") {
    const auto [test_case, verdicts] =
        GENERATE(table<const char*, const char*>({{"generator left early", "3 claims: 1 holds, 2 violated"},
                                                  {"sections of odd names", "4 claims: 4 violated"},
                                                  {"repeated", "3 claims: 1 holds, 2 violated"}}));
    const ended_program e = run_host_program(test_case);
    INFO(test_case << "\n" << e.text());
    CHECK_THAT(e.out, ContainsSubstring(verdicts));
}

TEST_CASE("a claim is repeated by its test case in a shard of Bazel", "[catch2][measuring]") {
    const ended_program e = run_host_program("holds,violated check", {},
                                             {{"BAZEL_TEST", "1"},
                                              {"TEST_TOTAL_SHARDS", "2"},
                                              {"TEST_SHARD_INDEX", "1"},
                                              {"TEST_SHARD_STATUS_FILE", "/dev/null"}});
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 1 claim: 1 violated"));
}

TEST_CASE("a claim is repeated where options of the command line make variables legal", "[catch2][measuring]") {
    const ended_program e =
        run_host_program("violated check", {"--perf-ci=off"}, {{"CI", "true"}, {"PERFSPEC_ALLOW_REGRESSION", "100%"}});
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 1 claim: 1 violated"));
}

TEST_CASE("claims of helpers, lambdas and branches belong to their test case", "[catch2][measuring]") {
    const ended_program e = run_host_program("nested");
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 3 claims: 3 violated"));
    CHECK(count(e.out, "key        nested / speedup(fast, slow)") == 3);
}

TEST_CASE("a claim is repeated in test cases of any name", "[catch2][measuring]") {
    skip_unless_judged();
    const ended_program e = start_program(PERFSPEC_ODD_NAMES_PROGRAM, {"[odd]"});
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 27 claims: 27 violated"));
    for (const char* key :
         {"template - char / speedup", "template - std::pair<int, long> / speedup",
          "template with a value - 3 / speedup", "method / speedup", "hidden / speedup", "../../etc/passwd / speedup"})
        CHECK_THAT(e.out, ContainsSubstring(key));
}

TEST_CASE("a claim that a fresh process does not reach is an error", "[catch2][measuring]") {
    const ended_program e = run_host_program("cannot be repeated");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("1 error"));
    CHECK_THAT(e.out, ContainsSubstring("cannot be repeated in a fresh process"));
    CHECK_THAT(e.out, ContainsSubstring("confirm::off"));
}

TEST_CASE("a claim after an assertion that fails in the fresh process is an error", "[catch2][measuring]") {
    const ended_program e = run_host_program("fails first in a child");
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("1 error"));
    CHECK_THAT(e.out, ContainsSubstring("an assertion before the claim failed in the fresh process"));
}

}  // namespace perfspec
