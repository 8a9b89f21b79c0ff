// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_stream.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perfspec {
namespace detail {

/// What the storage of a CUDA subject holds.
template <class Body> struct cuda_body {
    cuda_stream stream;
    Body launch;
};

template <class Body> void launch_cuda(cuda_stream& stream, Body& launch) {
    if constexpr (std::same_as<decltype(launch(stream.handle())), cudaError_t>) {
        stream.check(launch(stream.handle()));
    } else {
        launch(stream.handle());
    }
}

// Waits after each iteration. Launches that queue up hide their own cost behind the work before them, so a sample of them would take less
// time than as many calls do.
template <class Body> void run_cuda(void* self, std::uint64_t iterations) {
    auto& [stream, launch] = *static_cast<cuda_body<Body>*>(self);
    for (; iterations != 0; --iterations) {
        launch_cuda(stream, launch);
        stream.wait();
    }
    stream.check_launches();
}

/// The device's time of one iteration between two events of its stream, in nanoseconds.
template <class Body> double time_on_device(void* self) {
    auto& [stream, launch] = *static_cast<cuda_body<Body>*>(self);
    stream.start_timing();
    launch_cuda(stream, launch);
    return stream.stop_timing();
}

template <class Body> void prepare_cuda(void* self, std::uint64_t) { static_cast<cuda_body<Body>*>(self)->stream.prepare(); }

template <class Body>
inline constexpr body_functions cuda_functions{
    .run = run_cuda<Body>, .destroy = destroy_body<cuda_body<Body>>, .prepare = prepare_cuda<Body>, .device_ns = time_on_device<Body>};

/// Makes the subject of cuda_kernel with the given runtime.
template <class Body> subject cuda_subject(std::string_view name, Body&& body, const cuda_runtime& runtime) {
    using stored = cuda_body<std::decay_t<Body>>;
    static_assert(std::invocable<std::decay_t<Body>&, cudaStream_t>,
                  "perfspec: the body of a CUDA subject takes the stream to work on: [&](cudaStream_t stream) { … }");
    static_assert(alignof(stored) <= alignof(std::max_align_t), "perfspec: a subject's body may not be over-aligned: capture by reference");
    subject made{name, cuda_functions<std::decay_t<Body>>, sizeof(stored)};
    auto* const at = ::new (made.storage()) stored{cuda_stream{runtime}, std::forward<Body>(body)};
    made.constructed();
    made.state().device = at->stream.invalid_reason().empty() ? current_cuda_device(runtime) : "cuda";
    if (!at->stream.invalid_reason().empty()) made.refuse(at->stream.invalid_reason());
    return made;
}

}  // namespace detail

/// Work on a CUDA stream. `latency` is host time from the call of the body until the stream is done, including the cost of launching and
/// waiting.
///
/// body  called with the subject's own stream, on the device that is current now. It puts all its work there; work on other streams is not
///       waited for. It may return a `cudaError_t`. Each iteration is waited for before the next one starts, so a sample of many adds up
///       whole calls. For the throughput of launches that queue up, put them into one body.
///
/// A CUDA error (returned, left by a launch, or found while waiting) makes the claim *invalid*, with the error's name and
/// string. Without a device every claim on the subject is *invalid*: tests skip with `cuda_unavailable()`.
///
///     auto saxpy = perfspec::cuda_kernel("saxpy", [&](cudaStream_t stream) { saxpy_kernel<<<grid, block, 0, stream>>>(n, a, x, y); });
template <class Body> [[nodiscard]] subject cuda_kernel(std::string_view name, Body&& body) {
    return detail::cuda_subject(name, std::forward<Body>(body), detail::real_cuda_runtime());
}

}  // namespace perfspec
