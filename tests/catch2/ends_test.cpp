// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "host_program.hpp"

namespace perfspec {
namespace {

using namespace testing;

// One program with its main: perfspec's, Catch2's linked before and after perfspec, one that maps the exit code, and
// one that returns Catch2's.
constexpr const char* perfspec_main = PERFSPEC_ENDS_PROGRAM_PERFSPEC;
constexpr const char* catch2_main_first = PERFSPEC_ENDS_PROGRAM_CATCH2_FIRST;
constexpr const char* catch2_main_last = PERFSPEC_ENDS_PROGRAM_CATCH2_LAST;
constexpr const char* own_main = PERFSPEC_ENDS_PROGRAM_OWN;
constexpr const char* bare_main = PERFSPEC_ENDS_PROGRAM_BARE;

ended_program run(const char* program, const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& variables = {}) {
    skip_unless_judged();
    return start_program(program, arguments, variables);
}

ended_program run_with_assertion(const char* program, const char* where) {
    return run(program, {"nothing"}, {{"PERFSPEC_TEST_WHERE", where}});
}

}  // namespace

TEST_CASE("a violated claim fails whoever has main and whichever library is linked first", "[catch2][measuring]") {
    const char* const program = GENERATE(perfspec_main, catch2_main_first, catch2_main_last, own_main, bare_main);
    const ended_program e = run(program, {"violated"});
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("PERF_CHECK( speedup(fast, slow) > 2 )\nwith expansion:\n  violated"));
    CHECK_THAT(squeezed(e.out), ContainsSubstring("freshprocess"));
    CHECK_THAT(e.out, ContainsSubstring("key        violated / speedup(fast, slow)"));
    CHECK(run(program, {"holds"}).code == 0);
}

TEST_CASE("a bad variable stops the run whoever has main", "[catch2][unit]") {
    const char* const program = GENERATE(perfspec_main, catch2_main_first, catch2_main_last, own_main, bare_main);
    const ended_program e = start_program(program, {"nothing"}, {{"PERFSPEC_BUGDET", "3s"}});
    INFO(e.text());
    CHECK(e.code == 2);
    CHECK_THAT(e.err,
               ContainsSubstring(
                   "perfspec: PERFSPEC_BUGDET=3s: not an option of perfspec; did you mean PERFSPEC_BUDGET=10s?"));
    CHECK_THAT(e.out, !ContainsSubstring("passed"));
}

TEST_CASE("an assertion that fails outside of test cases fails the program", "[catch2][measuring]") {
    const auto [program, where] = GENERATE(table<const char*, const char*>({{perfspec_main, "before main"},
                                                                            {catch2_main_first, "before main"},
                                                                            {own_main, "before main"},
                                                                            {bare_main, "before main"},
                                                                            {own_main, "before the run"},
                                                                            {bare_main, "before the run"},
                                                                            {own_main, "after the run"},
                                                                            {bare_main, "after the run"},
                                                                            {own_main, "after the exit code"},
                                                                            {perfspec_main, "destructor"},
                                                                            {catch2_main_last, "destructor"},
                                                                            {own_main, "destructor"},
                                                                            {bare_main, "destructor"}}));
    const ended_program e = run_with_assertion(program, where);
    INFO(program << " " << where << "\n" << e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.err, ContainsSubstring("PERF_CHECK( speedup(fast, slow) > 2 )  violated"));
}

TEST_CASE("a program that does not ask for its exit code gets a message on failed assertions outside of test cases",
          "[catch2][measuring]") {
    const ended_program e = run_with_assertion(bare_main, "before the run");
    INFO(e.text());
    CHECK_THAT(e.err, ContainsSubstring("\nperfspec: 1 claim failed outside of any test case, first PERF_CHECK( "
                                        "speedup(fast, slow) > 2 ) at "));
    CHECK_THAT(run_with_assertion(own_main, "before the run").err, !ContainsSubstring("outside of any test case"));
}

TEST_CASE("what evaluate returns outside of test cases is for its caller to judge", "[catch2][measuring]") {
    CHECK(run_with_assertion(own_main, "evaluated").code == 0);
    CHECK(run_with_assertion(bare_main, "evaluated").code == 0);
}

TEST_CASE("a test case that evaluates a claim that cannot be judged ends in any way without a crash",
          "[catch2][unit]") {
    const auto [test, code] = GENERATE(table<const char*, int>({{"evaluates and skips", 77},
                                                                {"evaluates and fails", 42},
                                                                {"evaluates and throws", 42},
                                                                {"evaluates and returns", 0},
                                                                {"evaluates and exits", 0}}));
    const char* const program = GENERATE(PERFSPEC_EVALUATE_PROGRAM, PERFSPEC_EVALUATE_PROGRAM_SANITIZED);
    const ended_program e = start_program(program, {test});
    INFO(program << " " << test << "\n" << e.text());
    CHECK(e.code == code);
    CHECK_THAT(e.out + e.err, !ContainsSubstring("AddressSanitizer"));
    CHECK_THAT(e.out, !ContainsSubstring("while measuring"));
}

TEST_CASE("a body that ends the process while it is measured fails, and its claim is named", "[catch2][measuring]") {
    const char* const test = GENERATE("body calls exit", "body calls quick_exit");
    const char* const program = GENERATE(perfspec_main, catch2_main_first);
    const ended_program e = run(program, {test});
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.err, StartsWith("perfspec: the process ended while measuring PERF_CHECK( latency("));
    CHECK_THAT(e.err, ContainsSubstring("ends_program.cpp:"));
}

TEST_CASE("a process that a body forks, and a program between its claims, may end themselves", "[catch2][measuring]") {
    const auto [test, code] =
        GENERATE(table<const char*, int>({{"body forks a process that calls exit", 0}, {"exit between claims", 3}}));
    const ended_program e = run(perfspec_main, {test});
    INFO(test << "\n" << e.text());
    CHECK(e.code == code);
    CHECK_THAT(e.err, !ContainsSubstring("the process ended"));
}

}  // namespace perfspec
