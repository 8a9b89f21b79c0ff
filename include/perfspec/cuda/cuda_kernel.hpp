// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_work.hpp>

#include <concepts>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perfspec {
namespace detail {

/// Makes the subject of cuda_kernel with the given runtime.
template <class Body> cuda_work cuda_subject(std::string_view name, Body&& body, const cuda_runtime& runtime) {
    using given = std::decay_t<Body>;
    static_assert(std::invocable<given&, cudaStream_t>,
                  "perfspec: the body of a CUDA subject takes the stream to work on: [&](cudaStream_t stream) { … }");
    constexpr auto launch = [](void* self, cudaStream_t stream) {
        auto& call = *static_cast<given*>(self);
        if constexpr (std::same_as<std::invoke_result_t<given&, cudaStream_t>, cudaError_t>) return call(stream);
        else return (static_cast<void>(call(stream)), cudaSuccess);
    };
    return subject_on_stream(name, {std::make_shared<given>(std::forward<Body>(body)), launch}, runtime);
}

[[nodiscard]] cuda_work work_on(const subject& x, cudaStream_t stream, const cuda_runtime& runtime);

}  // namespace detail

/// Work on a CUDA stream. `latency` is host time from the call of the body until the device is done, including the cost
/// of launching and waiting. `device_time` is what the device needs for an iteration: events of the stream lie around
/// it, and the stream is held until the whole sample is in its queue, so that neither the latency of launches nor the
/// processor counts. The L2 cache is flushed before each iteration; `hot()` and
/// `host_synchronised()` of the result say otherwise.
///
/// body  called with the subject's own stream, on the device that is current now. It puts all its work there, or joins
///       other streams to it by an event. It may return a `cudaError_t`. Each iteration is waited for before the next
///       one starts, so a sample of many adds up whole calls. For the throughput of launches that queue up, put them
///       into one body.
///
/// device_time of a body that waits for its device, leaves its stream empty, or leaves work on another stream, is
/// *invalid*: its events would not be around its work.
///
/// A CUDA error (returned, left by a launch, or found while waiting) makes the claim *invalid*, with the error's name
/// and string. Without a device every claim on the subject is *invalid*: tests skip with `cuda_unavailable()`.
///
///     auto saxpy = perfspec::cuda_kernel("saxpy", [&](cudaStream_t stream) { saxpy_kernel<<<grid, block, 0,
///     stream>>>(n, a, x, y); });
template <class Body> [[nodiscard]] cuda_work cuda_kernel(std::string_view name, Body&& body) {
    return detail::cuda_subject(name, std::forward<Body>(body), detail::real_cuda_runtime());
}

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

inline namespace language {

/// `x.on(stream)`: a subject whose body puts its work on a stream of yours. `latency` is host time until the device is
/// done, and `device_time` is taken by events on it, `hot()` unless you say otherwise. The result is another subject,
/// with what x declares.
///
/// x       its body puts all its work on the stream, or joins other streams to it by an event; device_time of one that
///         leaves work elsewhere is *invalid*
/// stream  of the device that is current now, or every claim is *invalid*; it must outlive the subject. 0 is the
///         default stream
///
/// Throws `input_error` for a subject that is on a device already, for one with `setup(make)`, because device_time
/// needs several iterations in a row, and for one with a load step: declare that behind it.
///
///     auto pipeline = perfspec::subject("pipeline", [&] { run_pipeline(stream); }).on(stream);
[[nodiscard]] cuda_work on_stream(const subject& x, cudaStream_t stream);

}  // namespace language
}  // namespace perfspec
