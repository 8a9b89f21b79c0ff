// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/cuda/machine/gpu_machine.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/scripted_gpus.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <utility>

namespace perfspec {

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
    CHECK_THROWS_MATCHES(
        require({.ids = {"3"}, .visible = "3"}), input_error,
        Message(
            "ctest granted the GPU \"3\" (CUDA_VISIBLE_DEVICES=3), and the driver shows 2 to this process; write the "
            "resource file where the tests run, with  perfspec doctor --ctest-resources gpus.json"));
    driver.initialising = 100;
    CHECK_THROWS_MATCHES(
        require({.ids = {"3", "5"}, .visible = "3,5"}), input_error,
        Message(
            "ctest granted the GPU \"3\", \"5\" (CUDA_VISIBLE_DEVICES=3,5), and the driver shows none to this process: "
            "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected; write the resource file where the tests run, "
            "with  perfspec doctor --ctest-resources gpus.json"));
}

TEST_CASE("a name that means no GPU stops the run before the driver is asked, and no grant asks nobody",
          "[cuda][unit]") {
    CHECK_THROWS_MATCHES(require({.ids = {"x"}, .visible = "", .fault = "x names no GPU"}, {}), input_error,
                         Message("x names no GPU"));
    CHECK_NOTHROW(require({}, {}));
}

}  // namespace perfspec
