// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/cuda/timing/other_streams.hpp>
#include <perfspec/cuda/timing/sm_clock.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// After this time a stream is released although its batch is not complete: the body waits for the device, which waits
/// for the batch.
inline constexpr std::chrono::nanoseconds longest_hold = std::chrono::seconds{2};

/// Holds a stream while it lives. What is put on the stream meanwhile waits in its queue, so that the device does not
/// wait for the processor between two launches, and their latency does not count.
///
/// Source: the blocking kernel of NVBench (nvbench/blocking_kernel.cu). A memory operation of the stream waits here
/// instead of a kernel.
class stream_hold {
public:
    /// flag  in pinned memory. Throws `cuda_error`.
    stream_hold(const cuda_stream& stream, std::uint32_t* flag);
    stream_hold(const stream_hold&) = delete;
    stream_hold& operator=(const stream_hold&) = delete;
    ~stream_hold() { static_cast<void>(release()); }

    /// Lets the stream work. False where the time-out has done so before: then the device worked while the batch was
    /// not complete.
    [[nodiscard]] bool release() noexcept;

private:
    std::uint32_t* flag_;
    std::shared_ptr<void> watch_;
};

/// What the L2 cache holds when an iteration starts. cold: nothing of the body's. hot: what the iteration before left.
enum class cache_mode : std::uint8_t { cold, hot };

/// How `device_time` takes the time of one subject.
struct device_timing {
    cache_mode cache{cache_mode::cold};
    bool is_host_synchronised{};

    /// The fact of records and keys: "cold", "hot-synchronised".
    [[nodiscard]] std::string text() const;
};

/// What to do about a body that cannot be timed, for messages.
struct timing_advice {
    std::string_view waits;         ///< for the device, while its stream is held
    std::string_view leaves_empty;  ///< its stream
    std::string_view leaves_work;   ///< on another stream
    std::string_view repeats_late;  ///< each iteration waits for the last one
};

inline constexpr timing_advice advice_on_cuda_bodies{
    .waits =
        "device_time needs a body that only queues its work. Take the call out of the body that waits, such as cudaMemcpy, cudaMemcpyAsync of "
        "pageable memory, cudaMalloc or cudaDeviceSynchronize, and the launches beyond some 1000; or count what the device waits for, too: "
        ".host_synchronised()",
    .leaves_empty = "Launch the body's work on the stream that it is given: kernel<<<grid, block, 0, stream>>>(…)",
    .leaves_work = join_to_stream,
    .repeats_late = {}};

/// The body of a subject, called by its address.
struct launched_body {
    std::string_view name;
    void* self;
    void (*launch)(void* self);     ///< puts one iteration on the stream
    bool repeats_while_held{true};  ///< several may be in the queue at once
    const timing_advice* advice{&advice_on_cuda_bodies};
};

/// Events resolve half a microsecond; a sample is a hundred times as long.
/// Source: CUDA Runtime API, cudaEventElapsedTime.
inline constexpr double event_tick_ns = 500.0;
inline constexpr double shortest_device_sample_ns = 100.0 * event_tick_ns;

/// The most iterations of a sample. No kernel ends in a 256th of the shortest sample, 0.2 us: a body that seems to has
/// left the stream empty. The queue of a stream has room for some 1000 launches, and a held stream does not make room.
inline constexpr std::uint64_t max_device_iterations = 256;

/// A GPU that was idle has its full clock after so much work. The work writes memory of this size, or of the cache's.
inline constexpr double work_to_rise_ns = 1e8;
inline constexpr std::size_t written_to_rise = std::size_t{32} << 20U;

/// Takes the time of iterations by events on their stream.
class device_timer {
public:
    /// The stream must outlive the timer.
    explicit device_timer(const cuda_stream& stream) : clock(stream), stream_(stream), others_(stream) {}
    device_timer(const device_timer&) = delete;
    device_timer& operator=(const device_timer&) = delete;
    ~device_timer();

    device_timing timing{};
    sm_clock_meter clock;

    /// Nanoseconds of one iteration, from a sample of at least `shortest_device_sample_ns` that is not throttled.
    ///
    /// Throws `cuda_error`; measurement_failure (refused) for a body that waits for its device while the stream is
    /// held, for one that puts nothing on the stream, or leaves work on others, and for a device that is throttled most
    /// of the time.
    [[nodiscard]] double time_iteration(const launched_body& body);

    /// Brings the cache into the state in which an iteration is timed, and waits for that. Throws `cuda_error`.
    void settle_cache(const launched_body& body);

    /// Whether the sample that has ended counts. The first slow one is taken again at a clock that has been raised: the
    /// device may have been idle. Throws as `sm_clock_meter::accepts_sample` does.
    [[nodiscard]] bool accepts_sample(std::string_view name);

    /// What readers of the samples since the last call should know; empty where there is nothing.
    [[nodiscard]] std::string caveat();

    /// The bytes of the L2 cache. Throws `cuda_error`.
    [[nodiscard]] std::size_t cache_bytes() const;

private:
    class batch;

    [[nodiscard]] double time_sample(const launched_body& body, std::uint64_t iterations);
    [[nodiscard]] double time_in_a_row(const launched_body& body, std::uint64_t iterations);
    [[nodiscard]] double time_batches(const launched_body& body, std::uint64_t batches, std::uint64_t iterations);
    [[nodiscard]] double elapsed_ns(std::size_t from, std::size_t to) const;
    void flush() const;
    void record(std::size_t event);
    void make_ready(std::size_t events);
    void make_written(std::size_t bytes);
    void look_at_body(const launched_body& body);
    void raise_clock();
    void look_for_other_streams(const launched_body& body, std::uint64_t iterations, double sample_ns);
    void launch(const launched_body& body, std::uint64_t iterations) const;
    [[nodiscard]] std::uint64_t most_iterations(const launched_body& body) const;

    const cuda_stream& stream_;
    other_streams others_;
    std::uint64_t iterations_{};  ///< of a sample; 0: none was taken yet
    bool has_raised_clock_{};
    bool may_have_idled_{};  ///< before the last sample
    std::vector<cudaEvent_t> events_{};
    std::uint32_t* flag_{};
    void* written_{};  ///< what flushes the cache, and raises the clock
    std::size_t written_bytes_{};
};

}  // namespace perfspec::detail
