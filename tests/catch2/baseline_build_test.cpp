// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// --perf-baseline-build with two builds of one program.
#include <run/start_program.hpp>

#include <support/temporary_folder.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

const std::string head = PERFSPEC_HEAD_PROGRAM;
const std::string baseline = PERFSPEC_BASELINE_PROGRAM;

ended_program run_against(const std::string& other, const std::string& test_case,
                          std::vector<std::string> arguments = {}, std::map<std::string, std::string> variables = {}) {
    skip_unless_judged();
    arguments.insert(arguments.begin(), {test_case, "--perf-baseline-build=" + other});
    return start_program(head, arguments, variables);
}

/// The output without the line breaks of Catch2.
std::string words(const std::string& text) {
    std::string one;
    for (const char c : text) {
        const bool blank = c == '\n' || c == ' ';
        if (!blank) one += c;
        else if (!one.empty() && one.back() != ' ') one += ' ';
    }
    return one;
}

}  // namespace

TEST_CASE("what became slower than in another build fails", "[catch2][measuring]") {
    const ended_program e = run_against(baseline, "slower");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(words(e.out), ContainsSubstring(" process pairs, "));
    CHECK_THAT(words(e.out), ContainsSubstring("PERFSPEC_BASELINE_BUILD="));
}

TEST_CASE("a claim that only this build has is new", "[catch2][measuring]") {
    const ended_program e = run_against(baseline, "new claim");
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 2 claims: 1 holds, 1 new;"));
    CHECK_THAT(words(e.out), ContainsSubstring("new the baseline build does not have this claim"));
}

TEST_CASE("a test case that only this build has is new, which fails nothing and judges nothing",
          "[catch2][measuring]") {
    const ended_program e = run_against(baseline, "new test");
    INFO(e.text());
    CHECK(e.code == 77);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 1 claim: 1 new;"));
}

TEST_CASE("the claims of a program that another build folder lacks are new", "[catch2][measuring]") {
    const temporary_folder other;
    std::ofstream(other / "CMakeCache.txt") << "x\n";
    const ended_program e = run_against(other.path(), "new test");
    INFO(e.text());
    CHECK(e.code == 77);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 1 claim: 1 new;"));
}

TEST_CASE("a claim in a section is found in another build", "[catch2][measuring]") {
    const ended_program e = run_against(baseline, "in a section", {"-c", "outer"});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("1 claim: 1 holds"));
}

}  // namespace perfspec
