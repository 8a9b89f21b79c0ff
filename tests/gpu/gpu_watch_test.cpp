// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The activity of GPUs while claims on their work are measured, in the record and in notes.
#include "../run/scripted_run.hpp"

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/scripted_gpus.hpp>
#include <support/scripted_nvml.hpp>

#include <catch2/matchers/catch_matchers_vector.hpp>

namespace perfspec {
namespace {

using namespace testing;
using strings = std::vector<std::string>;

constexpr unsigned heat = 0x20, power_limit = 0x4;

/// A program with a body on the GPU, whose driver and NVML are scripted.
struct gpu_program : scripted_run {
    gpu_program() : machine(scripted_gpus::driver(), scripted_nvml::library()) {
        devices = &machine;
        sort.state().device = other.state().device = "cuda:0";
    }

    scripted_gpus driver;
    scripted_nvml nvml;
    gpu_machine machine;
    subject sort = takes("sort", 1ms);
    subject other = takes("other", 1ms);
};

}  // namespace

TEST_CASE("a record reports what the GPU of its subjects did, and a quiet one is no note", "[cuda][unit]") {
    gpu_program program;
    const record r = program.evaluate(latency(program.sort) < 2ms);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.disturbed.devices == std::vector{device_activity{.device = "cuda:0",
                                                             .facts = {{"sm_mhz", "1755"},
                                                                       {"max_sm_mhz", "1980"},
                                                                       {"celsius", "41"},
                                                                       {"watts", "120.5"},
                                                                       {"watts_limit", "700"}}}});
    CHECK(r.notes.empty());
}

TEST_CASE("slow samples of each subject are a note", "[cuda][unit]") {
    gpu_program program;
    const auto discards = [](void*) -> std::string { return "3 of 40 samples were discarded"; };
    program.sort.state().report_slow_samples = program.other.state().report_slow_samples = discards;
    CHECK_RECORDED(program.evaluate(speedup(program.sort, program.other) > 0.9).notes);
}

TEST_CASE("a claim on the processor does not ask for GPUs", "[cuda][unit]") {
    gpu_program program;
    program.nvml.gpu().reasons = heat;
    program.sort.state().device.clear();
    const record r = program.evaluate(latency(program.sort) < 2ms);
    CHECK(r.disturbed.devices.empty());
    CHECK(r.notes.empty());
    CHECK(program.driver.asked_for_names == 0);
}

TEST_CASE("heat is in the record and in a note, which says what it does to the claim", "[cuda][unit]") {
    gpu_program program;
    program.nvml.gpu().reasons = heat;
    program.nvml.gpu().sm_mhz = 1320;
    const record r = program.evaluate(latency(program.sort) < 2ms);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.disturbed.devices.at(0).text, ContainsSubstring("slowed down by heat"));
    CHECK(r.disturbed.devices.at(0).slowdown == 1.5);
    CHECK_RECORDED(r.notes);
    const record ratio = program.evaluate(speedup(program.sort, program.other) > 0.9, {}, {.line = 43});
    CHECK(ratio.disturbed.devices.size() == 1);
    CHECK(ratio.notes.empty());  // once in a test case
}

TEST_CASE("heat slows both sides of a comparison equally", "[cuda][unit]") {
    gpu_program program;
    program.nvml.gpu().reasons = heat;
    program.nvml.gpu().sm_mhz = 1320;
    const record r = program.evaluate(speedup(program.sort, program.other) > 0.9);
    CHECK(r.verdict == verdict::holds);
    CHECK_RECORDED(r.notes.at(0));
}

TEST_CASE("a power limit that the work itself reaches excuses nothing", "[cuda][unit]") {
    gpu_program program;
    program.nvml.gpu().reasons = power_limit;
    const record r = program.evaluate(latency(program.sort) < 2ms);
    CHECK_THAT(r.disturbed.devices.at(0).text, ContainsSubstring("slowed down by power limit"));
    CHECK(r.disturbed.devices.at(0).slowdown == 1.0);
    CHECK_RECORDED(r.notes.at(0));
}

TEST_CASE("what happened between two readings is seen, though neither of them shows it", "[cuda][unit]") {
    gpu_program program;
    scripted_nvml_gpu later;
    program.nvml.gpu().by_heat = detail::nvml_violation{.until_microseconds = 1'000'000, .nanoseconds = 5'000'000'000};
    program.nvml.gpu().uses = {
        {.pid = 1, .microseconds = 900'000, .multiprocessors = 100}};  // before the claim, so it does not count
    later.by_heat = detail::nvml_violation{.until_microseconds = 3'000'000, .nanoseconds = 5'500'000'000};
    program.nvml.then = {later};
    const record r = program.evaluate(latency(program.sort) < 2ms);
    CHECK_THAT(r.disturbed.devices.at(0).facts,
               Catch::Matchers::VectorContains(std::pair<std::string, std::string>("heat_seconds", "0.5")));
    CHECK_THAT(r.disturbed.devices.at(0).text, ContainsSubstring("slowed down by heat"));
    CHECK(r.disturbed.devices.at(0).others == 0);
}

TEST_CASE("another process that computes on the GPU meanwhile is noted, and one that did before is not",
          "[cuda][unit]") {
    gpu_program program;
    constexpr unsigned outside = 4'294'967'290U, also_outside = 4'294'967'291U,
                       ended = 4'294'967'292U;  // numbers of the host, seen from a container
    program.nvml.gpu().uses = {{.pid = outside, .microseconds = 900'000, .multiprocessors = 50},
                               {.pid = ended, .microseconds = 900'000, .multiprocessors = 95}};
    scripted_nvml_gpu later;
    later.uses = {{.pid = outside, .microseconds = 900'000, .multiprocessors = 50},
                  {.pid = ended, .microseconds = 900'000, .multiprocessors = 95},
                  {.pid = outside, .microseconds = 2'000'000, .multiprocessors = 60},
                  {.pid = also_outside, .microseconds = 2'000'000, .multiprocessors = 20}};
    program.nvml.then = {later};
    const record r = program.evaluate(latency(program.sort) < 2ms);
    CHECK(r.disturbed.devices.at(0).others == 1);  // the busier one is this program itself
    CHECK(r.disturbed.devices.at(0).slowdown == 1.25);
    CHECK_THAT(r.notes.at(0), ContainsSubstring("cuda:0 used by 1 other process: times are up to 1.25 times as long"));
}

TEST_CASE("each of several GPUs is reported once", "[cuda][unit]") {
    gpu_program program;
    program.driver.gpus = {{}, {.pci_bus_id = "0000:05:00.0"}};
    program.nvml.gpus = {{}, {.bus_id = "0000:05:00.0", .sm_mhz = 1000}};
    program.other.state().device = "cuda:1";
    const record r = program.evaluate(speedup(program.sort, program.other) > 0.9);
    REQUIRE(r.disturbed.devices.size() == 2);
    CHECK(r.disturbed.devices[0].facts.at(0).second == "1755");
    CHECK(r.disturbed.devices[1].device == "cuda:1");
    CHECK(r.disturbed.devices[1].facts.at(0).second == "1000");
}

TEST_CASE("that NVML is not there is said once in a run, and fails nothing", "[cuda][unit]") {
    gpu_program program;
    gpu_machine blind(scripted_gpus::driver(), {.fault = "libnvidia-ml.so.1: cannot open shared object file"});
    program.devices = &blind;
    const record r = program.evaluate(latency(program.sort) < 2ms);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.disturbed.devices.empty());
    CHECK_RECORDED(r.notes);
    program.framework.at.test = "another test case";
    CHECK(program.evaluate(latency(program.other) < 2ms, {}, {.line = 43}).notes.empty());
}

TEST_CASE("a device without a driver is not reported to lack NVML", "[cuda][unit]") {
    gpu_program program;
    program.driver.init_error = 100;
    const record r = program.evaluate(latency(program.sort) < 2ms);
    CHECK(r.notes.empty());
    CHECK(r.disturbed.devices.empty());
}

}  // namespace perfspec
