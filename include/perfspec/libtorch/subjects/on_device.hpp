// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

namespace perfspec {
inline namespace language {

/// The same body, but its time includes the work that it starts on a device: the clock stops when the device is done.
/// The result is another subject, with the axis "device". LibTorch's own subjects wait without it.
///
/// Where this LibTorch or this machine has no such device, every claim is *not judged*, with the reason.
/// Throws `input_error` for a LibTorch subject.
///
///     auto a = at::randn({4096, 4096}, at::kCUDA);
///     auto gemm = on_device(perfspec::subject("gemm", [&] { return a.matmul(a); }), at::kCUDA);
[[nodiscard]] subject on_device(const subject& x, c10::Device device);

}  // namespace language
}  // namespace perfspec
