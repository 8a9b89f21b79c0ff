// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/baseline/fingerprint/device_facts.hpp>

#include <support/scripted_gpus.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;
using testing::scripted_gpus;
using libraries = std::vector<versioned_library>;

}  // namespace

TEST_CASE("describe_device asks the driver for the device with that number, whatever else the machine has",
          "[baseline][unit]") {
    const scripted_gpus driver({{.name = "NVIDIA A100-SXM4-40GB", .major = 8}, {.ecc = 0}});
    gpu_machine gpus(scripted_gpus::driver());
    CHECK(describe_device("cuda:0", &gpus).hardware_key == "nvidia-a100-sxm4-40gb");
    CHECK(describe_device("cuda:1", &gpus) == device_facts{.model = "NVIDIA H100 80GB HBM3",
                                                           .hardware_key = "nvidia-h100-80gb-hbm3",
                                                           .fault = {},
                                                           .libraries = {{"CUDA of the driver", "13.0"},
                                                                         {"GPU ECC", "off"},
                                                                         {"GPU compute capability", "9.0"},
                                                                         {"GPU memory", "80.0 GiB"},
                                                                         {"GPU multiprocessors", "132"}}});
    CHECK(describe_device("cuda", &gpus) == describe_device("cuda:0", &gpus));
}

TEST_CASE("describe_device gives a slice of a GPU a key of its own", "[baseline][unit]") {
    const scripted_gpus driver({{.name = "NVIDIA H100 80GB HBM3 MIG 1g.10gb", .uuid = 2, .of_gpu = 1},
                                {.name = "NVIDIA H100 80GB HBM3 MIG 2g.20gb", .uuid = 3, .of_gpu = 1}});
    gpu_machine gpus(scripted_gpus::driver());
    CHECK(describe_device("cuda:0", &gpus).hardware_key == "nvidia-h100-80gb-hbm3-mig-1g-10gb");
    CHECK(describe_device("cuda:1", &gpus).hardware_key == "nvidia-h100-80gb-hbm3-mig-2g-20gb");
}

TEST_CASE("describe_device says why a device has no model", "[baseline][unit]") {
    scripted_gpus driver;
    driver.initialising = 100;
    gpu_machine gpus(scripted_gpus::driver());
    const device_facts silent = describe_device("cuda:0", &gpus);
    CHECK(silent.model.empty());
    CHECK(silent.hardware_key == "unknown-cuda");
    CHECK(silent.fault == "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected");
    CHECK(describe_device("cuda:0", nullptr).fault == "the driver was not asked");
    const device_facts other = describe_device("xpu:0", &gpus);
    CHECK(other.hardware_key == "unknown-xpu");
    CHECK(other.fault == "only devices of CUDA tell their model");
}

TEST_CASE("libraries_of a device has its model, and its name where there are several", "[baseline][unit]") {
    const device_facts facts{
        .model = "NVIDIA H100", .hardware_key = "nvidia-h100", .fault = {}, .libraries = {{"GPU ECC", "on"}}};
    CHECK(libraries_of(facts) == libraries{{"GPU ECC", "on"}, {"GPU", "NVIDIA H100"}});
    CHECK(libraries_of(facts, "cuda:1") == libraries{{"GPU ECC of cuda:1", "on"}, {"GPU of cuda:1", "NVIDIA H100"}});
}

}  // namespace perfspec
