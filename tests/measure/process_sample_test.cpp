// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "acted_subject.hpp"

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/measure/sample.hpp>

#include <support/scripted_memory.hpp>
#include <support/test.hpp>

using namespace perfspec::testing;
using perfspec::measure_process;

TEST_CASE("measure_process takes thirty samples, at least 100 ms of them, and no more than a second",
          "[measure][unit]") {
    const auto [body, samples] = GENERATE(table<std::chrono::nanoseconds, std::size_t>({
        {20us, 834},  // 5 calls and a warm one: 120 us
        {1ms, 100},
        {10ms, 30},
        {40ms, 25},
        {3s, 1},
    }));
    CAPTURE(body.count());
    stepped_clock time;
    role x{.time = &time, .call = body};
    const auto process = measure_process(acted("x", x), {}, {time, time});
    CHECK(process.samples.readings_ns == std::vector<double>(samples, static_cast<double>(body.count())));
}

TEST_CASE("measure_process takes its fewest samples however long, or says what they need", "[measure][unit]") {
    stepped_clock time;
    role x{.time = &time, .call = 5ms};
    const perfspec::process_limits limits{.samples = 1000, .at_least = 100ms, .at_most = 1s, .min_samples = 1000};
    perfspec::measuring_settings settings;
    CHECK(measure_process(acted("x", x), settings, {time, time}, limits).samples.readings_ns.size() == 1000);
    settings.cap = 4s;
    try {
        (void)measure_process(acted("x", x), settings, {time, time}, limits);
        FAIL("nothing was thrown");
    } catch (const perfspec::measurement_failure& f) {
        CHECK(f.kind == perfspec::failure_kind::too_slow);
        CHECK(std::string(f.what()) ==
              "too slow for the cap of 4 s: 1000 single iterations need 5 s. Raise the cap to 6s, which is enough for "
              "1000, or do less work in an iteration");
    }
}

TEST_CASE("measure_process takes the samples of the metric", "[measure][unit]") {
    stepped_clock wall;
    scripted_clock metric({0ms, 5ms, 0ms, 2ms, 0ms, 9ms});
    role x{.time = &wall, .call = 400ms};
    const auto process = measure_process(acted("x", x), {}, {wall, metric});
    CHECK(process.samples.readings_ns == std::vector<double>{5e6, 2e6, 9e6});
}

namespace perfspec {
namespace {

using namespace testing;

/// The peak of the process's memory during a step, and its size afterwards.
struct complexity_of_memory {
    std::int64_t to;
    std::int64_t stays;

    void in(scripted_memory& memory) const {
        memory.grow_to(to);
        memory.now = stays;
    }
};

subject loads_and_runs(scripted_memory& memory, complexity_of_memory load, complexity_of_memory run) {
    return subject("model", [&memory, run] { run.in(memory); }).load([&memory, load] { load.in(memory); });
}

loaded_memory measured(const subject& x, scripted_memory& memory) {
    peak_memory_counter counter(memory);
    return take_loaded_memory(x, counter);
}

double seven_bytes(void*) { return 7.0; }

}  // namespace

TEST_CASE("memory with load is what stays of loading, and the peak of the first call above it", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);  // 1000 bytes, once 5000
    const loaded_memory memory_use = measured(loads_and_runs(memory, {4000, 3500}, {9000, 3500}), memory);
    REQUIRE(memory_use.load.has_value());
    CHECK(memory_use.load->peak == 3000.0);
    CHECK(memory_use.load->after == 2500.0);
    CHECK(memory_use.call == 5500.0);
    CHECK(memory_use.total() == 8000.0);
}

TEST_CASE("memory with load is the peak of loading where the first call needs less", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    CHECK(measured(loads_and_runs(memory, {9000, 2000}, {2500, 2000}), memory).total() == 8000.0);
}

TEST_CASE("memory with load does not count inputs, which are made after loading", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    const auto make = [&memory] {
        memory.grow_to(3000);
        return 1;
    };
    const auto run = [&memory](int&) { memory.grow_to(3500); };
    const subject x = subject("model", setup(make), run).load([&memory] { memory.grow_to(2000); });
    const loaded_memory memory_use = measured(x, memory);
    CHECK(memory_use.load->after == 1000.0);
    CHECK(memory_use.call == 500.0);
    CHECK(memory_use.total() == 1500.0);
}

TEST_CASE("memory that loading used and freed is given back before the first call", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    const subject x = subject("model", [&memory] { memory.grow_to(3000); }).load([&memory] {
        memory.grow_to(3000);
        memory.free = 1500;
    });
    const loaded_memory memory_use = measured(x, memory);
    CHECK(memory_use.load->after == 500.0);
    CHECK(memory_use.call == 1500.0);
}

TEST_CASE("memory with load of a model that was in memory is its bytes and the first call", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    const subject held("held", [&memory] { memory.grow_to(1500); });
    held.state().held_bytes = seven_bytes;
    const loaded_memory memory_use = measured(held, memory);
    CHECK(memory_use.held == 7.0);
    CHECK_FALSE(memory_use.load.has_value());
    CHECK(memory_use.total() == 507.0);
}

TEST_CASE("memory with load of a model in memory that is prepared is both", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    const subject x = loads_and_runs(memory, {1800, 1200}, {1300, 1200});
    x.state().held_bytes = seven_bytes;
    CHECK(measured(x, memory).total() == 807.0);
}

TEST_CASE("memory with load needs a model", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    CHECK_THROWS_RECORDED(measurement_failure, measured(subject("parse", [] {}), memory));
}

TEST_CASE("memory with load of a model that was loaded before is refused", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    const subject x = loads_and_runs(memory, {4000, 3500}, {9000, 3500});
    run_untimed(x, 1);
    CHECK_THROWS_RECORDED(measurement_failure, measured(x, memory));
}

TEST_CASE(
    "memory with load is not known where the peak cannot be reset and loading or the call stays below the one before",
    "[measure][unit]") {
    scripted_memory memory(peak_reset::refused);  // 1000 bytes, once 5000
    CHECK_THROWS_AS(measured(loads_and_runs(memory, {4000, 3500}, {9000, 3500}), memory), measurement_failure);
    memory.now = 1000;
    CHECK(measured(loads_and_runs(memory, {12000, 11000}, {14000, 11000}), memory).total() == 13000.0);
    memory.now = 1000;
    CHECK_THROWS_AS(measured(loads_and_runs(memory, {15000, 11000}, {14000, 11000}), memory), measurement_failure);
}

}  // namespace perfspec
