// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// LibTorch models as subjects. Link perfspec::libtorch besides perfspec::catch2_main.
//
//     #include "resnet50.hpp"            // LibTorch's own headers come before Catch2's, or between the fences below
//
//     #include <perfspec/catch2.hpp>
//     #include <perfspec/libtorch.hpp>
//
//     TEST_CASE("resnet50 inference", "[perf]") {
//         auto input = at::randn({1, 3, 224, 224});
//         auto model = perfspec::eager("eager", vision::resnet50(), input);
//         auto inductor = perfspec::aot_inductor("inductor", "resnet50.pt2", input);
//         PERF_REQUIRE(same_output(model, inductor));
//         PERF_REQUIRE(speedup(model, inductor) > 0.95);
//     }
//
// LibTorch defines CHECK, LOG, VLOG and DCHECK, of which Catch2 means one otherwise. This header leaves them as they were. To
// include LibTorch's headers after Catch2's, put all of a file between perfspec/libtorch/fence_begin.hpp and fence_end.hpp.

#include <perfspec/language/operator_counts.hpp>
#include <perfspec/libtorch/accuracy.hpp>
#include <perfspec/libtorch/aot_inductor.hpp>
#include <perfspec/libtorch/eager.hpp>
#include <perfspec/libtorch/layers.hpp>
#include <perfspec/libtorch/on_device.hpp>
#include <perfspec/libtorch/streams.hpp>
#include <perfspec/libtorch/torch_settings.hpp>
#include <perfspec/libtorch/torchscript.hpp>
#include <perfspec/libtorch/train.hpp>
