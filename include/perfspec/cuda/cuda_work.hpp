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

namespace perfspec {

class cuda_work;

namespace detail {

/// A callable that puts one iteration on a stream.
struct stream_body {
    std::shared_ptr<void> self;
    cudaError_t (*launch)(void* self, cudaStream_t stream);
};

struct work_on_stream;
enum class cache_mode : std::uint8_t;

/// A subject on the device that is current now; refused where there is no device or no stream.
///
/// given  the stream that it works on; none: one of its own
[[nodiscard]] cuda_work subject_on_stream(std::string_view name, stream_body body, const cuda_runtime& runtime,
                                          std::optional<cudaStream_t> given = {});

}  // namespace detail

/// A subject whose work is on a CUDA stream. The functions here say how `device_time` takes its time; they change no
/// other metric. Records and keys of `device_time` name it, `timed=cold`, and claims do not compare times that were
/// taken differently. They come before those that every subject has: `cuda_kernel("saxpy", launch).hot().bytes(12e6)`.
class cuda_work : public subject {
public:
    /// The L2 cache holds what the iteration before left there. One sample is a batch between two events, after an
    /// iteration that warms up.
    cuda_work& hot() &;
    /// The L2 cache holds nothing of the body's: a write of its size comes before each iteration, outside the time. A
    /// sample sums up iterations.
    cuda_work& cold() &;
    /// The body waits for its device: the stream is not held, so `device_time` counts the time in which the device
    /// waits for the processor, too. Without this such a body is *invalid*.
    cuda_work& host_synchronised() &;

    /// A sample counts whose SM clock is at least this share of the GPU's default clock: 75 % unless you say otherwise.
    /// The samples of a GPU that is hot, or at its limit of power, are discarded, and a note says how many. After ten
    /// in a row the GPU rests for half a second, and where more than half are discarded, the claim is *invalid*. 0 %
    /// lets every sample count. Other shares than 0 % to 100 % make every claim *invalid*.
    cuda_work& slowest_clock(percentage share) &;

    [[nodiscard]] cuda_work slowest_clock(percentage share) && { return slowest_clock(share); }
    [[nodiscard]] cuda_work hot() && { return hot(); }
    [[nodiscard]] cuda_work cold() && { return cold(); }
    [[nodiscard]] cuda_work host_synchronised() && { return host_synchronised(); }

    /// For perfspec: `made` holds `held`.
    cuda_work(const subject& made, detail::work_on_stream& held) : subject(made), work_(&held) {}
    [[nodiscard]] detail::work_on_stream& work() const noexcept { return *work_; }

private:
    cuda_work& cache(detail::cache_mode mode);
    void note_timing();

    detail::work_on_stream* work_;  ///< lives as long as the subject
};

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

/// Between what a copy goes. `on_device`: both ends are in the device's memory.
enum class copy_direction : std::uint8_t { to_device, to_host, on_device };

/// What memory of the host is. `pinned`: the system keeps it where it is, and the device reads and writes it by itself.
/// `pageable`: the driver copies it to or from pinned memory of its own.
enum class host_memory : std::uint8_t { pinned, pageable };

namespace detail {

[[nodiscard]] cuda_work copy_of_own(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                                    host_memory host, const cuda_runtime& runtime);

}  // namespace detail

/// A copy of n bytes between memory of its own, by cudaMemcpyAsync on its stream. It declares its bytes: n, and on the
/// device 2 n, which are read and written, so that `device_throughput(x, bytes)` can be held against
/// `peak_bandwidth()`. A copy between memory of yours is a `cuda_kernel` whose body calls cudaMemcpyAsync.
///
/// host  what the end at the host is; on the device it means nothing
///
/// `device_time` of pinned memory is that of the copy alone. That of pageable memory holds the work of the driver on
/// the processor: it is taken as `host_synchronised()` says, and a note says so. To compare both, say
/// `.host_synchronised()` of the pinned one, or compare latencies.
///
/// No bytes, and memory that cannot be had, make every claim *invalid*.
///
///     const auto upload = perfspec::cuda_copy("upload", perfspec::copy_direction::to_device, 64_MiB);
///     PERF_CHECK(device_throughput(upload, bytes) > 20_GBps);
[[nodiscard]] cuda_work cuda_copy(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                                  host_memory host = host_memory::pinned);

}  // namespace perfspec
