// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Launches on a machine that has more to do than it has cores.
#include "../stored_program.hpp"

#include <perfspec/report/json_lines.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace testing;

/// A launch while so many threads wanted to run on four cores.
child_end launch_beside(int runnable, double value) {
    record busy = from_json_line(parse_answer(launch_of(value)).payload.value());
    busy.disturbed.runnable = runnable;
    busy.disturbed.cores = 4;
    return answered(to_json_line(busy));
}

}  // namespace

TEST_CASE("launches on a machine with more than twice as many threads as cores fail no test by themselves", "[run][unit]") {
    const int runnable = GENERATE(8, 9);
    stored_program program({launch_beside(runnable, 1.4e6)});
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == (runnable == 9 ? verdict::undecided : verdict::violated));
    CHECK(r.reason == (runnable == 9 ? "it is beyond the bound, and 9 threads wanted to run on 4 cores meanwhile" : ""));
}

TEST_CASE("a session on a machine with more than twice as many threads as cores is not recorded, unless forced", "[run][unit]") {
    const bool force = GENERATE(false, true);
    stored_program program({launch_beside(9, 1e6)});
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_BASELINE_DIR"] = "/project/baselines";
    if (force) program.variables["PERFSPEC_FORCE"] = "1";
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == (force ? verdict::not_judged : verdict::invalid));
    CHECK(r.baseline.value().action == (force ? baseline_action::recorded : baseline_action::refused));
    if (!force)
        CHECK(r.reason ==
              "9 threads wanted to run on 4 cores while it was recorded: record it when the machine has less to do; --perf-force "
              "records it all the same");
}

TEST_CASE("a load that cannot be tried loses no session, and the record says so", "[run][unit]") {
    std::vector<child_end> launches = launches_of(1e6, 10);
    launches.push_back(crashed());
    stored_program program(launches);
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_BASELINE_DIR"] = "/project/baselines";
    program.make_load = [](std::size_t) { return std::make_unique<machine_load>(); };
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.baseline.value().action == baseline_action::recorded);
    const auto stored = program.stored().entries.at(0).launches;
    CHECK(stored.size() == 10);
    CHECK_FALSE(stored.front().moved_by_load.has_value());
    REQUIRE(!r.disturbed.notes.empty());
    CHECK_THAT(r.disturbed.notes.back(), Catch::Matchers::StartsWith("what a load does to it could not be measured: "));
}

}  // namespace perfspec
