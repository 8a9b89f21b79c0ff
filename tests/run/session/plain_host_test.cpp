// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/perfspec.hpp>
#include <perfspec/session/host.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>
#include <string>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;

constexpr site required{"PERF_REQUIRE", "", "sort_test.cpp", 7, effect::require, build_kind::optimised};
constexpr site checked{"PERF_CHECK", "", "sort_test.cpp", 8, effect::check, build_kind::optimised};

record with(verdict v, bool failed) {
    record r;
    r.verdict = v;
    r.failed = failed;
    r.reason = "the reason";
    return r;
}

verification outputs_differ(void*, void*) { return {verification_code::fail, "3 values differ", {}}; }

subject with_outputs(const char* name) {
    static constexpr body_functions functions{.same_output = outputs_differ};
    return {name, functions, 1};
}

}  // namespace

TEST_CASE("plain_host throws for a failed PERF_REQUIRE alone", "[run][unit]") {
    plain_host host;
    CHECK_THROWS_AS(host.report(required, "", with(verdict::invalid, true), nullptr), assertion_failed);
    CHECK_THROWS_WITH(host.report(required, "", with(verdict::invalid, true), nullptr),
                      ContainsSubstring("the reason"));
    CHECK_NOTHROW(host.report(checked, "", with(verdict::violated, true), nullptr));
    CHECK_NOTHROW(host.report(required, "", with(verdict::undecided, false), nullptr));
    CHECK_NOTHROW(host.report(required, "", with(verdict::holds, false), nullptr));
    static_cast<void>(exit_code());  // else the failure ends this process with 42
}

TEST_CASE("plain_host lets exceptions from building a claim pass", "[run][unit]") {
    const auto building = []() -> subject { throw std::logic_error("no model"); };
    CHECK_THROWS_AS([&] { PERF_CHECK(latency(building()) < 3ms); }(), std::logic_error);
}

TEST_CASE("evaluate returns the record of its claim, with the place of the call", "[run][unit]") {
    const record r = evaluate(same_output(with_outputs("a"), with_outputs("b")));
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.query == "same_output(a, b)");
    CHECK(r.reason == "3 values differ");
    CHECK(r.macro == "evaluate");
    CHECK(r.claim.empty());
    CHECK(r.test.empty());
    CHECK_THAT(r.file, Catch::Matchers::EndsWith("plain_host_test.cpp"));
    CHECK(r.line == __LINE__ - 9);
}

TEST_CASE("the macros evaluate what they are given, and a failed PERF_REQUIRE leaves", "[run][unit]") {
    const auto a = with_outputs("a");
    const auto b = with_outputs("b");
    PERF_WARN(same_output(a, b));
    PERF_CHECK(same_output(a, b));
    CHECK_THROWS_AS([&] { PERF_REQUIRE(same_output(a, b), budget(1s), margin(1_pct)); }(), assertion_failed);
    CHECK(exit_code() == 42);
}

}  // namespace perfspec
