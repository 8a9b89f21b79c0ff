// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perfspec::inline v0_2 {

class cuda_work;

namespace detail {

/// A callable that puts one iteration on a stream.
struct stream_body {
    std::shared_ptr<void> self;
    cudaError_t (*launch)(void* self, cudaStream_t stream);
};

struct work_on_stream;
enum class cache_mode : std::uint8_t;

/// A subject on the current device; refused without a device or a stream.
///
/// stream  of the body; none: one of its own
[[nodiscard]] cuda_work subject_on_stream(std::string_view name, stream_body body, const cuda_runtime& runtime,
                                          std::optional<cudaStream_t> stream = {});

}  // namespace detail

/// A subject whose work is on a CUDA stream. The functions here set how `device_time` takes its time; they change no
/// other metric. Records and keys of `device_time` have it, `timed=cold`, and claims do not compare times that were
/// taken differently. Call them before functions of every subject: `cuda_kernel("saxpy", launch).hot().bytes(12e6)`.
class cuda_work : public subject {
public:
    /// The L2 cache has the data of the iteration before. One sample is a batch between two events, after an iteration
    /// that warms up.
    cuda_work& hot() &;
    /// The L2 cache has no data of the body: a write of its size precedes each iteration, outside the time. A sample
    /// adds up iterations.
    cuda_work& cold() &;
    /// The body waits for its device: the stream is not held, so `device_time` includes the time in which the device
    /// waits for the processor. Without this such a body is an *error*.
    cuda_work& host_synchronized() &;

    /// Discards samples whose SM clock is below this share of the GPU's default clock, 75 % by default, because the GPU
    /// is hot or at its limit of power. A note has their number. After ten in a row the GPU rests for half a second.
    /// The claim is an *error* if more than half are discarded, and for a share outside 0 % to 100 %. 0 % keeps all
    /// samples.
    cuda_work& slowest_clock(percentage share) &;

    [[nodiscard]] cuda_work slowest_clock(percentage share) && { return slowest_clock(share); }
    [[nodiscard]] cuda_work hot() && { return hot(); }
    [[nodiscard]] cuda_work cold() && { return cold(); }
    [[nodiscard]] cuda_work host_synchronized() && { return host_synchronized(); }

    /// For perfspec: `x` contains `work`.
    cuda_work(const subject& x, detail::work_on_stream& work) : subject(x), work_(&work) {}
    [[nodiscard]] detail::work_on_stream& work() const noexcept { return *work_; }

private:
    cuda_work& cache(detail::cache_mode mode);
    void note_timing();

    detail::work_on_stream* work_;  ///< lives as long as the subject
};

namespace detail {

/// Makes the subject of cuda_kernel with the given runtime.
template <class Body> cuda_work cuda_subject(std::string_view name, Body&& body, const cuda_runtime& runtime) {
    using callable = std::decay_t<Body>;
    static_assert(std::invocable<callable&, cudaStream_t>,
                  "perfspec: the body of a CUDA subject takes the stream to work on: [&](cudaStream_t stream) { … }");
    constexpr auto launch = [](void* self, cudaStream_t stream) {
        auto& call = *static_cast<callable*>(self);
        if constexpr (std::same_as<std::invoke_result_t<callable&, cudaStream_t>, cudaError_t>) return call(stream);
        else return (static_cast<void>(call(stream)), cudaSuccess);
    };
    return subject_on_stream(name, {std::make_shared<callable>(std::forward<Body>(body)), launch}, runtime);
}

[[nodiscard]] cuda_work work_on(const subject& x, cudaStream_t stream, const cuda_runtime& runtime);

}  // namespace detail

/// Work on a CUDA stream. `latency` is host time from the call of the body until the device is done, including the cost
/// of launching and waiting. `device_time` is the device's time for an iteration, between two events of the stream. The
/// stream is held until the whole sample is in its queue, so that neither launches nor the processor count. The L2
/// cache is flushed before each iteration. `hot()` and `host_synchronized()` of the result change this.
///
/// body  called with the subject's own stream, on the current device. It puts all its work there, or joins other
///       streams to it by an event. It may return a `cudaError_t`. The next iteration starts when the device is done,
///       so a sample of many adds up whole calls. For the throughput of queued launches, put them into one body.
///
/// device_time of a body that waits for its device, leaves its stream empty, or leaves work on another stream, is
/// *error*: its events would not be around its work.
///
/// A CUDA error (returned, of a launch, or of a wait) makes the claim an *error*, with the error's name and string.
/// Without a device every claim on the subject is an *error*: tests skip with `cuda_unavailable()`.
///
///     const auto launch = [&](cudaStream_t stream) { saxpy<<<grid, block, 0, stream>>>(n, a, x, y); };
///     PERF_CHECK(device_time(perfspec::cuda_kernel("saxpy", launch)) < 20us);
template <class Body> [[nodiscard]] cuda_work cuda_kernel(std::string_view name, Body&& body) {
    return detail::cuda_subject(name, std::forward<Body>(body), detail::real_cuda_runtime());
}

/// An iteration is one launch of a CUDA graph: a `cuda_kernel` whose body calls cudaGraphLaunch. Its `device_time` is
/// `hot()` by default, because kernels of a graph find data of earlier ones in the cache. Times of a graph with host
/// nodes include their work on the processor.
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
/// done, and `device_time` that between events on the stream, `hot()` by default. The result is another subject with
/// the declarations of x.
///
/// x       its body puts all its work on the stream, or joins other streams to it by an event; device_time of a body
///         that leaves work on other streams is an *error*
/// stream  of the current device, or every claim is an *error*; it must outlive the subject. 0 is the default stream
///
/// Throws `input_error` for a subject that is on a device already, for one with `setup(make)`, because device_time
/// needs several iterations in a row, and for one with a load step: declare that after `on`.
///
///     auto pipeline = perfspec::subject("pipeline", [&] { run_pipeline(stream); }).on(stream);
[[nodiscard]] cuda_work on_stream(const subject& x, cudaStream_t stream);

}  // namespace language

/// The ends of a copy. `on_device`: both are in the device's memory.
enum class copy_direction : std::uint8_t { to_device, to_host, on_device };

/// The kind of host memory. `pinned`: the system does not move it, and the device accesses it directly. `pageable`: the
/// driver copies it to or from its own pinned memory.
enum class host_memory : std::uint8_t { pinned, pageable };

namespace detail {

[[nodiscard]] cuda_work copy_of_own(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                                    host_memory host, const cuda_runtime& runtime);

}  // namespace detail

/// A copy of n bytes between memory of its own, by cudaMemcpyAsync on its stream. It declares its bytes: n, and on the
/// device 2 n, which are read and written, so that `device_throughput(x, bytes)` is comparable with
/// `peak_bandwidth()`. To copy memory of yours, use a `cuda_kernel` whose body calls cudaMemcpyAsync.
///
/// host  kind of the end at the host; ignored on the device
///
/// `device_time` of pinned memory is that of the copy alone. That of pageable memory includes the work of the driver on
/// the processor: it is taken as by `host_synchronized()`, with a note. To compare both, call `.host_synchronized()` of
/// the pinned one, or compare latencies.
///
/// No bytes, or lack of memory, make every claim an *error*.
///
///     const auto upload = perfspec::cuda_copy("upload", perfspec::copy_direction::to_device, 64_MiB);
///     PERF_CHECK(device_throughput(upload, bytes) > 20_GBps);
[[nodiscard]] cuda_work cuda_copy(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                                  host_memory host = host_memory::pinned);

}  // namespace perfspec::inline v0_2
