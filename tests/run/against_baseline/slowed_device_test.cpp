// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Launches on a device that was slowed down, by heat or by another process.
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

#include <support/scripted_device_machine.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace testing;

/// A launch whose device may have been slower by this factor.
child_end launch_on_slow_device(double slowdown, double value) {
    record slow = from_json_line(parse_answer(launch_of(value)).payload.value());
    slow.disturbed.devices = {{.device = "cuda:0", .slowdown = slowdown, .facts = {{"sm_mhz", "990"}}}};
    if (slowdown > 1.0) slow.disturbed.devices.front().text = "cuda:0 slowed down by heat, 990 of 1980 MHz";
    return answered(to_json_line(slow));
}

struct device_program : stored_program {
    explicit device_program(std::vector<child_end> children) : stored_program(std::move(children)) {
        devices = &machine;
        sort.state().device = "cuda:0";
    }

    scripted_device_machine machine;
};

}  // namespace

TEST_CASE("launches on a device that was slowed down fail no test by themselves", "[run][unit]") {
    const double slowdown = GENERATE(1.0, 2.0);
    device_program program({launch_on_slow_device(slowdown, 1.4e6)});
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == (slowdown > 1.0 ? verdict::undecided : verdict::violated));
    CHECK(
        r.reason ==
        (slowdown > 1.0
             ? "it is beyond the bound, but a device that ran slower may explain that: cuda:0 slowed down by heat, 990 "
               "of 1980 MHz, in 5 of 5 launches"
             : ""));
    CHECK(r.disturbed.slowed_device == (slowdown > 1.0 ? 5 : 0));
    CHECK(r.disturbed.devices.at(0).slowdown == slowdown);
}

TEST_CASE("a slow device excuses a violation by no more than it can make", "[run][unit]") {
    struct row {
        double fresh;
        verdict expected;
    };
    const auto [fresh, expected] =
        GENERATE(Catch::Generators::values<row>({{2.05e6, verdict::undecided}, {2.2e6, verdict::violated}}));
    device_program program({launch_on_slow_device(2.0, fresh)});
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == expected);
}

TEST_CASE("heat during a quarter of the launches excuses no violation", "[run][unit]") {
    struct row {
        int slow_launches;
        verdict expected;
    };
    const auto [slow_launches, expected] =
        GENERATE(Catch::Generators::values<row>({{1, verdict::violated}, {2, verdict::undecided}}));  // of five
    std::vector<child_end> launches;
    for (int i = 0; i < 5; ++i) launches.push_back(launch_on_slow_device(i < slow_launches ? 4.0 : 1.0, 1.4e6));
    device_program program(launches);
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == expected);
}

TEST_CASE("a slow device excuses nothing but times that it decides", "[run][unit]") {
    device_program program({launch_on_slow_device(4.0, 1.4e6)});
    program.store("sorting / peak_memory(sort)", about(1e6, 10), "bytes");
    const record r = program.evaluate(peak_memory(program.sort) <= 1.05 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.disturbed.slowed_device == 0);
}

TEST_CASE("an update refuses a session on a device that was slowed down, unless forced", "[run][unit]") {
    const bool force = GENERATE(false, true);
    device_program program({launch_on_slow_device(2.0, 1e6)});
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_BASELINE_DIR"] = "/project/baselines";
    if (force) program.variables["PERFSPEC_FORCE"] = "1";
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == (force ? verdict::not_judged : verdict::invalid));
    CHECK(r.baseline.value().action == (force ? baseline_action::recorded : baseline_action::refused));
    if (!force)
        CHECK(
            r.reason ==
            "cuda:0 slowed down by heat, 990 of 1980 MHz, in 10 of 10 launches: record it when the device is cool and nobody else uses it; "
            "--perf-force records it anyway");
}

TEST_CASE("a first run on a device that was slowed down records nothing, and fails nothing", "[run][unit]") {
    device_program program({launch_on_slow_device(2.0, 1e6)});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::not_judged);
    CHECK_THAT(r.reason,
               Catch::Matchers::ContainsSubstring(": nothing is recorded; the next run on this machine tries again"));
}

}  // namespace perfspec
