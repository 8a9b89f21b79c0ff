// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/explain/operators.hpp>
#include <perfspec/measure/failure.hpp>

#include <support/scripted_devices.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;
using enum traced_work;

// linear calls addmm, which starts a copy and a kernel. relu starts one kernel, and another one has no operator, while
// the processor continues.
const std::vector<device_event> of_a_model{
    {"gemm", kernel, 200, 900, 0, 12}, {"linear", call, 0, 100, 1, 11}, {"Memcpy HtoD", transfer, 100, 150, 0, 12},
    {"addmm", call, 10, 90, 1, 12},    {"relu", call, 100, 130, 1, 13}, {"max", kernel, 900, 1000, 0, 13},
    {"own", kernel, 950, 1050, 0, 0},
};

/// A recorder whose trace cannot be read.
struct lost_trace final : device_recorder {
    std::string begin(input_shapes) override { return {}; }
    std::vector<device_event> end() override { throw std::runtime_error("out of memory"); }
};
lost_trace lost;

testing::scripted_devices* recorder_of_test{};
device_recorder* known_recorder() noexcept { return recorder_of_test; }

}  // namespace

TEST_CASE("count_kernels counts neither calls nor transfers", "[cuda][unit]") {
    CHECK(count_kernels(of_a_model) == 3);
    CHECK(count_kernels({}) == 0);
}

TEST_CASE("calls_with_device_times gives each call what it started on a device by itself", "[cuda][unit]") {
    const std::vector<operator_event> expected{{"linear", 0, 100, 1, 0},
                                               {"addmm", 10, 90, 1, 750, {}, {{"gemm", 700}, {"Memcpy HtoD", 50}}},
                                               {"relu", 100, 130, 1, 100, {}, {{"max", 100}}},
                                               {"(no operator)", 950, 950, ~std::uint64_t{0}, 100, {}, {{"own", 100}}}};
    CHECK(calls_with_device_times(of_a_model) == expected);
}

TEST_CASE("tabulate adds up device times beside those of the processor", "[cuda][unit]") {
    const std::vector<operator_times> expected{{"addmm", 80, 80, 1, 750, 750},
                                               {"relu", 30, 30, 1, 100, 100},
                                               {"linear", 20, 100, 1, 0, 750},
                                               {"(no operator)", 0, 0, 1, 100, 100}};
    CHECK(tabulate(calls_with_device_times(of_a_model)) == expected);
}

TEST_CASE("tabulate counts the device time of an operator within itself once in its total", "[cuda][unit]") {
    const std::vector<operator_event> events{{"to", 0, 100, 1, 7}, {"copy", 10, 90, 1, 0}, {"to", 20, 50, 1, 40}};
    const std::vector<operator_times> expected{{"copy", 50, 80, 1, 0, 40}, {"to", 50, 100, 2, 47, 47}};
    CHECK(tabulate(events) == expected);
}

TEST_CASE("calls_with_device_times keeps work of calls that were not traced", "[cuda][unit]") {
    const std::vector<device_event> late{{"gemm", kernel, 0, 50, 0, 99}};
    CHECK(tabulate(calls_with_device_times(late)) == std::vector<operator_times>{{"(no operator)", 0, 0, 1, 50, 50}});
}

TEST_CASE("record_operators of a device stops where the body throws, and reports why it cannot begin", "[cuda][unit]") {
    testing::scripted_devices recorder;
    CHECK_THROWS_WITH(record_operators(recorder, subject("x", [] { throw std::runtime_error("no kernel"); })),
                      ContainsSubstring("\"x\" threw: no kernel"));
    CHECK_FALSE(recorder.records());
    recorder.fault = "Kineto cannot record";
    CHECK_THROWS_RECORDED(measurement_failure, record_operators(recorder, subject("x", [] {})));
}

TEST_CASE("device_kernels_counter adds up what runs between its readings", "[cuda][unit]") {
    testing::scripted_devices devices;
    recorder_of_test = &devices;
    device_kernels_counter counts(known_recorder);
    devices.run(of_a_model);  // not counted
    CHECK(counts.begin().empty());
    CHECK(counts.begin().empty());  // it goes on
    CHECK(devices.begun == 1);
    const auto before = counts.now();
    devices.run(of_a_model);
    CHECK(counts.now() - before == 3);
    CHECK(counts.may_stand_still());
    counts.end();
    CHECK_FALSE(devices.records());
}

TEST_CASE("device_kernels_counter is not countable where the trace cannot continue", "[cuda][unit]") {
    testing::scripted_devices devices;
    recorder_of_test = &devices;
    device_kernels_counter counts(known_recorder);
    CHECK(counts.begin().empty());
    devices.fault = "another profiler records";
    CHECK_THROWS_MATCHES(counts.now(), measurement_failure, MessageMatches(ContainsSubstring("another profiler")));
    counts.end();
}

TEST_CASE("device_kernels_counter ends, and is not countable, where its trace cannot be read", "[cuda][unit]") {
    const auto known = []() noexcept -> device_recorder* { return &lost; };
    device_kernels_counter ends(known);
    CHECK(ends.begin().empty());
    ends.end();
    device_kernels_counter counts(known);
    CHECK(counts.begin().empty());
    CHECK_THROWS_RECORDED(measurement_failure, counts.now());
    CHECK(counts.now() == 0);  // it has ended
    counts.end();
}

TEST_CASE("record_operators of a device reports why its trace cannot be read, unless the body threw", "[cuda][unit]") {
    CHECK_THROWS_RECORDED(measurement_failure, record_operators(lost, subject("x", [] {})));
    CHECK_THROWS_WITH(record_operators(lost, subject("x", [] { throw std::runtime_error("no kernel"); })),
                      ContainsSubstring("\"x\" threw: no kernel"));
}

TEST_CASE("device_kernels_counter says what to link without a recorder", "[cuda][unit]") {
    device_kernels_counter counts([]() noexcept -> device_recorder* { return nullptr; });
    CHECK_THAT(counts.begin(), ContainsSubstring("perfspec::cuda") && ContainsSubstring("or perfspec::libtorch"));
    counts.end();
}

}  // namespace perfspec
