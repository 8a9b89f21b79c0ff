// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Profiles of callgrind, and the search for its program.
#include <perfspec/callgrind/count.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/scripted_environment.hpp>

#include <support/test.hpp>

#include <sys/wait.h>
#include <unistd.h>

namespace perfspec {
namespace {

using namespace testing;

/// Two functions. The first calls the second twice, and has inlined code of another file.
constexpr const char* two_functions = R"(# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 12171
cmd:  ./sort_test
part: 1

positions: line
events: Ir Bc Bcm Bi Bim
summary: 0 0 0 0 0

ob=/build/sort_test
fl=sort.cpp
fn=sort(int*)
10 100 9 1
+3 5
fi=sort.hpp
12 20 0 0 4 2
fe=sort.cpp
cfn=compare
calls=2 30
14 1000 80 7 0 0
15 1

fn=compare
30 1000 80 7

totals: 1126 89 8 4 2
)";

}  // namespace

TEST_CASE("a profile has what each function does itself, and all of it", "[callgrind][unit]") {
    const simulated_profile found = parse_profile(two_functions);
    CHECK(found.total == 1126);
    CHECK(found.functions == std::map<std::string, std::uint64_t>{{"sort(int*)", 121}, {"compare", 1000}});
}

TEST_CASE("functions of one name count together, and one that counts nothing is left out", "[callgrind][unit]") {
    const simulated_profile found = parse_profile("events: Ir\nfn=a\n1 2\nfn=b\n1 0\nfn=a\n7 3\ntotals: 5\n");
    CHECK(found.functions == std::map<std::string, std::uint64_t>{{"a", 5}});
}

TEST_CASE("a profile that is cut, or lacks an event, is refused", "[callgrind][unit]") {
    const auto reads = [](const std::string& text) { return [text] { static_cast<void>(parse_profile(text)); }; };
    CHECK_THROWS_MATCHES(reads("")(), input_error, MessageMatches(ContainsSubstring("no line \"totals:\"")));
    const std::string cut = std::string(two_functions).substr(0, 250);
    CHECK_THROWS_MATCHES(reads(cut)(), input_error, MessageMatches(ContainsSubstring("it is cut")));
    CHECK_THROWS_RECORDED(input_error, reads("events: Ir\n1 2x\n")());
    CHECK_THROWS_MATCHES(reads("events: Ir\n1 \x1b[31m\n")(), input_error,
                         MessageMatches(ContainsSubstring("counts \"\\x1b[31m\"")));
    CHECK_THROWS_RECORDED(input_error, reads("events: Bc Ir\ntotals: 1\n")());
}

TEST_CASE("a profile whose counts add up to more than 64 bits hold is refused", "[callgrind][unit]") {
    const std::string most = "18446744073709551615";
    CHECK(parse_profile("events: Ir\ntotals: " + most + "\n").total == std::numeric_limits<std::uint64_t>::max());
    const std::string text =
        GENERATE_COPY("totals: " + most + "\ntotals: 1\n", "fn=a\n1 " + most + "\n2 1\ntotals: 1\n");
    CHECK_THROWS_MATCHES(parse_profile(text), input_error,
                         MessageMatches(ContainsSubstring("adds up to more than 18446744073709551615")));
}

TEST_CASE("callgrind is found in the folders of PATH, and says how it is installed where it is not",
          "[callgrind][unit]") {
    const scripted_environment nowhere({{"PATH", "/nonexistent:.:"}});
    const std::string fault = callgrind(nowhere)->fault();
    CHECK_THAT(fault, ContainsSubstring("apt-get install valgrind"));
}

TEST_CASE("callgrind writes to the given path, even with a percent sign", "[callgrind][unit]") {
    const scripted_environment nowhere({{"PATH", "/nonexistent"}});
    const auto words = callgrind(nowhere)->command("/tmp/a%20b");
    CHECK(std::ranges::find(words, "--callgrind-out-file=/tmp/a%%20b") != words.end());
    CHECK(std::ranges::find(words, "--instr-atstart=no") != words.end());
}

TEST_CASE("children that ended and children that live are seen", "[callgrind][unit]") {
    using detail::children_of_process;
    const detail::process_children before = children_of_process();
    CHECK(children_of_process() == before);
    const pid_t child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    CHECK(children_of_process() != before);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const detail::process_children after = children_of_process();
    CHECK(after.living == before.living);
    CHECK(after != before);
}

}  // namespace perfspec
