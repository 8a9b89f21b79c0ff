// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "resnet50.hpp"

#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/ops/randn.h>

TEST_CASE("resnet50 inference", "[perf][resnet50]") {
    if (*VISION_SKIP_REASON != '\0') SKIP(VISION_SKIP_REASON);

    auto input = at::randn({1, 3, 224, 224});
    auto model = perfspec::eager("eager", vision::resnet50(), input);
    auto inductor = perfspec::aot_inductor("inductor", VISION_RESNET50_PACKAGE, input);

    PERF_REQUIRE(same_output(model, inductor));               // a speedup of a wrong answer counts for nothing
    PERF_REQUIRE(speedup(model, inductor) > 0.95);            // same run, interleaved: portable to any machine
    PERF_CHECK(speedup(model, inductor) > 0.9 * baseline());  // against the speedup stored for this hardware
    PERF_WARN(latency(inductor) < 1.05 * baseline());  // and the time: only reported, on a machine that others share
}
