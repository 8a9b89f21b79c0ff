// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../two_builds.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/stored/vanished.hpp>

#include <catch2/catch_test_macros.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using detail::vanished_claims;

const std::vector<std::string> selection{"[perf]"};

/// A program that judged one claim, with another build that passed these.
struct program_that_judged : two_builds {
    explicit program_that_judged(const std::string& keys_passed, int code = 0) {
        REQUIRE(evaluate(latency(sort) < 1.05 * baseline()).verdict == verdict::holds);
        reference.instead = [=](const std::string&) { return worker_reply{"unreached" + keys_passed, ended(code)}; };
    }
};

}  // namespace

TEST_CASE("claims that only the other build has are told at the end", "[run][unit]") {
    program_that_judged one(" key=a%20/%20b key=sorting%20/%20latency(sort)");
    CHECK(vanished_claims(one.context(), selection) ==
          "perfspec: 1 claim of the reference build is gone (/reference/sort_test)\n  \"a / b\"\n");
    CHECK(one.launcher.living == 0);
    const child_command& command = one.launcher.commands().back();
    CHECK(command.executable == "/reference/sort_test");
    CHECK(command.arguments == selection);
    CHECK(to_text(one.asked_of_child(one.launcher.commands().size() - 1).address) == "no claim of any test#0");
    CHECK(one.given_to_child(one.launcher.commands().size() - 1, "PERFSPEC_AGAINST").empty());
    program_that_judged two(" key=a key=b");
    CHECK(vanished_claims(two.context(), selection) ==
          "perfspec: 2 claims of the reference build are gone (/reference/sort_test)\n  \"a\"\n  \"b\"\n");
}

TEST_CASE("nothing is told where the other build has no claim more", "[run][unit]") {
    program_that_judged program(" key=sorting%20/%20latency(sort)");
    CHECK(vanished_claims(program.context(), selection).empty());
}

TEST_CASE("what only the other build has cannot be told where that fails", "[run][unit]") {
    program_that_judged program("", 42);
    CHECK(
        vanished_claims(program.context(), selection) ==
        "perfspec: claims that only the reference build has are not listed: the reference build (/reference/sort_test): it did not "
        "reach this claim: the child ended with exit code 42; it printed nothing\n");
}

TEST_CASE("the other build is not asked for its claims without need", "[run][unit]") {
    two_builds none;  // nothing was judged
    CHECK(vanished_claims(none.context(), selection).empty());
    two_builds off;
    off.variables["PERFSPEC_MODE"] = "off";
    CHECK(off.evaluate(latency(off.sort) < 1.05 * baseline()).verdict == verdict::not_judged);
    CHECK(vanished_claims(off.context(), selection).empty());
    two_builds without;
    without.variables.erase("PERFSPEC_AGAINST");
    CHECK(without.evaluate(speedup(without.sort, without.takes("fast", 100us)) > 2).verdict == verdict::holds);
    CHECK(vanished_claims(without.context(), selection).empty());
    for (const two_builds* program : {&none, &off, &without}) CHECK(program->launcher.commands().empty());
}

}  // namespace perfspec
