// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A fresh process that times a kernel for a claim.
#include "../../run/forked_child.hpp"

#include <perfspec/language/subjects/subject_state.hpp>

#include <support/scripted_device_machine.hpp>
#include <support/scripted_devices.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;

/// A body that runs a kernel of 20 us on a device.
struct running_on_device {
    running_on_device(scripted_run& made_for, const char* its_kernel) : program(made_for), kernel(its_kernel) {
        program.counts.on_devices = &devices;
        program.devices = &machine;
        ::new (x.storage()) running_on_device* {this};
        x.constructed();
        x.state().device = "cuda:0";
    }
    running_on_device(const running_on_device&) = delete;
    running_on_device& operator=(const running_on_device&) = delete;

    void run() {
        program.work(1ms);
        devices.run({{kernel, traced_work::kernel, 100, 20'100, 0, 0}});
    }

    static constexpr body_functions functions{.run =
                                                  [](void* self, std::uint64_t n) {
                                                      for (; n != 0; --n)
                                                          (*static_cast<running_on_device**>(self))->run();
                                                  },
                                              .device_ns = [](void*) { return 1.0; }};

    scripted_run& program;
    const char* kernel;
    scripted_device_machine machine{};
    scripted_devices devices{};
    subject x{"x", functions, sizeof(running_on_device*)};
};

}  // namespace

TEST_CASE("a child that is one launch answers with the time of its kernel, and is invalid where that no longer runs",
          "[cuda][unit]") {
    const auto in_a_child = [](const char* kernel) {
        return in_child({.key = "sorting / kernel_time(x, gelu)", .task = child_task::launch},
                        [kernel](scripted_run& program) {
                            running_on_device body{program, kernel};
                            static_cast<void>(program.outcome(kernel_time(body.x, "gelu") < 1.05 * baseline()));
                        });
    };
    CHECK(in_a_child("void gelu<float>(float*)").answer.value().estimate.value().centre == 20'000.0);
    const record renamed = in_a_child("void gelo<float>(float*)").answer.value();
    CHECK(renamed.verdict == verdict::invalid);
    CHECK_THAT(renamed.reason, ContainsSubstring("runs no kernel named \"gelu\". It runs: gelo"));
}

}  // namespace perfspec
