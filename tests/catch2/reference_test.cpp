// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// --perf-against with two builds of one program.
#include <run/start_program.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

const std::string head = PERFSPEC_HEAD_PROGRAM;
const std::string reference = PERFSPEC_REFERENCE_PROGRAM;

ended_program run_against(const std::string& other, const std::string& test_case,
                          std::vector<std::string> arguments = {}, std::map<std::string, std::string> variables = {}) {
    skip_unless_judged();
    arguments.insert(arguments.begin(), {test_case, "--perf-against=" + other});
    return start_program(head, arguments, variables);
}

/// What was printed, without the line breaks of Catch2.
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

TEST_CASE("what did not change holds against another build", "[catch2][measuring]") {
    const ended_program e = run_against(reference, "unchanged", {"--success"});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(words(e.out), ContainsSubstring(" launch pairs, "));
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 3 assertions: 3 hold;"));
}

TEST_CASE("what became slower than in another build fails", "[catch2][measuring]") {
    const ended_program e = run_against(reference, "slower");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(words(e.out), ContainsSubstring(" launch pairs, "));
    CHECK_THAT(words(e.out), ContainsSubstring("PERFSPEC_AGAINST="));
}

TEST_CASE("a claim that only this build has is new", "[catch2][measuring]") {
    const ended_program e = run_against(reference, "new claim");
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 2 assertions: 1 holds, 1 new;"));
    CHECK_THAT(words(e.out), ContainsSubstring("new the reference build does not have this claim"));
}

TEST_CASE("a test case that only this build has is new, which fails nothing and judges nothing",
          "[catch2][measuring]") {
    const ended_program e = run_against(reference, "new test");
    INFO(e.text());
    CHECK(e.code == 77);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 1 assertion: 1 new;"));
}

TEST_CASE("a claim in a section is found in another build", "[catch2][measuring]") {
    const ended_program e = run_against(reference, "in a section", {"-c", "outer"});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("1 assertion: 1 holds"));
}

TEST_CASE("another build that does not come to the claim, or ends badly at it, is invalid in its words",
          "[catch2][measuring]") {
    const auto [test_case, end, said] = GENERATE(table<const char*, const char*, const char*>({
        {"fails in the reference", "", "it did not reach this claim: the child ended with exit code 42"},
        {"ends badly in the reference", "exit", "there is no answer: the child ended with exit code 3"},
        {"ends badly in the reference", "crash", "the child was ended by signal 9 (Killed)"},
        {"ends badly in the reference", "throw", "\"a\" threw: no model"},
        {"ends badly in the reference", "garbage", "the child's result pipe holds \"garbage\\n"},
    }));
    const ended_program e = run_against(reference, test_case, {}, {{"PERFSPEC_TEST_END", end}});
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(words(e.out), ContainsSubstring(said));
    CHECK_THAT(words(e.out), ContainsSubstring("invalid"));
}

TEST_CASE("what is no other build is invalid, with what it is", "[catch2][measuring]") {
    const scratch_folder folder;
    const auto [other, said] = GENERATE(table<std::string, std::string>({
        {"/nowhere/program", "No such file or directory"},
        {"/etc/passwd", "Permission denied"},
        {"/bin/true",
         "the child ended with exit code 0; it printed nothing; is it a test program that was built with perfspec?"},
        {"/bin", "No such file or directory"},
    }));
    const ended_program e = run_against(other, "unchanged");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(words(e.out), ContainsSubstring(said));
}

TEST_CASE("another test program is no other build, and neither is this one", "[catch2][measuring]") {
    const scratch_folder folder;
    std::filesystem::create_symlink(head, folder / "link");
    struct row {
        std::string other, said;
    };
    const std::vector<row> rows{
        {PERFSPEC_OTHER_PROGRAM,
         "its suite is \"perfspec_host_program\", and this one's is \"perfspec_build_program\""},
        {head, "the reference build is this program itself"},
        {folder / "link", "the reference build is this program itself"},
    };
    for (const row& r : rows) {
        const ended_program e = run_against(r.other, "unchanged");
        INFO(e.text());
        CHECK(e.code == 42);
        CHECK_THAT(words(e.out), ContainsSubstring(r.said));
        CHECK_THAT(words(e.out), ContainsSubstring("invalid"));
    }
}

TEST_CASE("the folder of another build stands for the program in it", "[catch2][measuring]") {
    const scratch_folder folder;
    std::filesystem::copy_file(reference, folder / std::filesystem::path(head).filename().string());
    const ended_program e = run_against(std::filesystem::path(folder / "x").parent_path().string(), "slower");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(words(e.out), ContainsSubstring(" launch pairs, "));
}

TEST_CASE("an update of baselines and another build stop the run together", "[catch2][measuring]") {
    const ended_program e = run_against(reference, "unchanged", {"--perf-update-baselines"});
    INFO(e.text());
    CHECK(e.code == 2);
    CHECK_THAT(e.err, ContainsSubstring("against together with update_baselines"));
}

}  // namespace perfspec
