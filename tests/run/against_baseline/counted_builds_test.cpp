// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Counts and the user's own metrics against another build: compared exactly if they repeat.
#include "../exact_builds.hpp"

namespace perfspec {
namespace {

using namespace testing;

struct counting_builds : exact_builds {
    counting_builds(const std::vector<double>& of_head, const std::vector<double>& of_baseline)
        : exact_builds("allocations(sort)", "count", of_head, of_baseline) {}
};

/// A metric of the user, against the baseline build.
struct metric_builds : exact_builds {
    metric_builds(const std::vector<double>& of_head, const std::vector<double>& of_baseline)
        : exact_builds("metric(errors, sort)", "own", of_head, of_baseline) {}

    [[nodiscard]] auto errors() {
        return metric("errors", less_is_better, subject("sort", [] { return 1.0; }));
    }
};

}  // namespace

TEST_CASE("a count against another build holds after one process pair", "[run][unit]") {
    counting_builds program({12}, {12});
    const record r = program.evaluate(allocations(program.sort) <= baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 1);
    CHECK(r.evidence.exact);
    CHECK(r.estimate.value().value == 12);
    CHECK(r.bound == 12);
    CHECK(r.bound_text == "12, the baseline build");
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a count above that of another build is violated after two process pairs", "[run][unit]") {
    counting_builds program({13}, {12});
    const record r = program.evaluate(allocations(program.sort) <= baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.processes == 2);
    counting_builds once({13, 12}, {12});
    CHECK(once.evaluate(allocations(once.sort) <= baseline()).verdict == verdict::undecided);
    counting_builds none({0}, {0});
    CHECK(none.evaluate(allocations(none.sort) == baseline()).verdict == verdict::holds);
}

TEST_CASE("counts of two builds that vary are judged by the centers of process pairs", "[run][unit]") {
    counting_builds program({-10}, {-12});
    const record r = program.evaluate(allocations(program.sort) <= baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 7);
    CHECK_FALSE(r.evidence.exact);
}

TEST_CASE("a value of 0 in either build is below every other", "[run][unit]") {
    metric_builds better({0}, {-0.01});
    const record r = better.evaluate(better.errors() <= baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.estimate.value().value == 0.0);
    metric_builds worse({-0.2}, {0});
    const record beyond = worse.evaluate(worse.errors() <= baseline());
    CHECK(beyond.verdict == verdict::violated);
    CHECK_THAT(beyond.estimate.value().value, WithinRel(0.2, 1e-12));
}

TEST_CASE("a metric that is the same in seven process pairs is compared exactly", "[run][unit]") {
    metric_builds equal({10}, {10});
    const record r = equal.evaluate(equal.errors() <= baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.exact);
    CHECK(r.evidence.processes == 7);
    metric_builds above({1001}, {1000});
    const record violated = above.evaluate(above.errors() <= baseline());
    CHECK(violated.verdict == verdict::violated);
    CHECK(violated.evidence.processes == 7);
    CHECK(violated.estimate.value().value == 1001);
    CHECK(violated.bound == 1000);
}

TEST_CASE("a metric that each process draws is judged by statistics, after any first process pair", "[run][unit]") {
    metric_builds drawn({1, 9, 5, 8}, {8, 3, 5, 1});
    const record r = drawn.evaluate(drawn.errors() <= 0.5 * baseline());
    CHECK_FALSE(r.evidence.exact);
    CHECK(r.evidence.processes > 7);
    CHECK(r.verdict != verdict::holds);
}

TEST_CASE("counts and metrics are not compared with this program itself", "[run][unit]") {
    counting_builds counts({12}, {12});
    counts.variables["PERFSPEC_BASELINE_BUILD"] = counts.start.executable;
    const record r = counts.evaluate(allocations(counts.sort) <= baseline());
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, StartsWith("the baseline build is this program itself"));
    metric_builds values({12}, {12});
    values.variables["PERFSPEC_BASELINE_BUILD"] = values.start.executable;
    CHECK(values.evaluate(values.errors() <= baseline()).verdict == verdict::error);
    CHECK(values.launcher.commands().empty());
}

TEST_CASE("the advice says what may help if a build cannot count", "[run][unit]") {
    counting_builds program({12}, {12});
    program.baseline.instead = reply_to("", {{}, ended(0)});
    const record r = program.evaluate(allocations(program.sort) <= baseline());
    CHECK(r.verdict == verdict::error);
    REQUIRE(!r.advice.empty());
    CHECK_THAT(r.advice.front(), StartsWith("set PERFSPEC_BASELINE_BUILD to another build of this test program"));
}

}  // namespace perfspec
