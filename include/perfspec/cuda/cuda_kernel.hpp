// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_work.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perfspec {
namespace detail {

/// What the storage of a CUDA subject holds.
template <class Body> struct cuda_body : work_on_stream {
    cuda_body(const cuda_runtime& runtime, Body body) : work_on_stream(runtime), launch(std::move(body)) {}

    Body launch;

    decltype(auto) call() { return launch(stream.handle()); }
};

template <class Body> void launch_cuda(void* self) {
    auto& body = *static_cast<cuda_body<Body>*>(self);
    if constexpr (std::same_as<decltype(body.call()), cudaError_t>) {
        body.stream.check(body.call());
    } else {
        body.call();
    }
}

// Waits after each iteration. Launches that queue up hide their own cost behind the work before them, so a sample of
// them would take less time than as many calls do.
template <class Body> void run_cuda(void* self, std::uint64_t iterations) {
    work_on_stream& work = *static_cast<cuda_body<Body>*>(self);
    for (; iterations != 0; --iterations) {
        launch_cuda<Body>(self);
        work.stream.wait();
    }
    work.stream.check_launches();
}

template <class Body> double time_on_device(void* self) {
    return static_cast<cuda_body<Body>*>(self)->time_on_device();
}

template <class Body> std::string caveat_of_timing(void* self) { return static_cast<cuda_body<Body>*>(self)->caveat(); }

template <class Body> std::string slow_samples_of(void* self) {
    return static_cast<cuda_body<Body>*>(self)->timer.clock.tell_slow_samples();
}

template <class Body> void prepare_cuda(void* self, std::uint64_t) {
    static_cast<cuda_body<Body>*>(self)->stream.prepare();
}

template <class Body>
inline constexpr body_functions cuda_functions{.run = run_cuda<Body>,
                                               .destroy = destroy_body<cuda_body<Body>>,
                                               .prepare = prepare_cuda<Body>,
                                               .device_ns = time_on_device<Body>};

/// Makes the subject of cuda_kernel with the given runtime.
template <class Body> cuda_work cuda_subject(std::string_view name, Body&& body, const cuda_runtime& runtime) {
    using given = std::decay_t<Body>;
    using stored = cuda_body<given>;
    static_assert(std::invocable<given&, cudaStream_t>,
                  "perfspec: the body of a CUDA subject takes the stream to work on: [&](cudaStream_t stream) { … }");
    static_assert(alignof(stored) <= alignof(std::max_align_t),
                  "perfspec: a subject's body may not be over-aligned: capture by reference");
    subject made{name, cuda_functions<given>, sizeof(stored)};
    auto& at = made.construct<stored>(runtime, std::forward<Body>(body));
    made.state().caveat = caveat_of_timing<given>;
    made.state().tell_slow_samples = slow_samples_of<given>;
    return finished_work(made, at, launch_cuda<given>);
}

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

}  // namespace perfspec
