// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

namespace perfspec {
inline namespace language {

/// The same model, captured once in a graph of its device, a CUDA graph. One iteration is one replay, which starts all
/// of its kernels by one call of the driver. The result is another subject, with the axis "graph". It is verified as x
/// is.
///
/// x  a LibTorch subject whose inputs are on a device. On the processor, and on devices whose graphs LibTorch does not
/// know, every claim is
///    *not judged*, with the reason. Throws `input_error` for a subject that is not LibTorch's, that trains, that runs
///    on several streams, or that is a graph already.
///
/// It is captured on a stream of its own, with its own memory, after three warm calls. That is part of `load_time` and
/// `cold_start`, and of no other time. A model that waits for the device cannot be captured, and its claims are
/// *invalid*. So are they where a replay does not write all outputs, because the model computes them on another stream
/// or on the processor.
///
/// A replay reads the inputs where they lie. A program that replays for new inputs copies these there first; that copy
/// is no part of the times.
///
///     auto model = perfspec::eager("resnet50", module, at::randn({1, 3, 224, 224}, at::kCUDA));
///     PERF_REQUIRE(speedup(model, as_graph(model)) > 1.1);      // what launching kernels one by one costs
[[nodiscard]] subject as_graph(const subject& x);

}  // namespace language
}  // namespace perfspec
