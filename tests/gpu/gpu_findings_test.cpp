// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/gpu/gpu_machine.hpp>

#include <support/scripted_gpus.hpp>
#include <support/scripted_nvml.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

kin kin_by_number(unsigned pid) { return pid < 10 ? kin::own : kin::stranger; }

struct gpu_room {
    scripted_gpus driver;
    scripted_nvml nvml;
    gpu_machine machine{scripted_gpus::driver(), scripted_nvml::library()};

    [[nodiscard]] std::string examine() { return examine_gpus(machine, kin_by_number); }
    /// The line of a finding.
    [[nodiscard]] std::string about(const std::string& what) {
        const std::string all = examine();
        const auto at = all.find(what);
        REQUIRE(at != all.npos);
        const auto begin = all.rfind('\n', at) + 1;
        return all.substr(begin, all.find('\n', at) - begin);
    }
};

}  // namespace

TEST_CASE("the doctor says of each GPU what it is, what is not as it should be, and what to type", "[cuda][unit]") {
    gpu_room room;
    room.nvml.gpus = {{.persistence = 0, .reasons = 0x60, .holders = {1, 50, 51}}};
    room.nvml.gpus[0].celsius = 91;
    CHECK_RECORDED(room.examine());
}

TEST_CASE("the doctor finds nothing to improve about a GPU with locked clocks that no other process uses",
          "[cuda][unit]") {
    gpu_room room;
    room.nvml.gpu().reasons = 0x2;
    room.nvml.gpu().holders = {1, 2};
    CHECK(room.examine().find("improve") == std::string::npos);
    CHECK(room.about("clocks") == "    fine     clocks          1755 of 1980 MHz now, limited by a setting");
    room.nvml.gpu().reasons = 0;
    CHECK(room.about("clocks").starts_with("    improve"));
}

TEST_CASE("the doctor approves no fact that a GPU does not report", "[cuda][unit]") {
    gpu_room room;
    scripted_nvml_gpu& gpu = room.nvml.gpu();
    gpu.sm_mhz = gpu.celsius = {};
    gpu.persistence = {};
    gpu.reasons = {};
    for (const char* what : {"clocks", "persistence", "slowed down by"})
        CHECK(room.about(what).starts_with("    unknown"));
}

TEST_CASE("the doctor says why it sees no GPU, or not what one does", "[cuda][unit]") {
    gpu_room room;
    gpu_machine blind(scripted_gpus::driver(), {.fault = "libnvidia-ml.so.1: cannot open shared object file"});
    CHECK_RECORDED(examine_gpus(blind, kin_by_number));
    room.driver.init_error = 100;
    CHECK(room.examine() == "\n  GPUs: none can be used (CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected)\n");
}

}  // namespace perfspec
