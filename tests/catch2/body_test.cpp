// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "host_program.hpp"

#include <csignal>

namespace perfspec {
namespace {

using namespace testing;

}  // namespace

TEST_CASE("a body that throws fails its assertion, with the exception", "[catch2][measuring]") {
    const ended_program e = run_host_program("body throws");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(
        e.out,
        ContainsSubstring(
            "PERF_CHECK( latency([] { throw std::runtime_error(\"index 7\"); }) < 3ms )\ndue to unexpected exception"));
    CHECK_THAT(e.out, ContainsSubstring("index 7\n"));
    CHECK_THAT(e.out, ContainsSubstring("assertions: 2 | 2 failed"));
}

TEST_CASE("a body that threw leaves no message for later assertions", "[catch2][measuring]") {
    const ended_program e = run_host_program("body throws");
    INFO(e.text());
    CHECK_THAT(e.out, ContainsSubstring("CHECK( false )"));
    CHECK_THAT(e.out, !ContainsSubstring("while measuring"));
}

TEST_CASE("a REQUIRE that fails inside of a body is reported as such, and the test case goes on",
          "[catch2][measuring]") {
    const ended_program e = run_host_program("body requires");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("REQUIRE( 1 == 2 )"));
    CHECK_THAT(e.out, ContainsSubstring("while measuring PERF_CHECK( latency([] { REQUIRE(1 == 2); }) < 3ms )"));
    CHECK_THAT(e.out, ContainsSubstring("an assertion inside the body failed"));
    CHECK_THAT(e.out, ContainsSubstring("went on"));
    CHECK_THAT(e.out, !ContainsSubstring("CATCH_CONFIG"));
}

TEST_CASE("a SKIP inside of a body fails its assertion, and the test case goes on", "[catch2][measuring]") {
    const ended_program e = run_host_program("body skips");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(e.out, ContainsSubstring("SKIPPED:"));
    CHECK_THAT(e.out, ContainsSubstring("no data"));
    CHECK_THAT(squeezed(e.out), ContainsSubstring("thebodycalledSKIP,sonothingwasjudged:callSKIPbeforetheassertion"));
    CHECK_THAT(e.out, ContainsSubstring("went on"));
    CHECK_THAT(e.out, ContainsSubstring("test cases: 1 | 1 failed"));
}

TEST_CASE("a body may allocate and free", "[catch2][measuring]") {
    const ended_program e = run_host_program("body allocates");
    INFO(e.text());
    CHECK(e.code == 0);
}

TEST_CASE("a body that crashes is named by its assertion", "[catch2][measuring]") {
    const ended_program e = run_host_program("body crashes");
    INFO(e.text());
    CHECK(e.code == 1000 + SIGSEGV);
    CHECK_THAT(e.out, ContainsSubstring("while measuring PERF_CHECK( latency([] { std::raise(SIGSEGV); }) < 3ms )"));
}

TEST_CASE("an exception while a claim is built fails its assertion, and the test case goes on", "[catch2][measuring]") {
    const ended_program e = run_host_program("building throws");
    INFO(e.text());
    CHECK(e.code == 42);
    CHECK_THAT(
        e.out,
        ContainsSubstring(
            "PERF_CHECK( latency(no_model()) < 3ms )\ndue to unexpected exception with message:\n  no such model"));
    CHECK_THAT(e.out, ContainsSubstring("went on"));
}

}  // namespace perfspec
