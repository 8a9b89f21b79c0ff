// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_work.hpp>

#include <string_view>

namespace perfspec {
namespace detail {

[[nodiscard]] cuda_work graph_subject(std::string_view name, cudaGraphExec_t executable, cudaGraph_t graph,
                                      const cuda_runtime& runtime);

}  // namespace detail

/// One launch of a CUDA graph is an iteration. Its `device_time` is `hot()` unless you say otherwise: the kernels of a
/// graph find what those before them left.
///
/// executable  of cudaGraphInstantiate; it must outlive the subject
/// graph       that it was made of, to look into. Records then have a note where the graph has host nodes: the device
/// waits while the processor
///             runs those, so that device_time holds their work, and how soon the processor comes to it. An executable
///             graph does not tell its nodes
///
/// Without an executable every claim is *invalid*.
///
///     auto step = perfspec::cuda_graph("step", executable, graph);
///     PERF_CHECK(device_time(step) < 300us);
[[nodiscard]] cuda_work cuda_graph(std::string_view name, cudaGraphExec_t executable, cudaGraph_t graph = nullptr);

}  // namespace perfspec
