// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <set>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

const written recorded{.effect = effect::record};

}  // namespace

TEST_CASE("compare measures several subjects in the same rounds, against the first", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("eager", 1ms);
    const auto b = program.takes("traced", 800us);
    const auto c = program.takes("compiled", 500us);
    const record r = program.evaluate(compare(a, b, c), {}, recorded);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "compare(eager, traced, compiled)");
    CHECK(r.evidence.rounds == 100);
    REQUIRE(r.compared.size() == 2);
    CHECK(r.compared[0].subject == "traced");
    CHECK_THAT(r.compared[0].speedup.centre, WithinRel(1.25, 1e-9));
    CHECK(r.compared[1].subject == "compiled");
    CHECK_THAT(r.compared[1].speedup.centre, WithinRel(2.0, 1e-9));
    CHECK(r.compared[1].speedup.level == 0.95);
    REQUIRE(r.subjects.size() == 3);
    CHECK(r.subjects[2].samples == 100);
    CHECK_FALSE(r.estimate.has_value());
}

TEST_CASE("the order of each round is drawn", "[run][unit]") {
    scripted_run program;
    std::string calls;
    const auto noting = [&](const char* name) {
        return subject(name, [&program, &calls, name] {
            calls += name;
            program.work(1ms);
        });
    };
    const auto a = noting("a");
    const auto b = noting("b");
    const auto c = noting("c");
    REQUIRE(program.evaluate(compare(a, b, c), {rounds(60), iterations(1)}, recorded).evidence.rounds == 60);
    std::set<std::string> orders;
    for (std::size_t at = calls.size() - 180; at < calls.size(); at += 3) orders.insert(calls.substr(at, 3));
    CHECK(orders.size() == 6);
}

TEST_CASE("compare keeps to its budget, with ten rounds at least", "[run][unit]") {
    scripted_run program;
    const auto a = program.takes("a", 100ms);
    const auto b = program.takes("b", 100ms);
    CHECK(program.evaluate(compare(a, b, b), {}, recorded).evidence.rounds == 30);
    const std::size_t in_four_seconds = program.evaluate(compare(a, b, a), {budget(4s)}, recorded).evidence.rounds;
    CHECK(in_four_seconds >= 10);
    CHECK(in_four_seconds < 14);  // of 0.3 s each
}

TEST_CASE("two subjects may be compared, too", "[run][unit]") {
    scripted_run program;
    const auto work = [&] { program.work(1ms); };
    const auto less = [&] { program.work(500us); };
    const record r = program.evaluate(compare(work, less), {}, {.effect = effect::record, .line = 42});
    REQUIRE(r.compared.size() == 1);
    CHECK(r.compared[0].subject == "sort_test.cpp:42#2");
}

}  // namespace perfspec
