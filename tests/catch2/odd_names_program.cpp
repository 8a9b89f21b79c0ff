// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Each test case is violated. Only a process that finds the same test case by its name confirms that.
#include "bodies.hpp"

#include <perfspec/catch2.hpp>

#include <catch2/catch_template_test_macros.hpp>

#include <cstddef>
#include <utility>

const perfspec::subject fast("fast", perfspec::testing::fast);
const perfspec::subject slow("slow", perfspec::testing::slow);

namespace {

void is_violated() { PERF_CHECK(speedup(fast, slow) > 2); }

struct fixture {
    int units = 10;
};

}  // namespace

#define PERFSPEC_TEST_NAMED(NAME) \
    TEST_CASE(NAME, "[odd]") { is_violated(); }

PERFSPEC_TEST_NAMED("../../etc/passwd")
PERFSPEC_TEST_NAMED("it's \"quoted\"")
PERFSPEC_TEST_NAMED("a, b, c")
PERFSPEC_TEST_NAMED("[tag] and ]other[")
PERFSPEC_TEST_NAMED("two\nlines")
PERFSPEC_TEST_NAMED("emoji \xF0\x9F\x9A\x80")
PERFSPEC_TEST_NAMED("~tilde")
PERFSPEC_TEST_NAMED("-dash")
PERFSPEC_TEST_NAMED("--list-tests")
PERFSPEC_TEST_NAMED("exclude: this")
PERFSPEC_TEST_NAMED("EXCLUDE: that")
PERFSPEC_TEST_NAMED("back\\slash \\, comma")
PERFSPEC_TEST_NAMED("star*")
PERFSPEC_TEST_NAMED("*star")
PERFSPEC_TEST_NAMED("semi;colon")
PERFSPEC_TEST_NAMED("hash#0")
PERFSPEC_TEST_NAMED("100 % of $HOME `id`")
PERFSPEC_TEST_NAMED("key / key / key")
PERFSPEC_TEST_NAMED("case")
PERFSPEC_TEST_NAMED("CASE")
PERFSPEC_TEST_NAMED("  padded  ")
TEST_CASE("hidden", "[odd][.]") { is_violated(); }
TEST_CASE_METHOD(fixture, "method", "[odd]") {
    PERF_CHECK(speedup(fast, [this] { return perfspec::testing::work(units); }) > 2);
}
TEMPLATE_TEST_CASE("template", "[odd]", char, (std::pair<int, long>)) { is_violated(); }
TEMPLATE_TEST_CASE_SIG("template with a value", "[odd]", ((std::size_t N), N), 3, 5) { is_violated(); }
