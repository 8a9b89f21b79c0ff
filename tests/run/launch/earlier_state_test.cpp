// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Fresh processes pass over earlier assertions, whose bodies may have made what a later body works on.
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::StartsWith;

}  // namespace

TEST_CASE("a claim whose fresh processes lack what an earlier body made is invalid", "[run][unit]") {
    stored_program program(launches_of(50'000.0, 10));  // an empty index; filled, a query takes 1 ms
    program.store("sorting / latency(query)", about(50'000.0, 10));
    const subject build = program.takes("build", 5ms);
    const subject query = program.takes("query", 1ms);
    REQUIRE(program.evaluate(latency(build) < 10ms).verdict == verdict::holds);
    const record r = program.evaluate(latency(query) < 1.05 * baseline());
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(
        r.reason,
        StartsWith(
            "a call of \"query\" takes 1.00 ms here and 50.0 us in a fresh process, which skips the assertions"));
}

TEST_CASE("fresh processes that are as slow as this one are judged after other claims, too", "[run][unit]") {
    stored_program program(launches_of(1e6, 10));
    program.store("sorting / latency(query)", about(1e6, 10));
    REQUIRE(program.evaluate(latency(program.takes("build", 5ms)) < 10ms).verdict == verdict::holds);
    CHECK(program.evaluate(latency(program.takes("query", 1ms)) < 1.05 * baseline()).verdict == verdict::holds);
}

TEST_CASE("the body of a claim that only fresh processes judge does not run here without an earlier claim",
          "[run][unit]") {
    stored_program program(launches_of(50'000.0, 10));
    program.store("sorting / latency(query)", about(50'000.0, 10));
    CHECK(program.evaluate(latency(program.takes("query", 1ms)) < 1.05 * baseline()).verdict == verdict::holds);
    CHECK(program.bodies_run == 0);
}

}  // namespace perfspec
