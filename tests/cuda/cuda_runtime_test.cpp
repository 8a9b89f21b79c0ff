// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_cuda.hpp"

#include <perfspec/cuda.hpp>

#include <catch2/catch_test_macros.hpp>

namespace perfspec::testing {

TEST_CASE("reason_without_device is empty where there is a device", "[cuda][unit]") {
    const scripted_cuda device;
    CHECK(detail::reason_without_device(scripted_cuda::runtime()).empty());
}

TEST_CASE("reason_without_device has the error's name and string", "[cuda][unit]") {
    scripted_cuda device;
    device.counting = cudaErrorNoDevice;
    device.last_error = cudaErrorNoDevice;
    CHECK(detail::reason_without_device(scripted_cuda::runtime()) ==
          "no CUDA device: cudaErrorNoDevice: no CUDA-capable device is detected");
    CHECK(device.last_error == cudaSuccess);  // no later call is blamed for it
}

TEST_CASE("reason_without_device tells a driver that is too old from none", "[cuda][unit]") {
    scripted_cuda device;
    device.counting = cudaErrorInsufficientDriver;
    device.driver = 12'040;
    const std::string words =
        "no CUDA device: cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version: ";
    CHECK(detail::reason_without_device(scripted_cuda::runtime()) ==
          words + "the driver is for CUDA 12.4 at most, and the program's runtime is 13.0");
    device.driver = 0;
    CHECK(detail::reason_without_device(scripted_cuda::runtime()) == words + "no driver of NVIDIA's is installed here");
}

TEST_CASE("no test skips without a device where the run has to have one", "[cuda][unit]") {
    scripted_cuda device;
    device.devices = 0;
    CHECK(detail::reason_to_skip(scripted_cuda::runtime(), false) == "no CUDA device: the driver counts none");
    CHECK(detail::reason_to_skip(scripted_cuda::runtime(), true).empty());
}

TEST_CASE("reason_without_device names a count of none", "[cuda][unit]") {
    scripted_cuda device;
    device.devices = 0;
    CHECK(detail::reason_without_device(scripted_cuda::runtime()) == "no CUDA device: the driver counts none");
}

TEST_CASE("cuda_unavailable asks the real runtime", "[cuda][unit]") {
    int devices = 0;
    const bool usable = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
    CHECK(cuda_unavailable().empty() == usable);
}

}  // namespace perfspec::testing
