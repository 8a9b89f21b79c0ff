// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// --perf-verify=off: speed without a comparison of outputs.
#include "../stored_program.hpp"

#include <perfspec/quantity/literals.hpp>

#include <support/captured_stream.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <string>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;

/// A subject of an adapter whose outputs always differ.
subject with_outputs(const subject& s) {
    static body_functions adapter;
    adapter = *s.state().functions;
    adapter.same_output = [](void*, void*) { return verification{verification_code::fail, "output 1 differs", {}}; };
    s.state().functions = &adapter;
    return s;
}

record speed_of(scripted_run& program) {
    const subject slow = with_outputs(program.takes("slow", 2ms));
    const subject fast = with_outputs(program.takes("fast", 1ms));
    return program.evaluate(speedup(slow, fast) > 1.5);
}

}  // namespace

TEST_CASE("verify=off measures subjects whose outputs nobody compared, and says so", "[run][unit]") {
    scripted_run verified;
    CHECK(speed_of(verified).verdict == verdict::invalid);

    captured_stream console;
    scripted_run program;
    program.console = console.file();
    program.variables["PERFSPEC_VERIFY"] = "off";
    const record r = speed_of(program);
    CHECK(r.verdict == verdict::holds);
    REQUIRE(r.verified);
    CHECK(r.verified->code == verification_code::verifier_skipped);
    CHECK(r.verified->text == "verify=off: the outputs were not compared before this");
    CHECK_THAT(
        console.text(),
        ContainsSubstring("perfspec: outputs are not compared before subjects are in this run (--perf-verify=off): a "
                          "candidate with wrong outputs would hold\n"));
    CHECK_THAT(program.context().summary(),
               ContainsSubstring("\n  --perf-verify off: the outputs of 1 claim were not compared\n"));
}

TEST_CASE("verify=off judges claims on outputs themselves all the same", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_VERIFY"] = "off";
    const subject a = with_outputs(program.takes("a", 1ms));
    const subject b = with_outputs(program.takes("b", 1ms));
    CHECK(program.evaluate(same_output(a, b)).verdict == verdict::violated);
}

TEST_CASE("verify=off is told of a comparison whose launches run elsewhere", "[run][unit]") {
    stored_program program(launches_of(2.0, 10));
    program.variables["PERFSPEC_VERIFY"] = "off";
    const subject slow = with_outputs(program.takes("slow", 2ms));
    const subject fast = with_outputs(program.takes("fast", 1ms));
    const record r = program.evaluate(speedup(slow, fast) > 0.95 * baseline());
    REQUIRE(r.verified);
    CHECK(r.verified->code == verification_code::verifier_skipped);
    CHECK_THAT(program.asked_of_child(0).plan, ContainsSubstring(";verify=off;"));
}

}  // namespace perfspec
