// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <vector>

namespace perfspec {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

TEST_CASE("a first run beside other work says that its baseline misses most changes, and how to record it again",
          "[run][unit]") {
    std::vector<child_end> launches;
    for (const double ms : {1.0, 1.01, 1.0, 1.02, 1.01, 1.0, 1.01, 6.0, 12.0, 20.0})
        launches.push_back(launch_of(ms * 1e6));
    stored_program program(std::move(launches));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.baseline.value().action == baseline_action::recorded);
    CHECK(r.baseline.value().detectable > 0.5);
    CHECK_THAT(
        r.reason,
        ContainsSubstring(
            "; it misses smaller changes, so record it again when the machine has less to do: PERFSPEC_BASELINE_DIR=") &&
            ContainsSubstring(" PERFSPEC_UPDATE_BASELINES=all; the next run compares"));
}

TEST_CASE("an update refuses launches that spread too much, unless it is forced", "[run][unit]") {
    std::vector<child_end> wild;
    for (int i = 0; i < 10; ++i) wild.push_back(launch_of(i % 2 == 0 ? 1e6 : 2e6));
    const auto update = [&](stored_program& program) {
        program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
        program.files.put_folder("/project/baselines");
        return program.evaluate(latency(program.sort) < 1.06 * baseline());
    };
    stored_program program(wild);
    const record r = update(program);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, StartsWith("the launches vary by") && EndsWith("; --perf-force records them anyway"));
    CHECK(r.baseline.value().action == baseline_action::refused);
    CHECK(r.baseline.value().taken.size() == 10);
    CHECK_FALSE(program.files.has(program.path()));

    stored_program forced(wild);
    forced.variables["PERFSPEC_FORCE"] = "on";
    CHECK(update(forced).baseline.value().action == baseline_action::recorded);
}

}  // namespace perfspec
