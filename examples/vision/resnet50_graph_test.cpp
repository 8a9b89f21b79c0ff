// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// At a batch of one, a GPU waits for the processor, which launches some 150 kernels one by one. A graph launches them
// all at once.
#include "resnet50.hpp"

#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/ops/randn.h>

TEST_CASE("resnet50 in a CUDA graph", "[perf][resnet50][device]") {
    auto model =
        configured(perfspec::eager("eager", vision::resnet50(), at::randn({1, 3, 224, 224})), {.device = at::kCUDA});
    auto replay = as_graph(model);

    PERF_REQUIRE(same_output(model, replay));
    PERF_REQUIRE(speedup(model, replay) > 1.1);
    PERF_CHECK(device_time(replay) < 1.05 * device_time(model));  // the kernels are the same
}
