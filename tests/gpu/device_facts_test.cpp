// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/gpu/gpu_machine.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/scripted_file_system.hpp>
#include <support/scripted_gpus.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using testing::scripted_gpus;

device_facts facts_of(const char* device, const scripted_file_system& files = {}) {
    return gpu_machine(scripted_gpus::driver()).facts(device, files);
}

}  // namespace

TEST_CASE("gpu_machine asks the driver for the device with that number among others", "[cuda][unit]") {
    const scripted_gpus driver({{.name = "NVIDIA A100-SXM4-40GB", .major = 8}, {.ecc = 0}});
    CHECK(facts_of("cuda:0").hardware_key == "nvidia-a100-sxm4-40gb");
    CHECK(facts_of("cuda:1") == device_facts{.model = "NVIDIA H100 80GB HBM3",
                                             .hardware_key = "nvidia-h100-80gb-hbm3",
                                             .fault = {},
                                             .libraries = {{"CUDA of the driver", "13.0"},
                                                           {"GPU", "NVIDIA H100 80GB HBM3"},
                                                           {"GPU ECC", "off"},
                                                           {"GPU compute capability", "9.0"},
                                                           {"GPU memory", "80.0 GiB"},
                                                           {"GPU multiprocessors", "132"}}});
    CHECK(facts_of("cuda") == facts_of("cuda:0"));
}

TEST_CASE("gpu_machine gives a slice of a GPU its own key", "[cuda][unit]") {
    const scripted_gpus driver({{.name = "NVIDIA H100 80GB HBM3 MIG 1g.10gb", .uuid = 2},
                                {.name = "NVIDIA H100 80GB HBM3 MIG 2g.20gb", .uuid = 3}});
    CHECK(facts_of("cuda:0").hardware_key == "nvidia-h100-80gb-hbm3-mig-1g-10gb");
    CHECK(facts_of("cuda:1").hardware_key == "nvidia-h100-80gb-hbm3-mig-2g-20gb");
}

TEST_CASE("gpu_machine says why a device has no model", "[cuda][unit]") {
    scripted_gpus driver;
    driver.init_error = 100;
    const device_facts silent = facts_of("cuda:0");
    CHECK(silent.model.empty());
    CHECK(silent.hardware_key == "unknown-cuda");
    CHECK(silent.fault == "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected");
    const device_facts other = facts_of("xpu:0");
    CHECK(other.hardware_key == "unknown-xpu");
    CHECK(other.fault == "perfspec knows the models of CUDA devices only");
}

TEST_CASE("the facts of a GPU have the version of its driver, from /proc", "[cuda][unit]") {
    const scripted_gpus driver;
    scripted_file_system files;
    files.put(
        "/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (root@x)  Sun Jul 20\nGCC version: 12.2.0\n");
    CHECK(facts_of("cuda:0", files).libraries.back() == versioned_library{"NVIDIA driver", "580.65.06"});
}

using Catch::Matchers::Message;
using testing::scripted_gpus;

namespace {

void require(granted_gpus granted, detail::cuda_driver driver = scripted_gpus::driver()) {
    gpu_machine(std::move(driver), {}, std::move(granted)).require_granted();
}

}  // namespace

TEST_CASE("a GPU that ctest granted must be there", "[cuda][unit]") {
    scripted_gpus driver({{}, {}});
    CHECK_NOTHROW(require({.ids = {"3", "5"}, .visible = "3,5"}));
    CHECK_THROWS_RECORDED(input_error, require({.ids = {"3"}, .visible = "3"}));
    driver.init_error = 100;
    CHECK_THROWS_RECORDED(input_error, require({.ids = {"3", "5"}, .visible = "3,5"}));
}

TEST_CASE("a name that means no GPU stops the run before any call of the driver, and without a grant there is no call",
          "[cuda][unit]") {
    CHECK_THROWS_RECORDED(input_error, require({.ids = {"x"}, .visible = "", .fault = "x names no GPU"}, {}));
    CHECK_NOTHROW(require({}, {}));
}

}  // namespace perfspec
