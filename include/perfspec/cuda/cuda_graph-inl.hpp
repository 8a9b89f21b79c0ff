// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_graph.hpp>
#include <perfspec/cuda/cuda_kernel.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <cstddef>
#include <string>

namespace perfspec {
namespace detail {

/// Launches a graph.
struct graph_launch {
    const cuda_runtime* runtime;
    cudaGraphExec_t executable;
    cudaGraph_t graph;

    cudaError_t operator()(cudaStream_t stream) const { return runtime->launch_graph(executable, stream); }
};

/// What a graph says of its host nodes.
inline std::string caveat_of_nodes(const graph_launch& body) {
    std::size_t nodes = 0;
    if (const cudaError_t counted = body.runtime->count_host_nodes(body.graph, &nodes); counted != cudaSuccess)
        return "its graph does not tell its nodes, so host nodes may be in its time: " +
               describe_cuda(*body.runtime, counted);
    if (nodes == 0) return {};
    return "its graph has " + std::to_string(nodes) + (nodes == 1 ? " host node" : " host nodes") +
           ", which the processor runs while the device waits: that is part of its times";
}

/// What readers of its times should know.
inline std::string caveat_of_graph(void* self) {
    const std::string nodes = caveat_of_nodes(static_cast<cuda_body<graph_launch>*>(self)->launch);
    const std::string timing = caveat_of_timing<graph_launch>(self);
    return nodes.empty() || timing.empty() ? nodes + timing : nodes + "; " + timing;
}

cuda_work graph_subject(std::string_view name, cudaGraphExec_t executable, cudaGraph_t graph,
                        const cuda_runtime& runtime) {
    cuda_work made = cuda_subject(name, graph_launch{&runtime, executable, graph}, runtime).hot();
    if (graph != nullptr) made.state().caveat = caveat_of_graph;
    if (executable == nullptr)
        made.refuse("cuda_graph got no executable graph: make one by cudaGraphInstantiate(&executable, graph, 0)");
    return made;
}

}  // namespace detail

cuda_work cuda_graph(std::string_view name, cudaGraphExec_t executable, cudaGraph_t graph) {
    return detail::graph_subject(name, executable, graph, detail::real_cuda_runtime());
}

}  // namespace perfspec
