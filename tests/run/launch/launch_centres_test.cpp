// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <csignal>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinRel;

}  // namespace

TEST_CASE("launches(n) judges a ratio over fresh processes: seven hold it", "[run][unit]") {
    scripted_run program(launches_of(2.0, 7));
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.9, {launches(7)});
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.launches == 7);
    CHECK_THAT(r.estimate.value().median, WithinRel(2.002, 1e-12));
    CHECK_THAT(r.evidence.method, StartsWith("centres of fresh launches"));
    CHECK(program.bodies_run == 0);
    CHECK(program.asked_of_child(6).task == child_task::launch);
    CHECK(program.asked_of_child(6).seed == 7);
}

TEST_CASE("launches(n) shows the range of launches that are too few for an interval, and says how many are not",
          "[run][unit]") {
    scripted_run program(launches_of(2.0, 20));
    const record seven =
        program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.9, {launches(7)});
    CHECK_THAT(seven.estimate.value().low, WithinRel(2.0, 1e-12));
    CHECK_THAT(seven.estimate.value().high, WithinRel(2.008, 1e-12));
    CHECK(seven.estimate.value().level == 0.0);
    CHECK_THAT(seven.evidence.method,
               EndsWith("; shown is the range of 7 launches: an interval at 95 % takes 8 at least"));
    const record more =
        program.evaluate(speedup(program.takes("c", 1ms), program.takes("d", 1ms)) > 1.9, {launches(13)});
    CHECK(more.estimate.value().level == 0.95);
    CHECK_THAT(more.evidence.method, !ContainsSubstring("range"));
}

TEST_CASE("a fresh process finds a claim by its address, and claims before it have keys of their own", "[run][unit]") {
    scripted_run program(launches_of(2.0, 7));
    const record r =
        program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.9, {launches(7), key("mine")});
    CHECK(r.verdict == verdict::holds);
    CHECK(program.asked_of_child(0).address.key == "sorting / mine");
    CHECK_THAT(program.asked_of_child(0).plan, ContainsSubstring("?verbosity=normal;"));
}

TEST_CASE("launches(n) needs eleven to fail, and no other confirmation", "[run][unit]") {
    scripted_run program(launches_of(2.0, 20));
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 2.1, {launches(7)});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.launches == 11);
}

TEST_CASE("launches(n) of a bound between the launches is undecided after twenty", "[run][unit]") {
    std::vector<child_end> ends;
    for (int i = 0; i < 20; ++i) ends.push_back(launch_of(i % 2 == 0 ? 1.9 : 2.1));
    scripted_run program(ends);
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 2.0, {launches(7)});
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.launches == 20);
}

TEST_CASE("launches(n) is invalid when a launch cannot be measured, and tells programs why", "[run][unit]") {
    struct row {
        child_end end;
        failure_kind failure;
    };
    const auto given = GENERATE(values<row>({
        {crashed(), failure_kind::worker_failed},
        {child_end{.how = child_outcome::timed_out, .seconds = 62}, failure_kind::timed_out},
        {child_end{.how = child_outcome::timed_out, .last_words = "std::bad_alloc", .seconds = 62},
         failure_kind::timed_out},
        {child_end{.how = child_outcome::signalled, .code = SIGKILL}, failure_kind::out_of_memory},
    }));
    scripted_run program({launch_of(2.0), given.end});
    const record r =
        program.evaluate(latency(program.takes("a", 1ms)) < 0.8 * latency(program.takes("b", 1ms)), {launches(7)});
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, StartsWith("a fresh launch could not be measured"));
    CHECK(r.failure == given.failure);
}

TEST_CASE("launches(n) is invalid where nobody can start the program again", "[run][unit]") {
    scripted_run program;
    program.framework.at.test = "";
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1, {launches(7)});
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("perfspec::init(argc, argv)"));
}

}  // namespace perfspec
