// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

namespace perfspec {
inline namespace language {

/// The same body on n streams of its device at once: one iteration starts it once on each, from one thread, and is over when the device is done
/// with all. So `latency` is the time of n runs, and declared work is that of n; with `setup` each of them has an input of its own. Another subject,
/// with the axis "streams", verified as x is.
///
/// x  a LibTorch subject whose inputs are on a device, or `on_device(f, device)`. Of another, which runs on the processor, every claim is
///    *not judged*, with the reason. A package of AOTInductor has one runner, for which its streams wait.
/// n  1 to 10, as PyTorch's benchmarks go through. Throws `input_error` for another, and for a subject that has streams already.
///
///     PERF_CHECK(latency(streams(model, 4)) < 3 * latency(model));      // of four runs at once, a part overlaps
[[nodiscard]] subject streams(const subject& x, int n);

}  // namespace language
}  // namespace perfspec
