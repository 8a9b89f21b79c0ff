// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The six models on a GPU: eager LibTorch beside a package that AOTInductor compiled for it. Skipped without a GPU, and
// where the target vision_device_packages exported none.
#include "models.hpp"

#include <perfspec/catch2.hpp>
#include <perfspec/cuda.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/Context.h>
#include <ATen/ops/randn.h>

#include <filesystem>
#include <string>

namespace {

void judge_on_device(const std::string& name, double least_speedup) {
    if (const auto reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
    if (!at::hasCUDA()) SKIP("this LibTorch is built without CUDA");
    if (*VISION_SKIP_REASON != '\0') SKIP(VISION_SKIP_REASON);
    const std::string package = VISION_PACKAGES "/" + name + "_cuda_b1.pt2";
    if (!std::filesystem::exists(package))
        SKIP(package << " was not exported: build the target vision_device_packages");

    const auto image = at::randn({1, 3, 224, 224}, at::kCUDA);
    const auto network = vision::make_model(name);
    network->to(at::kCUDA);
    auto model = perfspec::eager("eager", network, image);
    auto inductor = perfspec::aot_inductor("inductor", package, image);

    PERF_REQUIRE(same_output(model, inductor));
    PERF_REQUIRE(speedup(model, inductor) >
                 least_speedup);  // at a batch of one the processor launches kernels one by one, the package fewer
    PERF_MEASURE(speedup(device_time(model), device_time(inductor)));  // without the gaps between launches
}

}  // namespace

TEST_CASE("alexnet on a GPU", "[perf][alexnet][device]") { judge_on_device("alexnet", 0.9); }
TEST_CASE("resnet50 on a GPU", "[perf][resnet50][device]") { judge_on_device("resnet50", 0.95); }
TEST_CASE("mobilenet_v2 on a GPU", "[perf][mobilenet_v2][device]") { judge_on_device("mobilenet_v2", 0.95); }
TEST_CASE("googlenet on a GPU", "[perf][googlenet][device]") { judge_on_device("googlenet", 0.95); }
TEST_CASE("squeezenet1_1 on a GPU", "[perf][squeezenet1_1][device]") { judge_on_device("squeezenet1_1", 0.95); }
TEST_CASE("densenet121 on a GPU", "[perf][densenet121][device]") { judge_on_device("densenet121", 0.95); }
