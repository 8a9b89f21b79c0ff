// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "host_program.hpp"

namespace perfspec {
namespace {

using namespace testing;

ended_program run_notes_program(const char* test_case, const std::map<std::string, std::string>& variables = {}) {
    skip_unless_judged();
    return start_program(PERFSPEC_NOTES_PROGRAM, {test_case}, variables);
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
    // What else runs on the machine may hide what a note tells.
    constexpr int attempts = 10;
    ended_program e;
    for (int i = 0; i < attempts && squeezed(e.out).find(squeezed(r.note)) == std::string::npos; ++i) {
        e = run_notes_program(r.test_case);
        INFO(e.text());
        CHECK(e.code == 0);
    }
    INFO(e.text());
    CHECK_THAT(squeezed(e.out), ContainsSubstring(squeezed(r.note)));
}

TEST_CASE("a note is told once in a test case, and is in the results", "[catch2][measuring]") {
    const scratch_folder folder;
    const ended_program e = run_notes_program("memoised", {{"PERFSPEC_OUTPUT", folder / "results.jsonl"}});
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
