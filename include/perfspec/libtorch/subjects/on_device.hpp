// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

namespace perfspec {
inline namespace language {

/// The same body on n streams of its device at once. One iteration starts the body once on each stream, from one
/// thread, and ends when the device is done with all. So `latency` is the time of n runs, and declared work is that of
/// n runs. With `setup` each run has its own input. The result is another subject, with the axis "streams". It is
/// verified as x is.
///
/// x  a LibTorch subject whose inputs are on a device, or `on_device(f, device)`. Any other runs on the processor, and
/// every claim on it is
///    *not judged*, with the reason. A package of AOTInductor has one runner, for which its streams wait.
/// n  1 to 10, as in PyTorch's benchmarks. Throws `input_error` for another number, and for a subject that has streams
/// already.
///
///     PERF_CHECK(latency(streams(model, 4)) < 3 * latency(model));      // of four runs at once, a part overlaps
[[nodiscard]] subject streams(const subject& x, int n);

/// The same body, but its time includes the work that it starts on a device: the clock stops when the device is done.
/// The result is another subject, with the axis "device". LibTorch's own subjects wait without it.
///
/// Where this LibTorch or this machine has no such device, every claim is *not judged*, with the reason.
/// Throws `input_error` for a LibTorch subject.
///
///     auto a = at::randn({4096, 4096}, at::kCUDA);
///     auto gemm = on_device(perfspec::subject("gemm", [&] { return a.matmul(a); }), at::kCUDA);
[[nodiscard]] subject on_device(const subject& x, c10::Device device);

/// The same model, whose `device_time` counts the time in which its device waits for the processor, too: its stream is
/// not held, and records and keys say `timed=hot-synchronised`. It is for models that wait for their device (`.item()`,
/// `nonzero`), and for those with more launches than the queue of a stream has room for, some 1000. Without it the
/// `device_time` of such a model is *invalid*. It changes no other metric, and nothing where the program does not link
/// perfspec::cuda. Claims compare it with another such model only.
///
/// x  a LibTorch subject, also on streams, or `on_device(f, device)`. Throws `input_error` for any other.
///
///     PERF_CHECK(speedup(device_time(host_synchronised(eager)), device_time(host_synchronised(compiled))) > 1.2);
[[nodiscard]] subject host_synchronised(const subject& x);

}  // namespace language
}  // namespace perfspec
