// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "host_program.hpp"

namespace perfspec {
namespace {

using namespace testing;

ended_program run(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& variables = {}) {
    skip_unless_judged();
    return start_program(PERFSPEC_FOREIGN_MAIN_PROGRAM, arguments, variables);
}

}  // namespace

TEST_CASE("PERFSPEC_PREFIX_ALL leaves the short names to others", "[catch2][measuring]") {
    const ended_program e = run({"long names", "--success"});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("PERFSPEC_REQUIRE( speedup(slow, fast) > 2 )"));
}

TEST_CASE("the kernel's perf_event.h may come before or after, and users may have names of their own",
          "[catch2][measuring]") {
    const ended_program e = run({"short names,names of a user's own"});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 5 claims: 4 hold, 1 measured"));
}

TEST_CASE("allocations are counted wherever the bodies are included", "[catch2][measuring]") {
    const ended_program e = run({"allocates"});
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 1 claim: 1 holds"));
}

TEST_CASE("a program with Catch2's own main takes options from the environment alone", "[catch2][measuring]") {
    skip_unless_judged();
    CHECK_THAT(run({"violated"}, {{"PERFSPEC_MODE", "off"}}).out, ContainsSubstring("mode=off: nothing is run"));
    const ended_program e = run({"violated", "--perf-mode=off"});
    CHECK(e.code != 0);
    CHECK_THAT(e.out + e.err, ContainsSubstring("Unrecognised token"));
}

TEST_CASE("a program with Catch2's own main prints a line where all was skipped", "[catch2][measuring]") {
    const std::map<std::string, std::string> unknown_hardware{
        {"CI", "1"}, {"PERFSPEC_BASELINE_PROCESSES", "0"}, {"PERFSPEC_BASELINE_DIR", "/"}};
    const ended_program e = run({"stored"}, unknown_hardware);
    INFO(e.text());
    CHECK(e.code == 0);
    CHECK_THAT(e.out, ContainsSubstring("perfspec: skipped, because no claim was judged\n"));
    CHECK_THAT(run({"stored,violated"}, unknown_hardware).out, !ContainsSubstring("perfspec: skipped"));
}

}  // namespace perfspec
