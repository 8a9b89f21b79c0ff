// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/gpu/gpu_machine.hpp>

#include <support/scripted_gpus.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;
using testing::scripted_gpu;
using testing::scripted_gpus;

gpu_facts facts_of(int ordinal) {
    gpu_facts found = detail::identify_gpu(scripted_gpus::driver(), ordinal);
    REQUIRE(found.fault.empty());
    return found;
}

}  // namespace

TEST_CASE("identify_gpu has the facts of the GPU with that number", "[cuda][unit]") {
    const scripted_gpus machine({{.name = "NVIDIA A100-SXM4-40GB", .uuid = 0xa0}, {}});
    CHECK(facts_of(1) == gpu_facts{.name = "NVIDIA H100 80GB HBM3",
                                   .uuid = "GPU-01010101-0101-0101-0101-010101010101",
                                   .pci_bus_id = "0000:3b:00.0",
                                   .libraries = {{"CUDA of the driver", "13.0"},
                                                 {"GPU", "NVIDIA H100 80GB HBM3"},
                                                 {"GPU ECC", "on"},
                                                 {"GPU compute capability", "9.0"},
                                                 {"GPU memory", "80.0 GiB"},
                                                 {"GPU multiprocessors", "132"}}});
    CHECK(facts_of(0).name == "NVIDIA A100-SXM4-40GB");
    CHECK(facts_of(0).uuid == "GPU-a0a0a0a0-a0a0-a0a0-a0a0-a0a0a0a0a0a0");
}

TEST_CASE("identify_gpu distinguishes a slice from its GPU, by its name", "[cuda][unit]") {
    const scripted_gpus machine({{.name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb", .uuid = 2}});
    CHECK(facts_of(0).name == "NVIDIA A100-SXM4-40GB MIG 1g.5gb");
    CHECK(facts_of(0).uuid == "MIG-02020202-0202-0202-0202-020202020202");
}

TEST_CASE("identify_gpu leaves out what the driver does not answer, and takes it for nothing else", "[cuda][unit]") {
    scripted_gpus machine;
    machine.query_error = 801;
    CHECK(facts_of(0) == gpu_facts{.name = "NVIDIA H100 80GB HBM3", .libraries = {{"GPU", "NVIDIA H100 80GB HBM3"}}});
    const scripted_gpus zeros({scripted_gpu{.uuid = 0}});
    CHECK(facts_of(0).uuid.empty());
}

TEST_CASE("identify_gpu says why it cannot know, in the driver's words", "[cuda][unit]") {
    scripted_gpus machine;
    CHECK_RECORDED(detail::identify_gpu(scripted_gpus::driver(), 1).fault);
    machine.init_error = 100;
    CHECK_RECORDED(detail::identify_gpu(scripted_gpus::driver(), 0).fault);
    machine.init_error = 0;
    machine.gpus.front().name.clear();
    CHECK(detail::identify_gpu(scripted_gpus::driver(), 0).fault == "the driver does not report the name of the GPU");
    CHECK_RECORDED(detail::identify_gpu({}, 0).fault);
}

TEST_CASE("count_gpus counts the GPUs that the driver shows, and says why there are none", "[cuda][unit]") {
    scripted_gpus machine({{}, {}});
    CHECK(detail::count_gpus(scripted_gpus::driver()).gpus == 2);
    CHECK(gpu_machine(scripted_gpus::driver()).count().fault.empty());
    machine.gpus.clear();
    CHECK(detail::count_gpus(scripted_gpus::driver()).fault == "the driver shows no GPU to this process");
    machine.init_error = 100;
    testing::check_recorded("2", detail::count_gpus(scripted_gpus::driver()).fault);
    CHECK(detail::count_gpus(detail::load_cuda_driver(PERFSPEC_FAKE_CUDA_DRIVER)).gpus == 1);
}

TEST_CASE("load_cuda_driver says in the linker's words why there is no driver", "[cuda][unit]") {
    const detail::cuda_driver none = detail::load_cuda_driver("/nonexistent/libcuda.so.1");
    CHECK_THAT(none.fault, ContainsSubstring("/nonexistent/libcuda.so.1: cannot open shared object file"));
    CHECK(detail::identify_gpu(none, 0).fault == none.fault);
}

TEST_CASE("load_cuda_driver finds the functions of a library by their names", "[cuda][unit]") {
    const detail::cuda_driver loaded = detail::load_cuda_driver(PERFSPEC_FAKE_CUDA_DRIVER);
    REQUIRE(loaded.fault.empty());
    CHECK(detail::identify_gpu(loaded, 0) == gpu_facts{.name = "Made-up GPU",
                                                       .uuid = "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f",
                                                       .pci_bus_id = "0000:01:00.0",
                                                       .libraries = {{"CUDA of the driver", "12.4"},
                                                                     {"GPU", "Made-up GPU"},
                                                                     {"GPU ECC", "on"},
                                                                     {"GPU compute capability", "7.5"},
                                                                     {"GPU memory", "0.0 GiB"},
                                                                     {"GPU multiprocessors", "16"}}});
    CHECK(detail::identify_gpu(loaded, 1).fault == "CUDA_ERROR_INVALID_DEVICE: invalid device ordinal");
}

TEST_CASE("gpu_machine asks for each GPU once", "[cuda][unit]") {
    const scripted_gpus driver({{}, {.name = "NVIDIA A100-SXM4-40GB"}});
    gpu_machine machine(scripted_gpus::driver());
    CHECK(machine.of_cuda(1).name == "NVIDIA A100-SXM4-40GB");
    CHECK(machine.of_cuda(0).name == "NVIDIA H100 80GB HBM3");
    CHECK(machine.of_cuda(1).name == "NVIDIA A100-SXM4-40GB");
    CHECK(driver.asked_for_names == 2);
}

}  // namespace perfspec
