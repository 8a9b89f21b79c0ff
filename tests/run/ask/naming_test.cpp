// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/language/growth.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

void one_function() {}
void another_function() {}

/// A program that names its queries and measures nothing.
struct naming_program : scripted_run {
    naming_program() { variables["PERFSPEC_MODE"] = "off"; }
};

}  // namespace

TEST_CASE("bodies without names are named by the place of the assertion", "[run][unit]") {
    naming_program program;
    const auto f = [] {};
    CHECK(program.evaluate(latency(f) < 3ms, {}, {.line = 42}).key == "sorting / latency(sort_test.cpp:42)");
    CHECK(program.evaluate(speedup(f, [] {}) > 1, {}, {.line = 43}).query ==
          "speedup(sort_test.cpp:43, sort_test.cpp:43#2)");
    const auto g = growth(setup([](std::size_t n) { return n; }), [](std::size_t&) {}, {1, 8, 64});
    CHECK(program.evaluate(g <= order::power(1), {}, {.line = 44}).query == "growth(sort_test.cpp:44)");
}

TEST_CASE("a subject's own name comes before the place", "[run][unit]") {
    naming_program program;
    const subject x("quick sort", [] {});
    CHECK(program.evaluate(speedup(x, [] {}) > 1, {}, {.line = 42}).query == "speedup(quick sort, sort_test.cpp:42)");
}

TEST_CASE("a claim on a stored baseline needs names", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency([] {}) < baseline());
    CHECK(r.verdict == verdict::invalid);
    CHECK(r.failed);
    CHECK_THAT(r.reason, ContainsSubstring("perfspec::subject(\"name\", f)"));
    const auto g = growth(setup([](std::size_t n) { return n; }), [](std::size_t&) {}, {1, 8, 64});
    CHECK(program.evaluate(g <= baseline()).reason == r.reason);
    naming_program keyed;
    CHECK(keyed.evaluate(latency([] {}) < baseline(), {key("empty")}).key == "sorting / empty");
}

TEST_CASE("key(\"...\") stands for the query in the key", "[run][unit]") {
    naming_program program;
    program.framework.at.sections = {"large"};
    const record r = program.evaluate(latency([] {}) < 3ms, {key("sort of 1M")}, {.line = 42});
    CHECK(r.key == "sorting / large / sort of 1M");
    CHECK(r.query == "latency(sort_test.cpp:42)");
}

TEST_CASE("axes are part of the key, sorted by name", "[run][unit]") {
    naming_program program;
    const auto x = subject("sort", [] {}).axis("n", 8).axis("layout", "rows");
    const record r = program.evaluate(latency(x) < 3ms);
    CHECK(r.key == "sorting / latency(sort) / layout=rows / n=8");
    CHECK(r.axes == std::vector<std::pair<std::string, std::string>>{{"layout", "rows"}, {"n", "8"}});
}

TEST_CASE("axes in conflict make the claim invalid", "[run][unit]") {
    naming_program program;
    const auto a = subject("a", [] {}).axis("n", 8);
    const auto b = subject("b", [] {}).axis("n", 9);
    CHECK(program.evaluate(speedup(a, b) > 1).verdict == verdict::invalid);
    CHECK(program.evaluate(latency(a) < latency(b)).verdict == verdict::invalid);
}

TEST_CASE("two different subjects under one key are invalid, and both places are named", "[run][unit]") {
    naming_program program;
    CHECK(program.evaluate(latency(subject("sort", [] {})) < 3ms, {}, {.line = 10}).verdict == verdict::not_judged);
    CHECK_THAT(program.invalid(latency(subject("sort", [] {})) < 3ms, {}, {.line = 20}),
               ContainsSubstring("\"sorting / latency(sort)\"") && ContainsSubstring("sort_test.cpp:10") &&
                   ContainsSubstring("sort_test.cpp:20") && ContainsSubstring("key("));
}

TEST_CASE("a bare callable may stand in several claims", "[run][unit]") {
    naming_program program;
    const auto key_is_free = [&](const detail::expression& query, int line) {
        return program.evaluate(query, {key("f")}, {.line = line}).verdict == verdict::not_judged;
    };
    SECTION("without captures") {
        const auto f = [] {};
        CHECK(key_is_free(latency(f), 10));
        CHECK(key_is_free(latency(f), 10));
        CHECK(key_is_free(latency(f), 20));
    }
    SECTION("a function") {
        CHECK(key_is_free(latency(one_function), 10));
        CHECK(key_is_free(latency(&one_function), 10));
        CHECK_FALSE(key_is_free(latency(another_function), 20));
    }
    SECTION("with captures, at several places") {
        int n = 0;
        const auto f = [&n] { ++n; };
        CHECK(key_is_free(latency(f), 10));
        CHECK(key_is_free(latency(f), 20));
        CHECK_FALSE(key_is_free(latency(f), 10));  // a loop: n may differ
        CHECK_FALSE(key_is_free(latency([&n] { ++n; }), 30));
    }
}

TEST_CASE("several claims may bound one query, and one key may come back in another pass", "[run][unit]") {
    naming_program program;
    const subject x("sort", [] {});
    CHECK(program.evaluate(latency(x) < 3ms).verdict == verdict::not_judged);
    CHECK(program.evaluate(latency(x) < 4ms).verdict == verdict::not_judged);
    ++program.framework.at.pass;  // generators, sections
    CHECK(program.evaluate(latency(subject("sort", [] {})) < 3ms).verdict == verdict::not_judged);
}

}  // namespace perfspec
