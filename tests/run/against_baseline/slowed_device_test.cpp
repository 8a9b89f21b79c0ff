// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Processes with another cause of slowness than the code: waiting for a processor, or a slowed device.
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

#include <support/scripted_device_machine.hpp>

namespace perfspec {
namespace {

using namespace testing;

enum class cause : unsigned char { threads, device };

/// A process that the cause may have slowed down by this factor.
child_end process_slowed_by(cause by, double factor, double value) {
    record slow = from_json_line(parse_answer(process_of(value)).payload.value());
    if (by == cause::threads) {
        slow.disturbed.cores = 4;
        slow.disturbed.runnable = 9;
        slow.disturbed.working_share = 1.0 / factor;
    } else {
        slow.disturbed.devices = {{.device = "cuda:0", .slowdown = factor, .facts = {{"sm_mhz", "990"}}}};
        if (factor > 1.0) slow.disturbed.devices.front().text = "cuda:0 slowed down by heat, 990 of 1980 MHz";
    }
    return answered(to_json_line(slow));
}

/// A program with ten stored processes of 1 ms. Its subject is on the device if the device is the cause.
struct slowed_program : stored_program {
    slowed_program(cause by, std::vector<child_end> children) : stored_program(std::move(children)), by_(by) {
        if (by == cause::threads) return;
        devices = &machine;
        sort.state().device = "cuda:0";
    }

    [[nodiscard]] record judge() {
        store(key(), about(1e6, 10));
        return evaluate(latency(sort) < 1.05 * baseline());
    }
    /// How many processes the cause slowed down.
    [[nodiscard]] std::size_t slowed(const record& r) const {
        return by_ == cause::threads ? r.disturbed.lengthened : r.disturbed.slowed_device;
    }

    scripted_device_machine machine;

private:
    cause by_;
};

/// The text on processes that were all slowed down by a factor of 2.25.
std::string text_of(cause by, const std::string& processes) {
    return by == cause::threads ? "other work lengthened " + processes + ": up to 9 threads wanted to run on 4 cores"
                                : "cuda:0 slowed down by heat, 990 of 1980 MHz, in " + processes;
}

}  // namespace

TEST_CASE("processes that were slowed down fail no test by themselves", "[run][unit]") {
    const cause by = GENERATE(cause::threads, cause::device);
    slowed_program slow(by, {process_slowed_by(by, 2.25, 1.4e6)});
    const record r = slow.judge();
    CHECK(r.verdict == verdict::undecided);
    CHECK_THAT(r.reason, ContainsSubstring(by == cause::threads ? "waiting for a processor may explain that"
                                                                : "a device that ran slower may explain that"));
    CHECK(slow.slowed(r) == 5);
    slowed_program at_full_speed(by, {process_slowed_by(by, 1.0, 1.4e6)});
    const record violated = at_full_speed.judge();
    CHECK(violated.verdict == verdict::violated);
    CHECK(at_full_speed.slowed(violated) == 0);
}

TEST_CASE("what slows processes down excuses a violation by no more than it can make", "[run][unit]") {
    struct row {
        double fresh;
        verdict expected;
    };
    const cause by = GENERATE(cause::threads, cause::device);
    const auto [fresh, expected] = GENERATE(values<row>({{2.3e6, verdict::undecided}, {2.4e6, verdict::violated}}));
    slowed_program program(by, {process_slowed_by(by, 2.25, fresh)});
    CHECK(program.judge().verdict == expected);
}

TEST_CASE("what slows down a quarter of the processes excuses no violation", "[run][unit]") {
    struct row {
        std::size_t slow_processes;
        verdict expected;
    };
    const cause by = GENERATE(cause::threads, cause::device);
    const auto [slow_processes, expected] =
        GENERATE(values<row>({{1, verdict::violated}, {2, verdict::undecided}}));  // of five
    std::vector<child_end> processes;
    for (std::size_t i = 0; i < 5; ++i)
        processes.push_back(process_slowed_by(by, i < slow_processes ? 7.5 : 1.0, 1.4e6));
    slowed_program program(by, processes);
    const record r = program.judge();
    CHECK(r.verdict == expected);
    CHECK(r.evidence.processes == 5);
    CHECK(program.slowed(r) == slow_processes);
}

TEST_CASE("what slows processes down excuses nothing but times that it decides", "[run][unit]") {
    const cause by = GENERATE(cause::threads, cause::device);
    slowed_program program(by, {process_slowed_by(by, 2.25, 1.4e6)});
    program.store("sorting / peak_memory(sort)", about(1e6, 10), "bytes");
    const record r = program.evaluate(peak_memory(program.sort) <= 1.05 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(program.slowed(r) == 0);
    stored_program recording({process_slowed_by(cause::threads, 2.25, 1e6)});
    CHECK(recording.evaluate(cpu_time(recording.sort) < 1.05 * baseline()).baseline.value().action ==
          baseline_action::recorded);
}

TEST_CASE("a slow device explains no gain", "[run][unit]") {
    slowed_program program(cause::device, {process_slowed_by(cause::device, 2.25, 0.7e6)});
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) == within(baseline(), 5_pct)).verdict == verdict::violated);
}

TEST_CASE("an update refuses a session that was slowed down, unless forced", "[run][unit]") {
    const cause by = GENERATE(cause::threads, cause::device);
    const bool anyway = GENERATE(false, true);
    slowed_program program(by, {process_slowed_by(by, 2.25, 1e6)});
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_BASELINE_DIR"] = "/project/baselines";
    if (anyway) program.variables["PERFSPEC_RECORD_ANYWAY"] = "1";
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == (anyway ? verdict::skipped : verdict::error));
    CHECK(r.baseline.value().action == (anyway ? baseline_action::recorded : baseline_action::refused));
    if (anyway) return;
    CHECK(r.bound_text == "1.05 x 1.000 ms, of 10 processes that are not recorded");
    CHECK(r.reason == text_of(by, "10 of 10 processes") + ": record it when " +
                          (by == cause::threads ? "the machine has less to do"
                                                : "the device is cool and no other process uses it") +
                          ", or add --perf-record-anyway");
}

TEST_CASE("a first run that was slowed down records nothing, and fails nothing", "[run][unit]") {
    const cause by = GENERATE(cause::threads, cause::device);
    slowed_program program(by, {process_slowed_by(by, 2.25, 1e6)});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::skipped);
    CHECK_FALSE(r.failed);
    CHECK(r.baseline.value().action == baseline_action::refused);
    CHECK(r.reason ==
          text_of(by, "10 of 10 processes") + ", so nothing is recorded: the next run on this machine tries again");
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0], ContainsSubstring("PERFSPEC_BASELINE_BUILD=") && ContainsSubstring("--perf-record-anyway"));
    CHECK_FALSE(program.files.has(r.baseline->file));
}

}  // namespace perfspec
