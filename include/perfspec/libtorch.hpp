// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// LibTorch models as subjects. Link perfspec::libtorch in addition to perfspec::catch2_main.
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
// LibTorch defines the macros CHECK, LOG, VLOG and DCHECK; Catch2 defines a different CHECK. This header does not
// change them. To include LibTorch's headers after Catch2's, put all of a file between
// perfspec/libtorch/fence_begin.hpp and fence_end.hpp.

#include <perfspec/explain/model_queries.hpp>
#include <perfspec/libtorch/outputs/accuracy.hpp>
#include <perfspec/libtorch/recorders/layers.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/subjects/eager.hpp>
#include <perfspec/libtorch/subjects/largest_batch.hpp>
#include <perfspec/libtorch/subjects/on_device.hpp>
#include <perfspec/libtorch/subjects/saved_model.hpp>
#include <perfspec/libtorch/training/training_step.hpp>
