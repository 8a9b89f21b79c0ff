// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/cuda/machine/gpu_machine.hpp>

#include <support/scripted_gpus.hpp>
#include <support/scripted_nvml.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <string>

namespace perfspec {
namespace {

using namespace testing;

kin kin_by_number(unsigned pid) { return pid < 10 ? kin::own : kin::stranger; }

struct gpu_room {
    scripted_gpus driver;
    scripted_nvml nvml;
    gpu_machine machine{scripted_gpus::driver(), scripted_nvml::library()};

    [[nodiscard]] examined_gpus examine() { return examine_gpus(machine, kin_by_number); }
    [[nodiscard]] machine_finding about(const std::string& what) {
        const examined_gpus found = examine();
        const auto at = std::ranges::find(found.all.at(0).findings, what, &machine_finding::what);
        REQUIRE(at != found.all[0].findings.end());
        return *at;
    }
};

}  // namespace

TEST_CASE("the doctor says of each GPU what it is, what is not as it should be, and what to type", "[cuda][unit]") {
    gpu_room room;
    room.driver.gpus = {{}, {.name = "NVIDIA A100 MIG 1g.5gb", .uuid = 2, .of_gpu = 3, .ecc = 0}};
    room.nvml.gpus = {{.persistence = 0, .reasons = 0x60, .holders = {1, 50, 51}},
                      {.uuid = "MIG-02020202-0202-0202-0202-020202020202", .bus_id = "", .sm_mhz = {}}};
    room.nvml.gpus[0].celsius = 91;
    CHECK(
        render_gpus(room.examine()) ==
        "\n"
        "  GPUs now (perfspec changes none of their settings)\n"
        "    cuda:0: NVIDIA H100 80GB HBM3, 80.0 GiB, 132 multiprocessors, compute capability 9.0, ECC on, driver for CUDA 13.0\n"
        "    improve  clocks          1755 of 1980 MHz now, not limited: they follow heat and power\n"
        "                             lock them:  sudo nvidia-smi -i GPU-01010101-0101-0101-0101-010101010101 -lgc 1650,1650   free them again:  "
        "sudo nvidia-smi -i GPU-01010101-0101-0101-0101-010101010101 -rgc\n"
        "    improve  persistence     off: while no process uses the GPU its driver is unloaded, and a locked clock is lost\n"
        "                             sudo nvidia-smi -i GPU-01010101-0101-0101-0101-010101010101 -pm 1\n"
        "    improve  slowed down by  heat now\n"
        "                             let it cool, raise what limits it, or lock a clock that it can keep\n"
        "    improve  other users     2 other processes with memory there\n"
        "                             nvidia-smi lists them: stop them, or let ctest give each test a GPU of its own "
        "(perfspec_discover_tests(… GPUS 1))\n"
        "    cuda:1: NVIDIA A100 MIG 1g.5gb, 80.0 GiB, 132 multiprocessors, compute capability 9.0, ECC off, driver for CUDA 13.0\n"
        "    improve  clocks          1755 of 1980 MHz now, not limited: they follow heat and power\n"
        "                             lock them:  sudo nvidia-smi -i 0000:3b:00.0 -lgc 1650,1650   free them again:  "
        "sudo nvidia-smi -i 0000:3b:00.0 -rgc\n"
        "    improve  persistence     off: while no process uses the GPU its driver is unloaded, and a locked clock is lost\n"
        "                             sudo nvidia-smi -i 0000:3b:00.0 -pm 1\n"
        "    improve  slowed down by  heat now\n"
        "                             let it cool, raise what limits it, or lock a clock that it can keep\n"
        "    fine     other users     none\n");
}

TEST_CASE("the doctor finds nothing to improve about a GPU with locked clocks that nobody else uses", "[cuda][unit]") {
    gpu_room room;
    room.nvml.gpu().reasons = 0x2;
    room.nvml.gpu().holders = {1, 2};
    const examined_gpus found = room.examine();
    CHECK(std::ranges::all_of(found.all.at(0).findings,
                              [](const machine_finding& f) { return f.level == concern::fine && f.advice.empty(); }));
    CHECK(room.about("clocks").seen == "1755 of 1980 MHz now, limited by a setting");
    room.nvml.gpu().reasons = 0;
    CHECK(room.about("clocks").level == concern::improvable);
    room.nvml.gpu().set_mhz = 1410;  // an application clock
    CHECK(room.about("clocks").level == concern::fine);
}

TEST_CASE("the doctor takes nothing that a GPU does not tell for fine", "[cuda][unit]") {
    gpu_room room;
    scripted_nvml_gpu& gpu = room.nvml.gpu();
    gpu.sm_mhz = gpu.celsius = {};
    gpu.persistence = {};
    gpu.reasons = {};
    for (const char* what : {"clocks", "persistence", "slowed down by"})
        CHECK(room.about(what).level == concern::unknown);
}

TEST_CASE("the doctor says why it sees no GPU, or not what one does", "[cuda][unit]") {
    gpu_room room;
    gpu_machine blind(scripted_gpus::driver(), {.fault = "libnvidia-ml.so.1: cannot open shared object file"});
    const examined_gpus unknown = examine_gpus(blind, kin_by_number);
    REQUIRE(unknown.all.at(0).findings.size() == 1);
    CHECK(unknown.all[0].findings[0].level == concern::unknown);
    CHECK(unknown.all[0].findings[0].seen == "libnvidia-ml.so.1: cannot open shared object file");
    room.driver.initialising = 100;
    CHECK(render_gpus(room.examine()) ==
          "\n  GPUs: none can be used (CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected)\n");
}

}  // namespace perfspec
