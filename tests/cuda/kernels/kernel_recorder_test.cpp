// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../simulated_program.hpp"
#include "simulated_cupti.hpp"

#include <perfspec/explain/operators.hpp>

namespace perfspec::testing {
namespace {

using detail::kernel_recorder;

/// A GPU, its profiler, and the recorder.
struct recorded_machine : simulated_machine {
    simulated_cupti cupti{gpu};
    kernel_recorder recorder{simulated_gpu::runtime(), simulated_cupti::library};
    cudaStream_t stream = gpu.make_stream();

    [[nodiscard]] std::string begin() { return recorder.begin(input_shapes::ignored); }
    [[nodiscard]] std::string fault_of_end() {
        try {
            static_cast<void>(recorder.end());
        } catch (const std::runtime_error& error) { return error.what(); }
        return {};
    }
};

/// The names and durations of the device's work.
std::vector<std::string> names_and_times(const std::vector<device_event>& trace) {
    std::vector<std::string> all;
    for (const device_event& e : trace)
        if (e.what != traced_work::call) all.push_back(e.name + ": " + std::to_string(e.end_ns - e.start_ns));
    return all;
}

}  // namespace

TEST_CASE("kernel_recorder has the kernels, copies and fills between begin and end, in the order in which they began",
          "[cuda][unit]") {
    recorded_machine m;
    std::vector<std::byte> memory(1'000);
    void* there = nullptr;
    REQUIRE(simulated_gpu::runtime().allocate(&there, 1'000'000) == cudaSuccess);
    m.gpu.launch(m.stream, {.cold = 9us, .name = "before"});  // it still runs
    REQUIRE(m.begin().empty());
    m.gpu.launch(m.stream, {.cold = 20us, .name = "_Z5saxpyif"});
    m.gpu.pin(memory.data(), memory.size());
    REQUIRE(m.gpu.copy(there, memory.data(), 1'000, m.stream) == cudaSuccess);
    REQUIRE(simulated_gpu::runtime().fill(there, 0, 1'000'000, m.stream) == cudaSuccess);
    REQUIRE(m.gpu.copy(memory.data(), there, 500, m.stream) == cudaSuccess);
    m.gpu.launch(m.stream, {.cold = 3us, .name = "no name of C++"});
    const std::vector<device_event> trace = m.recorder.end();
    m.gpu.launch(m.stream, {.cold = 1us, .name = "behind"});
    CHECK_RECORDED(names_and_times(trace));
    CHECK(count_kernels(trace) == 2);
    CHECK(m.cupti.enabled.empty());
}

TEST_CASE("kernel_recorder waits for what still runs on any stream", "[cuda][unit]") {
    recorded_machine m;
    REQUIRE(m.begin().empty());
    const cudaStream_t other = m.gpu.make_stream();
    m.gpu.launch(other, {.cold = 1s});
    CHECK(count_kernels(m.recorder.end()) == 1);
}

TEST_CASE("kernel_recorder makes each kernel a call of its own, which takes the processor no time", "[cuda][unit]") {
    recorded_machine m;
    REQUIRE(m.begin().empty());
    for (int i = 0; i < 2; ++i) m.gpu.launch(m.stream, {.cold = 20us, .name = "_Z5saxpyif"});
    const std::vector<operator_times> expected{{"saxpy(int, float)", 0, 0, 2, 40'000, 40'000}};
    CHECK(tabulate(calls_with_device_times(m.recorder.end())) == expected);
}

TEST_CASE("kernel_recorder starts without events of the last trace", "[cuda][unit]") {
    recorded_machine m;
    for (int i = 0; i < 3; ++i) {
        REQUIRE(m.begin().empty());
        m.gpu.launch(m.stream, {.cold = 1us});
        CHECK(count_kernels(m.recorder.end()) == 1);
    }
    CHECK(m.recorder.end().empty());  // it does not record
}

TEST_CASE("kernel_recorder refuses a trace that may lack something", "[cuda][unit]") {
    std::string faults;
    for (const auto happens : std::vector<void (*)(recorded_machine&)>{
             [](recorded_machine& m) { m.cupti.room = 2; },
             [](recorded_machine& m) { m.cupti.is_last_incomplete = true; },
             [](recorded_machine& m) { m.cupti.has_times = false; },
             [](recorded_machine& m) { m.cupti.flush_error = 7; }, [](recorded_machine& m) { m.cupti.lost_error = 7; },
             [](recorded_machine& m) { m.gpu.lose(cudaErrorLaunchFailure); }}) {
        recorded_machine m;
        REQUIRE(m.begin().empty());
        for (int i = 0; i < 3; ++i) m.gpu.launch(m.stream, {.cold = 1us});
        happens(m);
        if (m.cupti.room == 2) static_cast<void>(m.gpu.wait_for_device());
        faults += m.fault_of_end() + "\n";
        CHECK(m.cupti.enabled.empty());
    }
    CHECK_RECORDED(faults);
}

TEST_CASE("kernel_recorder forgets what an earlier trace lost", "[cuda][unit]") {
    recorded_machine m;
    REQUIRE(m.begin().empty());
    m.cupti.room = 0;
    m.cupti.flush_error = 7;
    m.gpu.launch(m.stream, {.cold = 1us});
    CHECK(m.fault_of_end() == "CUPTI did not deliver its records: error 7 of CUPTI");
    m.cupti.room = 10;
    m.cupti.flush_error = 0;
    REQUIRE(m.begin().empty());
    m.gpu.launch(m.stream, {.cold = 1us});
    CHECK(count_kernels(m.recorder.end()) == 1);
}

TEST_CASE("kernel_recorder says why it cannot begin, and leaves nothing on", "[cuda][unit]") {
    std::string faults;
    for (const auto happens : std::vector<void (*)(recorded_machine&)>{
             [](recorded_machine& m) { m.cupti.missing = "libcupti.so.13: cannot open shared object file"; },
             [](recorded_machine& m) { m.cupti.buffers_error = 7; },
             [](recorded_machine& m) { m.cupti.enable_errors[detail::cupti_fill] = 39; },
             [](recorded_machine& m) { m.gpu.lose(cudaErrorLaunchFailure); }}) {
        recorded_machine m;
        happens(m);
        faults += m.begin() + "\n";
        CHECK(m.cupti.enabled.empty());
        CHECK(m.recorder.end().empty());
    }
    CHECK_RECORDED(faults);
}

}  // namespace perfspec::testing
