// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/gpu/cuda_driver.hpp>
#include <perfspec/gpu/gpu_machine.hpp>

#include <support/scripted_gpus.hpp>
#include <support/scripted_nvml.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;
using testing::scripted_gpus;
using testing::scripted_nvml;

constexpr const char* h100 = "0000:3b:00.0";

gpu_state state_of(const char* bus_id, std::uint64_t since = 0) {
    gpu_state read = detail::read_gpu_state(scripted_nvml::library(), bus_id, since);
    REQUIRE(read.fault.empty());
    return read;
}

}  // namespace

TEST_CASE("read_gpu_state has NVML's facts of the GPU at that place", "[cuda][unit]") {
    scripted_nvml nvml({{.bus_id = "0000:01:00.0", .sm_mhz = 1}, {}});
    nvml.gpus[1].reasons = 0x44;
    nvml.gpus[1].by_heat = detail::nvml_violation{.until_microseconds = 9, .nanoseconds = 7};
    nvml.gpus[1].holders = {11, 12};
    const gpu_state now = state_of(h100);
    CHECK(now.sm_mhz == 1755U);
    CHECK(now.max_sm_mhz == 1980U);
    CHECK(now.celsius == 41U);
    CHECK(now.watts == 120.5);
    CHECK(now.watts_limit == 700.0);
    CHECK(now.persistence == true);
    CHECK(now.is_slow_by(slow_clock::power_limit));
    CHECK(now.is_slow_by(slow_clock::heat_of_hardware));
    CHECK_FALSE(now.is_slow_by(slow_clock::heat));
    CHECK(now.by_heat.value().nanoseconds == 7);
    CHECK(now.by_heat.value().until_microseconds == 9);
    CHECK(now.by_power.value().nanoseconds == 0);
    CHECK(now.holders == std::vector{11U, 12U});
}

TEST_CASE("read_gpu_state reports what processes used since a moment", "[cuda][unit]") {
    scripted_nvml nvml;
    nvml.gpu().uses = {{.pid = 7, .microseconds = 100, .multiprocessors = 90},
                       {.pid = 8, .microseconds = 200, .multiprocessors = 20}};
    CHECK(state_of(h100, 0).uses.size() == 2);
    REQUIRE(state_of(h100, 100).uses.size() == 1);
    CHECK(state_of(h100, 100).uses[0].pid == 8);
    CHECK(state_of(h100, 200).uses.empty());
}

TEST_CASE("read_gpu_state leaves out facts that the GPU does not report", "[cuda][unit]") {
    scripted_nvml nvml;
    nvml.gpu().sm_mhz = nvml.gpu().max_sm_mhz = nvml.gpu().celsius = nvml.gpu().milliwatts =
        nvml.gpu().milliwatts_limit = {};
    nvml.gpu().persistence = {};
    nvml.gpu().reasons = {};
    nvml.gpu().by_heat = {};
    const gpu_state now = state_of(h100);
    CHECK_FALSE((now.sm_mhz || now.max_sm_mhz || now.celsius || now.watts || now.watts_limit || now.persistence ||
                 now.reasons || now.by_heat));
    CHECK_FALSE(now.is_slow_by(slow_clock::heat));
    detail::nvml_library old = scripted_nvml::library();
    old.uses = nullptr;
    old.held_back = nullptr;
    old.holders = nullptr;
    const gpu_state read = detail::read_gpu_state(old, h100);
    CHECK(read.fault.empty());
    CHECK((read.uses.empty() && read.holders.empty() && !read.by_power));
}

TEST_CASE("read_gpu_state says why it cannot know, in NVML's words", "[cuda][unit]") {
    scripted_nvml nvml;
    const auto fault = [](const char* bus) { return detail::read_gpu_state(scripted_nvml::library(), bus).fault; };
    CHECK(fault("0000:ff:00.0") == "NVML reports: Not Found");
    CHECK(fault("") == "NVML reports: Not Found");
    nvml.init_error = 9;
    CHECK(fault(h100) == "NVML reports: Driver Not Loaded");
    CHECK_RECORDED(detail::read_gpu_state({}, h100).fault);
}

TEST_CASE("load_nvml says in the linker's words why there is no library", "[cuda][unit]") {
    const detail::nvml_library none = detail::load_nvml("/nonexistent/libnvidia-ml.so.1");
    CHECK_THAT(none.fault, ContainsSubstring("/nonexistent/libnvidia-ml.so.1: cannot open shared object file"));
    CHECK(detail::read_gpu_state(none, h100).fault == none.fault);
}

TEST_CASE("load_nvml finds the functions of a library by their names", "[cuda][unit]") {
    const detail::nvml_library loaded = detail::load_nvml(PERFSPEC_FAKE_NVML);
    REQUIRE(loaded.fault.empty());
    const gpu_state now = detail::read_gpu_state(loaded, "0000:01:00.0");
    REQUIRE(now.fault.empty());
    CHECK(now.sm_mhz == 1001U);
    CHECK(now.max_sm_mhz == 2001U);
    CHECK(now.celsius == 50U);
    CHECK(now.watts == 70.25);
    CHECK(now.watts_limit == 300.0);
    CHECK(now.persistence == false);
    CHECK(now.reasons == 0x4U);  // by the name that drivers before 535 know
    CHECK(now.by_power.value().nanoseconds == 5);
    CHECK(now.by_heat.value().nanoseconds == 7);
    CHECK(now.by_heat.value().until_microseconds == 8'000'000);
    CHECK(now.holders == std::vector{11U, 12U});
    REQUIRE(now.uses.size() == 2);
    CHECK(now.uses[1].multiprocessors == 45);
    CHECK(detail::read_gpu_state(loaded, "0000:02:00.0").fault == "NVML reports: Not Found");
}

TEST_CASE("gpu_machine asks NVML for the GPU that CUDA numbers so", "[cuda][unit]") {
    const scripted_gpus driver({{.pci_bus_id = "0000:05:00.0"}, {}});
    scripted_nvml nvml({{}, {.bus_id = "0000:05:00.0", .sm_mhz = 5}});
    gpu_machine machine(scripted_gpus::driver(), scripted_nvml::library());
    CHECK(machine.state_of_cuda(0).sm_mhz == 5U);
    CHECK(machine.state_of_cuda(1).sm_mhz == 1755U);
    CHECK(machine.state_of_cuda(2).fault == "CUDA_ERROR_INVALID_DEVICE: invalid device ordinal");
    nvml.gpus[0].sm_mhz = 300;
    CHECK(machine.state_of_cuda(1).sm_mhz == 300U);
}

}  // namespace perfspec
