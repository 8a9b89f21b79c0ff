// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_kernel.hpp>

#include <string_view>

namespace perfspec {

/// One launch of a CUDA graph is an iteration: a `cuda_kernel` whose body calls cudaGraphLaunch. Its `device_time` is
/// `hot()` unless you say otherwise: the kernels of a graph find what those before them left. Where the graph has host
/// nodes, its times hold the work of the processor there.
///
/// executable  of cudaGraphInstantiate; it must outlive the subject
///
///     auto step = perfspec::cuda_graph("step", executable);
///     PERF_CHECK(device_time(step) < 300us);
[[nodiscard]] inline cuda_work cuda_graph(std::string_view name, cudaGraphExec_t executable) {
    return cuda_kernel(name, [executable](cudaStream_t stream) { return cudaGraphLaunch(executable, stream); }).hot();
}

}  // namespace perfspec
