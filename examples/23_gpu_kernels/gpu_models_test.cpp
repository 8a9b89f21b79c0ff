// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The time that a GPU needs for a model of LibTorch, and what launching its kernels costs: eager, as a CUDA graph,
// compiled. The program links perfspec::libtorch and perfspec::cuda: without the second one, device_time has the gaps
// between launches in it, and a note says so.

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
#include <string>
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

/// What models.py has in Python. So small that launching its kernels takes longer than running them.
struct small_layers {
    static at::Tensor forward(const at::Tensor& x, const at::Tensor& weight) {
        at::Tensor y = x;
        for (int i = 0; i < 8; ++i) y = at::linear(y, weight).relu();
        return y;
    }
    [[nodiscard]] static std::vector<at::Tensor> parameters() { return {}; }
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
    const auto gated = host_synchronized(model("gated", true));  // without it: error, because of .item()
    const auto plain = host_synchronized(model("plain", false));
    PERF_CHECK(device_time(gated) < 20ms);  // timed=hot-synchronized
    PERF_CHECK(device_time(plain) < 1.0 * device_time(gated));
}

TEST_CASE("two runs on two streams take the GPU no more than two in turn") {
    skip_without_device();
    const auto one = model("one", false);
    PERF_CHECK(device_time(streams(one, 2)) < 2.1 * device_time(one));
}

TEST_CASE("small layers: eager, as a graph, compiled, and the compiled ones as a graph") {
    skip_without_device();
    if (const std::string reason = NO_PACKAGE_BECAUSE; !reason.empty()) SKIP(reason);
    const perfspec::tensor_list inputs{at::randn({1, 256}, at::kCUDA), at::randn({256, 256}, at::kCUDA) / 16};
    const auto eager = perfspec::eager("eager", std::make_shared<small_layers>(), inputs);
    const auto replay = as_graph(eager);
    const auto compiled = perfspec::aot_inductor("compiled", SMALL_LAYERS_PACKAGE, inputs);
    const auto compiled_replay =
        as_graph(compiled);  // loads the package once more, so that a run does not wait for the last one

    PERF_REQUIRE(same_output(eager, compiled));
    PERF_MEASURE(speedups(eager, replay, compiled, compiled_replay));  // a table of all four, in the same rounds
    PERF_CHECK(speedup(eager, replay) > 1.1);
    PERF_CHECK(speedup(eager, compiled) > 0.95);
    PERF_CHECK(speedup(compiled, compiled_replay) > 0.95);
    PERF_CHECK(device_time(replay) < 1.1 * device_time(eager));  // the kernels are the same
}
