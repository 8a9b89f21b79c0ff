// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// How many launch pairs a claim against another build takes.
#include "../two_builds.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <string>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::StartsWith;

}  // namespace

TEST_CASE("a claim against another build is undecided after twenty launch pairs on either side of its bound",
          "[run][unit]") {
    two_builds program;
    program.head.call_ns = [](int launch, int) { return launch % 2 == 0 ? 1.03e6 : 0.97e6; };
    const record r = program.evaluate(latency(program.sort) < baseline(), {budget(4100ms)});
    CHECK(r.verdict == verdict::undecided);
    CHECK_FALSE(r.failed);
    CHECK(r.evidence.launches == 20);
    CHECK_THAT(r.reason, StartsWith("20 launch pairs in "));
}

TEST_CASE("more than twenty launch pairs are taken while they fit into ten seconds, where processes differ much",
          "[run][unit]") {
    const auto spread = [](int launch, int) {
        return 1.05e6 * (1.0 + 0.014 * ((5 * launch) % 7 - 3));
    };  // 0.2 s a launch pair
    two_builds slower;
    slower.head.call_ns = spread;
    const record found = slower.evaluate(latency(slower.sort) < 1.02 * baseline());
    CHECK(found.verdict == verdict::violated);
    CHECK(found.evidence.launches > 20);
    CHECK(found.evidence.seconds <= 10.0);
    two_builds hasty;
    hasty.head.call_ns = spread;
    const record open = hasty.evaluate(latency(hasty.sort) < 1.02 * baseline(), {budget(4100ms)});
    CHECK(open.verdict == verdict::undecided);
    CHECK(open.evidence.launches == 20);
    two_builds longer;
    longer.head.call_ns = [&](int launch, int sample) { return 10.0 * spread(launch, sample); };
    longer.reference.call_ns = always(10e6);
    const record slow = longer.evaluate(latency(longer.sort) < 1.02 * baseline());
    CHECK(slow.verdict == verdict::undecided);
    CHECK(slow.evidence.launches == 20);  // of 2 s each
    two_builds equal;
    equal.head.call_ns = [](int launch, int) { return 1e3 * (1.0 + 0.01 * ((5 * launch) % 7 - 3)); };
    equal.reference.call_ns = always(1e3);
    CHECK(equal.evaluate(latency(equal.sort) < baseline(), {margin(0_pct)}).evidence.launches == 200);
}

TEST_CASE("a cap ends a comparison after the launch pairs that could show a violation", "[run][unit]") {
    two_builds program;
    program.head.call_ns = [](int launch, int) { return launch % 2 == 0 ? 10.3e6 : 9.7e6; };
    program.reference.call_ns = always(10e6);
    program.variables["PERFSPEC_CAP"] = "22s";
    const record r = program.evaluate(latency(program.sort) < baseline());
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.launches == 11);
    CHECK(r.evidence.budget_seconds == 22.0);
}

}  // namespace perfspec
