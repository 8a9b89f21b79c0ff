// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/cuda/machine/gpu_machine.hpp>
#include <perfspec/cuda/machine/nvml.hpp>

#include <support/scripted_gpus.hpp>
#include <support/scripted_nvml.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <utility>
#include <vector>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;
using testing::scripted_gpus;
using testing::scripted_nvml;

const gpu_facts h100{
    .name = "NVIDIA H100", .uuid = "GPU-01010101-0101-0101-0101-010101010101", .pci_bus_id = "0000:3b:00.0"};

gpu_state state_of(const gpu_facts& facts, std::uint64_t since = 0) {
    gpu_reading read = detail::read_gpu_state(scripted_nvml::library(), facts, since);
    REQUIRE(read.fault.empty());
    return std::move(read.state);
}

}  // namespace

TEST_CASE("read_gpu_state has what NVML tells of the GPU with that name", "[cuda][unit]") {
    scripted_nvml nvml({{.uuid = "GPU-another", .sm_mhz = 1}, {}});
    nvml.gpus[1].reasons = 0x44;
    nvml.gpus[1].by_heat = detail::nvml_violation{.until_microseconds = 9, .nanoseconds = 7};
    nvml.gpus[1].holders = {11, 12};
    const gpu_state now = state_of(h100);
    CHECK(now.sm_mhz == 1755U);
    CHECK(now.max_sm_mhz == 1980U);
    CHECK(now.set_mhz == 1980U);
    CHECK(now.default_mhz == 1980U);
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

TEST_CASE("read_gpu_state tells each process that computed since a moment once, with its highest share",
          "[cuda][unit]") {
    scripted_nvml nvml;
    nvml.gpu().uses = {{.pid = 7, .microseconds = 100, .multiprocessors = 90},
                       {.pid = 8, .microseconds = 200, .multiprocessors = 20},
                       {.pid = 8, .microseconds = 300, .multiprocessors = 35},
                       {.pid = 9, .microseconds = 300, .multiprocessors = 0}};  // it copied, or decoded a video
    CHECK(state_of(h100, 100).computing == std::vector{computing_process{8, 35}});
    CHECK(state_of(h100, 100).computing_until == 300);
    CHECK(state_of(h100, 0).computing == std::vector{computing_process{7, 90}, computing_process{8, 35}});
    CHECK(state_of(h100, 300).computing.empty());
    CHECK(state_of(h100, 300).computing_until == 300);
}

TEST_CASE("read_gpu_state leaves out what the GPU does not tell, and takes it for nothing else", "[cuda][unit]") {
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
    const gpu_reading read = detail::read_gpu_state(old, h100);
    CHECK(read.fault.empty());
    CHECK((read.state.computing.empty() && read.state.holders.empty() && !read.state.by_power));
}

TEST_CASE("read_gpu_state asks the GPU for the clocks of a slice, and the slice for its processes", "[cuda][unit]") {
    scripted_nvml nvml({{.uuid = "MIG-1", .bus_id = "", .sm_mhz = {}}, {.uuid = "GPU-whole"}});
    nvml.gpus[0].holders = {21};
    nvml.gpus[1].holders = {21, 22};
    const gpu_state now = state_of({.name = "slice", .uuid = "MIG-1", .pci_bus_id = "0000:3b:00.0", .is_slice = true});
    CHECK(now.sm_mhz == 1755U);
    CHECK(now.holders == std::vector{21U});
}

TEST_CASE("read_gpu_state finds a GPU by its place where its name is not known", "[cuda][unit]") {
    const scripted_nvml nvml;
    CHECK(state_of({.name = "x", .pci_bus_id = "0000:3b:00.0"}).sm_mhz == 1755U);
    CHECK(state_of({.name = "x", .uuid = "GPU-unknown", .pci_bus_id = "0000:3b:00.0"}).sm_mhz == 1755U);
}

TEST_CASE("read_gpu_state says why it cannot tell, in NVML's words", "[cuda][unit]") {
    scripted_nvml nvml;
    const auto fault = [](const gpu_facts& of) { return detail::read_gpu_state(scripted_nvml::library(), of).fault; };
    CHECK(fault({.name = "x", .uuid = "GPU-unknown"}) == "NVML says: Not Found");
    CHECK(fault({.name = "x"}) ==
          "the driver tells neither a unique name nor a place on the bus, by which NVML could find it");
    nvml.initialising = 9;
    CHECK(fault(h100) == "NVML says: Driver Not Loaded");
    CHECK(detail::read_gpu_state({}, h100).fault == "the library lacks nvmlInit_v2: it is none of NVIDIA's");
}

TEST_CASE("load_nvml says in the linker's words why there is no library", "[cuda][unit]") {
    const detail::nvml_library none = detail::load_nvml("/nonexistent/libnvidia-ml.so.1");
    CHECK_THAT(none.fault, ContainsSubstring("/nonexistent/libnvidia-ml.so.1: cannot open shared object file"));
    CHECK(detail::read_gpu_state(none, h100).fault == none.fault);
}

TEST_CASE("load_nvml finds the functions of a library by their names", "[cuda][unit]") {
    const detail::nvml_library loaded = detail::load_nvml(PERFSPEC_FAKE_NVML);
    REQUIRE(loaded.fault.empty());
    const gpu_reading read =
        detail::read_gpu_state(loaded, {.name = "x", .uuid = "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f"});
    REQUIRE(read.fault.empty());
    const gpu_state& now = read.state;
    CHECK(now.sm_mhz == 1001U);
    CHECK(now.max_sm_mhz == 2001U);
    CHECK(now.set_mhz == 1500U);
    CHECK(now.default_mhz == 1600U);
    CHECK(now.celsius == 50U);
    CHECK(now.watts == 70.25);
    CHECK(now.watts_limit == 300.0);
    CHECK(now.persistence == false);
    CHECK(now.reasons == 0x4U);  // by the name that drivers before 535 know
    CHECK(now.by_power.value().nanoseconds == 5);
    CHECK(now.by_heat.value().nanoseconds == 7);
    CHECK(now.by_heat.value().until_microseconds == 8'000'000);
    CHECK(now.holders == std::vector{11U, 12U});
    CHECK(now.computing == std::vector{computing_process{12, 45}});
    CHECK(detail::read_gpu_state(loaded, {.name = "x", .uuid = "GPU-another"}).fault == "NVML says: Not Found");
    CHECK(detail::read_gpu_state(loaded, {.name = "x", .pci_bus_id = "0000:01:00.0"}).state.sm_mhz == 1001U);
}

TEST_CASE("gpu_machine asks NVML for the GPU that CUDA numbers so", "[cuda][unit]") {
    const scripted_gpus driver({{.uuid = 5, .of_gpu = 5}, {}});
    scripted_nvml nvml({{}, {.uuid = "GPU-05050505-0505-0505-0505-050505050505", .sm_mhz = 5}});
    gpu_machine machine(scripted_gpus::driver(), scripted_nvml::library());
    CHECK(machine.state_of_cuda(0).state.sm_mhz == 5U);
    CHECK(machine.state_of_cuda(1).state.sm_mhz == 1755U);
    CHECK(machine.state_of_cuda(2).fault == "CUDA_ERROR_INVALID_DEVICE: invalid device ordinal");
    nvml.gpus[0].sm_mhz = 300;
    CHECK(machine.state_of_cuda(1).state.sm_mhz == 300U);
}

}  // namespace perfspec
