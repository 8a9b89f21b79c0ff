// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <vector>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinAbs;

/// So many launches around 1 ms, whose distances from the middle are multiples of a step.
std::vector<child_end> launches_apart(double step, int count) {
    std::vector<child_end> ends;
    for (int i = 0; i < count; ++i) ends.push_back(launch_of(1e6 * (1.0 + step * (i - count / 2))));
    return ends;
}

}  // namespace

TEST_CASE("a steady subject's launches spread less than a wide bound", "[run][unit]") {
    scripted_run program(launches_apart(0.002, 15));
    const record r = program.evaluate(stability(program.takes("model", std::chrono::milliseconds(1))) < 7_pct);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.launches == 15);
    CHECK(r.unit == dimension::spread);
    CHECK(r.query == "stability(model)");
    CHECK_THAT(r.estimate.value().centre, WithinAbs(1.4826 * 4 * 0.002, 1e-4));  // the median distance is of four steps
    CHECK_THAT(r.estimate.value().level, WithinAbs(0.9648, 1e-4));
    CHECK(r.subjects.at(0).unit == dimension::time);
    CHECK(r.subjects.at(0).samples == 15);
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a subject whose launches lie far apart is not stable", "[run][unit]") {
    std::vector<child_end> ends;
    for (int i = 0; i < 15; ++i) ends.push_back(launch_of(i % 2 == 0 ? 1e6 : 1.5e6));
    ends[0] = launch_of(1.25e6);
    scripted_run program(std::move(ends));
    const record r = program.evaluate(stability(program.takes("model", std::chrono::milliseconds(1))) < 7_pct);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.confirming_rounds == 0);
}

TEST_CASE("a spread near its bound is undecided, and more launches are advised", "[run][unit]") {
    scripted_run program(launches_apart(0.01, 15));
    const record r = program.evaluate(stability(program.takes("model", std::chrono::milliseconds(1))) < 6_pct);
    CHECK(r.verdict == verdict::undecided);
    REQUIRE(r.advice.size() == 1);
    CHECK(r.advice[0] == "more launches can decide closer bounds: launches(30)");
}

TEST_CASE("a spread takes the launches that are asked for, ten at least", "[run][unit]") {
    scripted_run program(launches_apart(0.002, 11));
    const auto model = program.takes("model", std::chrono::milliseconds(1));
    CHECK(program.evaluate(stability(model) < 7_pct, {launches(11)}).evidence.launches == 11);
    CHECK_THAT(program.evaluate(stability(model) < 7_pct, {launches(9)}).reason,
               StartsWith("launches(9): a spread needs 10 launches at least"));
    CHECK_THAT(program.evaluate(stability(model) < 0_pct).reason,
               StartsWith("a spread is compared with a percentage above 0"));
}

TEST_CASE("a spread is recorded without a bound, and invalid where a launch fails", "[run][unit]") {
    std::vector<child_end> ends = launches_apart(0.002, 15);
    ends.push_back(crashed());
    scripted_run program(std::move(ends));
    const record r = program.evaluate(stability(program.takes("model", std::chrono::milliseconds(1))), {},
                                      {.effect = effect::record});
    CHECK(r.verdict == verdict::holds);
    CHECK(program.evaluate(stability(program.takes("other", std::chrono::milliseconds(1))) < 7_pct).verdict ==
          verdict::invalid);
}

TEST_CASE("first calls are compared in processes of their own", "[run][unit]") {
    scripted_run program([](const child_command& command) {
        return launch_of(scripted_run::request_in(command).side == compared_side::second ? 30e6 : 20e6);
    });
    const auto a = program.takes("a", std::chrono::milliseconds(1));
    const auto b = program.takes("b", std::chrono::milliseconds(1)).load([] {});
    const record r = program.evaluate(first_call(b) < 0.8 * first_call(a));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "first_call(b) / first_call(a)");
    const record cold = program.evaluate(cold_start(b) < std::chrono::milliseconds(25));
    CHECK(cold.verdict == verdict::holds);
    CHECK(cold.unit == dimension::time);
    CHECK(program.evaluate(load_time(b) < std::chrono::milliseconds(15)).verdict == verdict::violated);
}

TEST_CASE("the device's time of a subject on the processor is not judged", "[run][unit]") {
    scripted_run program;
    const auto sort = program.takes("sort", std::chrono::milliseconds(1));
    const record r = program.evaluate(device_time(sort) < std::chrono::milliseconds(3));
    CHECK(r.verdict == verdict::not_judged);
    CHECK_FALSE(r.failed);
    CHECK_THAT(r.reason, StartsWith("the subject runs on the processor"));
    CHECK(program.bodies_run == 1);
    CHECK(program.evaluate(device_time(sort) < device_time(program.takes("other", std::chrono::milliseconds(1))))
              .verdict == verdict::not_judged);
}

}  // namespace perfspec
