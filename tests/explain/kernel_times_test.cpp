// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../run/forked_child.hpp"

#include <perfspec/explain.hpp>
#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>

#include <support/scripted_device_machine.hpp>
#include <support/scripted_devices.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;
using enum traced_work;

device_event ran(const char* name, std::int64_t ns) { return {name, kernel, 1'000, 1'000 + ns, 0, 0}; }

const std::vector<device_event> of_a_step{
    ran("void at::native::softmax<float, 4>(float*, int)", 30),
    {"softmax", call, 0, 900, 1, 1},
    ran("void at::native::softmax<half, 4>(half*, int)", 20),
    ran("softmax_backward(float*)", 500),
    {"copy of softmax", transfer, 0, 70, 0, 0},
    ran("perfspec_stamp", 10'000),
    ran("triton_poi_fused_gelu_0", 7),
    ran("triton_poi_fused_gelu_1", 8),
    ran("mine::scale(float*)", 1),
    ran("other::scale(float*)", 2),
};

std::string fault_of(std::string_view name, const std::vector<device_event>& trace = of_a_step) {
    try {
        static_cast<void>(kernels_named(trace, name, "\"step\""));
    } catch (const measurement_failure& failed) { return failed.what(); }
    return {};
}

/// A body on a device, with the device's events from the test, and its adapter.
struct traced_body {
    testing::scripted_devices devices{};
    std::vector<device_event> runs{ran("gelu", 40)};
    std::vector<std::string> order{};
    int refused = 0;  ///< of the next samples
    subject x{"x", [this] {
                  order.emplace_back(devices.records() ? "run in the trace" : "run");
                  devices.run(runs);
              }};

    traced_body() {
        readings_of(x).traced = {this, [](void* self) { static_cast<traced_body*>(self)->did("settle"); },
                                 [](void* self) { static_cast<traced_body*>(self)->did("begin"); },
                                 [](void* self) {
                                     static_cast<traced_body*>(self)->did("end");
                                     return static_cast<traced_body*>(self)->refused-- <= 0;
                                 }};
    }
    void did(const char* what) { order.push_back(what + std::string(devices.records() ? " in the trace" : "")); }
    double take(const char* name) { return time_kernels(x, {name, &devices}); }
};

}  // namespace

TEST_CASE("name_without_arguments is the name of a kernel in the source, with its namespaces", "[cuda][unit]") {
    const auto [demangled, name] = GENERATE(table<const char*, const char*>({
        {"gelu", "gelu"},
        {"saxpy(int, float)", "saxpy"},
        {"void scale<float>(float*, int)", "scale"},
        {"void at::native::softmax<float, 4>(float*, int)", "at::native::softmax"},
        {"void (anonymous namespace)::fill<(Mode)1, 4u>(void (*)(int))", "(anonymous namespace)::fill"},
        {"std::enable_if<true, unsigned int>::type a::b<std::vector<int> >(int)", "a::b"},
        {"void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&)::{lambda()#1}::operator()() "
         "const::{lambda(float)#1}, std::array<char*, 2ul> >(int, std::array<char*, 2ul>)",
         "at::native::vectorized_elementwise_kernel"},
        {"grid::run(int) const", "grid::run"},
        {"scale(float*) [clone .part.0]", "scale"},
        {"ampere_sgemm_128x64_tn", "ampere_sgemm_128x64_tn"},
        {"", ""},
        {"(", "("},
        {")>", ")>"},
    }));
    CHECK(detail::name_without_arguments(demangled) == name);
}

TEST_CASE("kernels_named adds up the launches of all instances of one kernel", "[cuda][unit]") {
    CHECK(kernels_named(of_a_step, "softmax", "x") == named_kernels{50, 2, {"at::native::softmax"}});
    CHECK(kernels_named(of_a_step, "at::native::softmax", "x") == named_kernels{50, 2, {"at::native::softmax"}});
    CHECK(kernels_named(of_a_step, "void at::native::softmax<half, 4>(half*, int)", "x") ==
          named_kernels{20, 1, {"at::native::softmax"}});
    CHECK(kernels_named(of_a_step, "softmax_backward", "x") == named_kernels{500, 1, {"softmax_backward"}});
    CHECK(kernels_named(of_a_step, "mine::scale", "x") == named_kernels{1, 1, {"mine::scale"}});
}

TEST_CASE("kernels_named takes all kernels for an empty name, and all that fit for a name with stars", "[cuda][unit]") {
    CHECK(kernels_named(of_a_step, "", "x").nanoseconds == 568);
    CHECK(kernels_named(of_a_step, "", "x").launches == 7);
    CHECK(kernels_named(of_a_step, "triton_*", "x") ==
          named_kernels{15, 2, {"triton_poi_fused_gelu_0", "triton_poi_fused_gelu_1"}});
    CHECK(kernels_named(of_a_step, "tri*gelu*1", "x") == named_kernels{8, 1, {"triton_poi_fused_gelu_1"}});
    CHECK(kernels_named(of_a_step, "*half*", "x") == named_kernels{20, 1, {"at::native::softmax"}});
    CHECK(kernels_named(of_a_step, "soft*", "x").launches == 3);
    CHECK(kernels_named(of_a_step, "scale*", "x") == named_kernels{3, 2, {"mine::scale", "other::scale"}});
    CHECK(fault_of("gelu*").starts_with("an iteration of \"step\" runs no kernel named \"gelu*\"."));
}

TEST_CASE("kernels_named refuses a name that no kernel has, and lists those that ran, the nearest first",
          "[cuda][unit]") {
    CHECK_RECORDED(fault_of("sofmax"));
    CHECK_THAT(fault_of("SoftMax_Backward"), ContainsSubstring("It runs: softmax_backward, "));
    CHECK_THAT(fault_of("soft"), ContainsSubstring("no kernel named \"soft\""));
    std::vector<device_event> many;
    for (char c = 'a'; c < 'k'; ++c) many.push_back(ran(std::string(3, c).c_str(), 1));
    CHECK_RECORDED(fault_of("jjk", many));
}

TEST_CASE("kernels_named refuses a name that different kernels have, rather than to add them up", "[cuda][unit]") {
    CHECK_RECORDED(fault_of("scale"));
}

TEST_CASE("kernels_named does not take a trace without kernels for one in which they take no time", "[cuda][unit]") {
    const std::vector<device_event> nothing{
        {"softmax", call, 0, 900, 1, 1}, {"copy", transfer, 0, 9, 0, 0}, ran("perfspec_stamp", 5)};
    for (const char* name : {"", "softmax", "*"}) {
        CHECK_THAT(fault_of(name, nothing), ContainsSubstring("saw no kernel on the device"));
        CHECK_THAT(fault_of(name, {}), ContainsSubstring("saw no kernel on the device"));
    }
}

TEST_CASE("kernels_named does not take kernels without times for ones that take none", "[cuda][unit]") {
    CHECK_RECORDED(fault_of("gelu", {ran("gelu", 0), ran("relu", 5)}));
    CHECK_RECORDED(fault_of("", {ran("gelu", 0), ran("relu", 5), ran("gelu", -1)}));
}

TEST_CASE("time_kernels records one iteration, behind what settles the caches", "[cuda][unit]") {
    traced_body b;
    CHECK(b.take("gelu") == 40.0);
    CHECK(b.order == std::vector<std::string>{"settle", "begin in the trace", "run in the trace", "end in the trace"});
    CHECK_FALSE(b.devices.records());
}

TEST_CASE("time_kernels takes a sample again that the adapter does not accept", "[cuda][unit]") {
    traced_body b;
    b.refused = 2;
    CHECK(b.take("gelu") == 40.0);
    CHECK(b.devices.begun == 3);
    CHECK(readings_of(b.x).launches_by_kernel.at("gelu").most == 1);
}

TEST_CASE("time_kernels remembers how often an iteration launches the kernels", "[cuda][unit]") {
    traced_body b;
    CHECK(b.take("gelu") == 40.0);
    b.runs.push_back(ran("gelu", 2));
    b.runs.push_back(ran("relu", 3));
    CHECK(b.take("gelu") == 42.0);
    CHECK(b.take("") == 45.0);
    const auto& seen = readings_of(b.x).launches_by_kernel;
    CHECK((seen.at("gelu").fewest == 1 && seen.at("gelu").most == 2));
    CHECK((seen.at("").fewest == 3 && seen.at("").names == std::set<std::string>{"gelu", "relu"}));
}

TEST_CASE("time_kernels refuses a name that finds another kernel in a later sample", "[cuda][unit]") {
    traced_body b;
    b.runs = {ran("small::softmax", 2)};
    CHECK(b.take("softmax") == 2.0);
    b.runs = {ran("large::softmax", 9)};
    CHECK_THROWS_RECORDED(measurement_failure, b.take("softmax"));
    CHECK(b.take("*softmax") == 9.0);
}

TEST_CASE("time_kernels is not countable where nothing records kernels, or the recorder cannot begin", "[cuda][unit]") {
    traced_body b;
    CHECK_THROWS_RECORDED(measurement_failure, time_kernels(b.x, {}));
    b.devices.fault = "another profiler records";
    CHECK_THROWS_MATCHES(b.take("gelu"), measurement_failure, Message("another profiler records"));
    CHECK(b.order == std::vector<std::string>{"settle"});
}

TEST_CASE("time_kernels stops the recorder where the body throws", "[cuda][unit]") {
    testing::scripted_devices devices;
    const subject x("x", [] { throw std::runtime_error("no input"); });
    CHECK_THROWS_MATCHES(time_kernels(x, {"gelu", &devices}), measurement_failure, Message("\"x\" threw: no input"));
    CHECK_FALSE(devices.records());
}

// A fresh process that times a kernel for a claim.
namespace {

using namespace testing;

/// A body that runs a kernel of 20 us on a device.
struct running_on_device {
    running_on_device(scripted_run& made_for, const char* its_kernel) : program(made_for), kernel(its_kernel) {
        program.counts.install<device_recorder>(&devices);
        program.devices = &machine;
        ::new (x.storage()) running_on_device* {this};
        x.constructed();
        readings_of(x).device_ns = [](void*) { return 1.0; };
        x.state().device = "cuda:0";
    }
    running_on_device(const running_on_device&) = delete;
    running_on_device& operator=(const running_on_device&) = delete;

    void run() {
        program.work(1ms);
        devices.run({{kernel, traced_work::kernel, 100, 20'100, 0, 0}});
    }

    static constexpr body_functions functions{.run = [](void* self, std::uint64_t n) {
        for (; n != 0; --n) (*static_cast<running_on_device**>(self))->run();
    }};

    scripted_run& program;
    const char* kernel;
    scripted_device_machine machine{};
    scripted_devices devices{};
    subject x{"x", functions, sizeof(running_on_device*)};
};

}  // namespace

TEST_CASE("a child that is one launch answers with the time of its kernel, and is an error where that no longer runs",
          "[cuda][unit]") {
    const auto in_a_child = [](const char* kernel) {
        return in_child({.key = "sorting / kernel_time(x, gelu)", .task = child_task::measure},
                        [kernel](scripted_run& program) {
                            running_on_device body{program, kernel};
                            static_cast<void>(program.outcome(kernel_time(body.x, "gelu") < 1.05 * baseline()));
                        });
    };
    CHECK(in_a_child("void gelu<float>(float*)").answer.value().estimate.value().value == 20'000.0);
    const record renamed = in_a_child("void gelo<float>(float*)").answer.value();
    CHECK(renamed.verdict == verdict::error);
    CHECK_THAT(renamed.reason, ContainsSubstring("runs no kernel named \"gelu\". It runs: gelo"));
}

}  // namespace perfspec
