// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

namespace vision {

/// What the perf test of each model claims, in the test case that calls it: eager LibTorch, TorchScript and AOTInductor
/// agree; the package is faster than eager by the factor given; what it takes to start and to run it is bounded; and
/// its latency is that of its baseline, else a warning.
///
/// name           in `all_models()`; where <name>_b1.pt2 and <name>_b1.pt were not exported for one image, the test
/// case is skipped. least_speedup  eager ÷ package, true on every machine: leave 10 % to what was measured, because
/// eager and compiled code stress a machine
///                differently.
void judge_model(std::string_view name, double least_speedup);

}  // namespace vision
