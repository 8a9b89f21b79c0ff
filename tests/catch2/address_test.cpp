// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// A violated claim is repeated by a fresh process, which has to find the same one: a claim of another section,
// generator value or loop pass would not agree, and the verdict would be undecided or invalid.
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
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 6 assertions: 5 hold, 1 violated"));
}

TEST_CASE("a claim is repeated at the same generator value after the test case was left at another",
          "[catch2][measuring]") {
    const ended_program e = run_host_program("generator left early");
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 3 assertions: 1 holds, 2 violated"));
}

TEST_CASE("a claim is repeated in sections of any name", "[catch2][measuring]") {
    const ended_program e = run_host_program("sections of odd names");
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 4 assertions: 4 violated"));
}

TEST_CASE("a claim is repeated in the same pass of a loop", "[catch2][measuring]") {
    const ended_program e = run_host_program("repeated");
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 3 assertions: 1 holds, 2 violated"));
}

TEST_CASE("claims of helpers, lambdas and branches belong to their test case", "[catch2][measuring]") {
    const ended_program e = run_host_program("nested");
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 3 assertions: 3 violated"));
    CHECK(count(e.out, "key        nested / speedup(fast, slow)") == 3);
}

TEST_CASE("a claim is repeated in test cases of any name", "[catch2][measuring]") {
    skip_unless_judged();
    const ended_program e = start_program(PERFSPEC_ODD_NAMES_PROGRAM, {"[odd]"});
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 27 assertions: 27 violated"));
    for (const char* key :
         {"template - char / speedup", "template - std::pair<int, long> / speedup",
          "template with a value - 3 / speedup", "method / speedup", "hidden / speedup", "../../etc/passwd / speedup"})
        CHECK_THAT(e.out, ContainsSubstring(key));
}

TEST_CASE("a claim that a fresh process does not reach is invalid", "[catch2][measuring]") {
    const ended_program e = run_host_program("cannot be repeated");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("1 invalid"));
    CHECK_THAT(e.out, ContainsSubstring("cannot be repeated in a fresh process"));
    CHECK_THAT(e.out, ContainsSubstring("confirm(off)"));
}

TEST_CASE("a claim after an assertion that fails in the fresh process is invalid", "[catch2][measuring]") {
    const ended_program e = run_host_program("fails first in a child");
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("1 invalid"));
    CHECK_THAT(e.out, ContainsSubstring("an assertion before the claim failed in the fresh process"));
}

namespace {

ended_program run_notes_program(const char* test_case, const std::map<std::string, std::string>& variables = {}) {
    skip_unless_judged();
    return start_program(PERFSPEC_NOTES_PROGRAM, {test_case}, variables);
}

/// Runs the test case until the note is printed, ten times at most: what else runs on the machine may hide it.
ended_program run_until_noted(const char* test_case, const char* note,
                              const std::map<std::string, std::string>& variables = {}) {
    constexpr int attempts = 10;
    ended_program e = run_notes_program(test_case, variables);
    for (int i = 1; i < attempts && squeezed(e.out).find(squeezed(note)) == std::string::npos; ++i)
        e = run_notes_program(test_case, variables);
    return e;
}

}  // namespace

TEST_CASE("what a careful reader would ask about is noted, and costs no verdict", "[catch2][measuring]") {
    struct row {
        const char* test_case;
        const char* note;
    };
    const auto r = GENERATE(values<row>({
        {"memoised", "the first call of \"memoised\" took "},
        {"sorted from the second call on", "the first call of \"sort\" took "},
        {"grows", "the time of \"insert\" rises over its calls, from "},
        {"called before",
         "assertions ran in the same process before this claim, so its first call may not be the first; give first_call("},
        {"claims that it is slow", "this claims that latency(arithmetic) is at least so much, but less is better"},
    }));
    const ended_program e = run_until_noted(r.test_case, r.note);
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(squeezed(e.out), ContainsSubstring(squeezed(r.note)));
}

TEST_CASE("a note is told once in a test case, and is in the results", "[catch2][measuring]") {
    const scratch_folder folder;
    const ended_program e =
        run_until_noted("memoised", "the first call of", {{"PERFSPEC_OUTPUT", folder / "results.jsonl"}});
    INFO(e.text());
    const std::string out = squeezed(e.out);
    const std::string note = squeezed("the first call of");
    const auto first = out.find(note);
    REQUIRE(first != std::string::npos);
    CHECK(out.find(note, first + 1) == std::string::npos);
    const std::string results = text_of_file(folder / "results.jsonl");
    CHECK_THAT(results, ContainsSubstring(R"("notes":["the first call of \"memoised\" took )"));
    CHECK_THAT(results, ContainsSubstring(R"("notes":[])"));
}

TEST_CASE("honest claims have no note", "[catch2][measuring]") {
    const char* const test_case =
        GENERATE("sorted anew", "joined", "called by nobody", "memory that suffices", "honest");
    // How often the machine makes one is calibrated (row N); here a note that is made of an honest claim comes every
    // time.
    constexpr int attempts = 3;
    ended_program e = run_notes_program(test_case);
    for (int i = 1; i < attempts && e.out.find("note:") != std::string::npos; ++i) e = run_notes_program(test_case);
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, !ContainsSubstring("note:"));
}

}  // namespace perfspec
