// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The time that a GPU needs for a model of LibTorch. The program links perfspec::libtorch and perfspec::cuda: without the second one,
// device_time has the gaps between launches in it, and a note says so.

#include <perfspec/cuda.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>

#include <catch2/catch_test_macros.hpp>
#include <perfspec/catch2.hpp>

#include <chrono>
#include <memory>
#include <vector>

namespace {

using namespace std::chrono_literals;

/// Eight layers. One with a gate looks at a value on the processor after each.
struct layers {
    bool has_gate;
    at::Tensor weight = at::randn({2048, 2048}, at::kCUDA);

    at::Tensor forward(const at::Tensor& x) const {
        at::Tensor y = x;
        for (int i = 0; i < 8; ++i) {
            y = at::linear(y, weight).relu();
            if (has_gate && y.max().item<float>() == 0.0F) break;
        }
        return y;
    }
    [[nodiscard]] std::vector<at::Tensor> parameters() const { return {weight}; }
    [[nodiscard]] static std::vector<at::Tensor> buffers() { return {}; }
};

perfspec::subject model(const char* name, bool has_gate) {
    return perfspec::eager(name, std::make_shared<layers>(layers{has_gate}), at::randn({64, 2048}, at::kCUDA));
}

void skip_without_device() {
    if (const auto reason = perfspec::cuda_unavailable(); !reason.empty()) SKIP(reason);
    if (!at::hasCUDA()) SKIP("this LibTorch is built without CUDA");
}

}  // namespace

TEST_CASE("eight layers take the GPU less than 10 ms, and less in half precision") {
    skip_without_device();
    const auto single = model("single", false);
    const auto half = configured(single, {.dtype = at::kHalf});
    PERF_CHECK(device_time(single) < 10ms);  // timed=hot: without the gaps between launches
    PERF_CHECK(speedup(device_time(single), device_time(half)) > 1.05);
}

TEST_CASE("a model that waits for its GPU is timed with its waits") {
    skip_without_device();
    const auto gated = host_synchronised(model("gated", true));  // without it: invalid, because of .item()
    const auto plain = host_synchronised(model("plain", false));
    PERF_CHECK(device_time(gated) < 20ms);  // timed=hot-synchronised
    PERF_CHECK(device_time(plain) < 1.0 * device_time(gated));
}

TEST_CASE("two runs on two streams take the GPU no more than two in turn") {
    skip_without_device();
    const auto one = model("one", false);
    PERF_CHECK(device_time(streams(one, 2)) < 2.1 * device_time(one));
}
